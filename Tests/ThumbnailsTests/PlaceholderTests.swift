// Stub: replaced by the first real suite.
