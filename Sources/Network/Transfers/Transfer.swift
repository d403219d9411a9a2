import Basics
import Pipeline
import Trace

/// A request for a server, on its way to the transfer thread.
struct TransferOrder: Sendable {
    let number: Int
    /// Of an `http` or `https` address.
    let request: Request
    /// `If-None-Match`, `If-Modified-Since`.
    let conditions: HeaderFields
    let priority: Priority
    let flow: Flow
    let completion: Transfers.Completion
    /// By `SteadyClock`, in seconds.
    let askedAt = SteadyClock.now
}

/// What came of a transfer: a status of 2xx, or 304 if the order had conditions.
struct TransferAnswer: Sendable {
    /// The address after redirects.
    var address: Address
    var status: Int
    /// Names in lower case, values without control characters.
    var headers: HeaderFields
    /// The body, content encodings undone; empty for 304.
    var body: [UInt8]
    /// Whether it came from a private address.
    var isFromPrivate = false
    var timings = FetchTimings()
}

/// An order on its way through tries and redirects; confined to the transfer thread.
final class Transfer {
    enum State {
        /// In the queue of its host.
        case waiting(HostQueue.Entry)
        /// With the server.
        case running(Exchange)
        /// Until the next try, which is due at that time of `SteadyClock`, in seconds.
        case pausing(until: Double)
        /// Not begun, or the exchange is over and its result is being evaluated.
        case idle
    }

    let order: TransferOrder
    var priority: Priority
    var state = State.idle
    /// Where to ask now; another one after a redirect.
    var address: Address
    /// Whether the address comes from a public page, so that it must not lead to private ones.
    var isGuarded: Bool
    var redirectCount = 0
    var retryCount = 0
    /// When the current try was handed to libcurl, by `SteadyClock`, in seconds.
    var startedAt = 0.0
    /// Whether it was cancelled, and only finishes because little is missing.
    var isAbandoned = false
    /// Whether its server was wrong about a part once: the next try asks for the whole.
    var wantsWhole = false
    /// Where its time with servers went so far.
    var timings = FetchTimings()
    /// The current try, in the trace.
    var span: Span?

    init(_ order: TransferOrder, isGuarded: Bool) {
        self.order = order
        self.isGuarded = isGuarded
        priority = order.priority
        address = order.request.address
    }

    var number: Int { order.number }

    /// Where its time went until now; what was not spent with servers was spent waiting.
    var timingsNow: FetchTimings {
        var timings = timings
        let elapsed = Int((SteadyClock.now - order.askedAt) * 1e6)
        timings.queue = max(0, elapsed - timings.working)
        return timings
    }

    /// What equal transfers have in common, where it stands now.
    var partialKey: Request { Request(address, for: order.request.purpose) }
}
