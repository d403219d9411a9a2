import Basics
import Pipeline
import Trace

/// One order on its way through tries and redirects; confined to the transfer thread.
final class Transfer {
    /// Where it stands.
    enum Stage {
        /// In its host's line.
        case waiting
        /// With the server.
        case running(Exchange)
        /// Until the next try, which is due at that time of the monotonic clock, in nanoseconds.
        case pausing(until: UInt64)
        /// In no table: what came of it is being judged.
        case judged
    }

    let number: Int
    let order: TransferOrder
    var priority: Priority
    let completion: Transfers.Completion
    var stage = Stage.waiting
    /// Where to ask now; another one after a redirect.
    var address: Address
    /// Whether somebody out there chose the address, so that it must not lead to private ones.
    var isGuarded: Bool
    /// Redirects followed.
    var redirectCount = 0
    /// Tries after the first.
    var retryCount = 0
    /// When the current try was handed to libcurl, by the monotonic clock, in nanoseconds.
    var startedAt: UInt64 = 0
    /// Whether nobody waits for it any more, and it only finishes because little is missing.
    var isLeft = false
    /// Whether its server was wrong about a part once: nothing is gone on with any more.
    var wantsWhole = false
    /// Where its time with servers went so far.
    var timings = FetchTimings()
    /// The current try, in the trace.
    var span: Span?

    init(
        number: Int, order: TransferOrder, priority: Priority, isGuarded: Bool,
        completion: @escaping Transfers.Completion
    ) {
        self.number = number
        self.order = order
        self.priority = priority
        self.isGuarded = isGuarded
        self.completion = completion
        address = order.address
    }

    /// Where its time went until now; what was not spent with servers was spent waiting.
    var timingsNow: FetchTimings {
        var timings = timings
        let elapsed = Int((SteadyClock.nanoseconds() - order.askedAt) / 1000)
        timings.queue = max(0, elapsed - timings.working)
        return timings
    }

    /// What equal transfers have in common, where it stands now.
    var partialKey: PartialStore.Key { .init(address: address, purpose: order.purpose) }

    /// Its place in the line of its host.
    var place: Lane.Place { .init(priority: priority, number: number) }
}
