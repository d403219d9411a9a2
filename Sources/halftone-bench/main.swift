// Stub: to be written.
