import Basics
import CCurl
import Pipeline
import Trace

/// What becomes of a transfer that nobody waits for any more.
extension TransferLoop {
    /// Gives a transfer up, or lets it finish on its own, into the cache.
    ///
    /// To cancel it closes its connection, if that is HTTP/1.1: whoever is next has to connect anew, and what came was for
    /// nothing. Where less is missing than has come, and soon, that costs more than the rest.
    func leave(_ transfer: Transfer) {
        guard case .running(let exchange) = transfer.stage else {
            return end(transfer, .failure(.cancelled))
        }
        let remainder = Remainder(
            of: exchange, nanoseconds: SteadyClock.nanoseconds() - transfer.startedAt)
        let isKept = remainder?.isWorthFinishing == true
        tracer.mark(
            isKept ? "kept" : "dropped",
            detail: "\(remainder.map(\.text) ?? "nothing yet"): \(transfer.address.text)")
        guard isKept else { return end(transfer, .failure(.cancelled)) }
        transfer.isLeft = true
        transfer.priority = .idle
    }
}

/// What is missing of a body that is on its way.
struct Remainder {
    /// Bytes that are there.
    var received: Int
    /// Bytes that are not.
    var missing: Int
    /// Seconds since it was asked for.
    var seconds: Double

    /// As much as servers send before they hear of the first byte's arrival, in bytes: on its way already, whatever is
    /// done (ten segments, RFC 6928).
    private static let onItsWay = 14_600
    /// For what nobody waits for, no connection is kept for longer than this, in seconds: those who wait would notice.
    private static let longest = 0.5

    /// Whether finishing costs less than it gives.
    var isWorthFinishing: Bool {
        guard received > 0 else { return false }
        // The latency counts as if it were transfer: the rest comes sooner than this.
        let rest = seconds * Double(missing) / Double(received)
        return missing <= Self.onItsWay || (missing <= received && rest <= Self.longest)
    }

    /// For a trace.
    var text: String {
        "\(received) of \(received + missing) bytes in \(Int((seconds * 1000).rounded())) ms"
    }
}

extension Remainder {
    /// Nil where it is not known how much there will be, or nothing has come.
    init?(of exchange: Exchange, nanoseconds: UInt64) {
        guard exchange.status == 200 || exchange.status == 206, !exchange.body.isEmpty,
            let total = exchange.total, total >= exchange.body.count
        else { return nil }
        received = exchange.body.count
        missing = total - received
        seconds = Double(nanoseconds) / 1e9
    }
}
