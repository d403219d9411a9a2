import Basics

/// What one transfer asks a server for.
struct TransferOrder: Sendable {
    /// Where; `http` or `https`.
    var address: Address
    /// Decides the `Accept` header.
    var purpose: Request.Purpose
    /// The page that links here: for `Referer`, and for what may be reached.
    var referer: Address?
    /// The validators of a stale cached answer: `If-None-Match`, `If-Modified-Since`.
    var conditions: [(name: String, value: String)] = []
    /// When it was made, by the monotonic clock, in nanoseconds.
    let askedAt = SteadyClock.nanoseconds()
}

/// What came of a transfer: a status of 2xx, or 304 if the order had conditions.
struct TransferAnswer: Sendable {
    /// The address after redirects.
    var address: Address
    /// The status code.
    var status: Int
    /// Header fields, names in lower case, values without control characters.
    var headers: [(name: String, value: String)]
    /// The body, content encodings undone; empty for 304.
    var body: [UInt8]
    /// Where its time went.
    var timings = FetchTimings()
}
