import Basics
import Pipeline
import Trace

/// A request to a server, as passed to the transfer thread.
struct TransferTask: Sendable {
    let number: Int
    /// The request to a web or file server.
    let request: Request
    /// `If-None-Match`, `If-Modified-Since`.
    let conditions: HeaderFields
    let priority: Priority
    let flow: Flow
    let completion: Transfers.Completion
    /// The time of the request, in seconds of `SteadyClock`.
    let askedAt = SteadyClock.now
}

/// The response of a transfer: a 2xx status, or 304 if the task had conditions.
struct TransferAnswer: Sendable {
    /// The address after redirects.
    var address: Address
    var status: Int
    /// The header fields, with names in lower case and values without control characters.
    var headers: HeaderFields
    /// The body, with content encodings removed; empty for 304.
    var body: [UInt8]
    /// Whether it came from a private address.
    var isFromPrivate = false
    /// Whether a temporary redirect led there.
    var wasRedirectedTemporarily = false
    var timings = FetchTimings()
}

/// The state of a task across retries and redirects; confined to the transfer thread.
final class Transfer {
    enum State {
        /// In its host's queue.
        case waiting(HostQueue.Entry)
        /// In flight.
        case running(Exchange)
        /// Not started, or the exchange is over: its result is being evaluated, or the next try waits for its time.
        case idle
    }

    let task: TransferTask
    var priority: Priority
    var state = State.idle
    /// The address of the next request; changed by redirects.
    var address: Address
    /// Whether the address comes from a public page, so that it must not lead to private addresses.
    var isGuarded: Bool
    var redirectCount = 0
    /// Whether one of the redirects was temporary.
    var wasRedirectedTemporarily = false
    var retryCount = 0
    /// When the current try was passed to libcurl, in seconds of `SteadyClock`.
    var startedAt = 0.0
    /// Whether the transfer was cancelled and only continues because little is missing.
    var isAbandoned = false
    /// Whether the server mishandled a range request: the next try requests the whole body.
    var wantsWhole = false
    /// Whether the body is taken as it comes, since its coding is none that libcurl knows.
    var isUncoded = false
    /// How its time with servers has been spent so far.
    var timings = FetchTimings()
    /// The trace span of the current try.
    var span: Span?

    init(_ task: TransferTask, isGuarded: Bool) {
        self.task = task
        self.isGuarded = isGuarded
        priority = task.priority
        address = task.request.address
    }

    var number: Int { task.number }
    var request: Request { task.request }

    /// How its time has been spent so far; time not spent with servers was spent queueing.
    var timingsNow: FetchTimings {
        var timings = timings
        let elapsed = Int((SteadyClock.now - task.askedAt) * 1e6)
        timings.queue = max(0, elapsed - timings.working)
        return timings
    }

    /// The key under which equal transfers share a partial body, for the current address.
    var partialKey: Request { Request(address, for: request.purpose) }
}
