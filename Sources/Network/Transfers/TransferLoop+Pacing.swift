import Basics

/// When a server may be asked again.
extension TransferLoop {
    /// Beyond so many servers, those that nothing is known of any more are forgotten.
    private static let mostPaces = 256

    /// Whether a transfer is counted: a page that another page named, on somebody else's server.
    ///
    /// What the reader typed goes at once, and a server of this machine or network is the reader's own.
    func isPaced(_ transfer: Transfer) -> Bool {
        transfer.order.purpose == .page && transfer.order.referer != nil
            && transfer.redirectCount == 0 && isPublic(transfer.address)
    }

    /// The next of a lane that may start now.
    func nextInTime(_ lane: Lane, of origin: String, now: UInt64) -> Lane.Place? {
        guard let pace = paces[origin] else { return lane.next(pages: true) }
        return pace.isOpen(at: now) ? lane.next(pages: pace.allowsPage(at: now)) : nil
    }

    /// Counts a transfer that starts.
    func notePage(_ transfer: Transfer, now: UInt64) {
        guard isPaced(transfer) else { return }
        if paces.count >= Self.mostPaces {
            paces = paces.filter { !$0.value.isIdle(at: now) }
        }
        paces[transfer.address.origin, default: Pace(paceLimits, now: now)].takePage(at: now)
    }

    /// Leaves a server alone that asked for it; all of its lines wait, nobody else's.
    func close(_ origin: String, seconds: Double) {
        let now = SteadyClock.nanoseconds()
        paces[origin, default: Pace(paceLimits, now: now)]
            .close(until: now + UInt64(seconds * 1_000_000_000))
    }

    /// When the first of the lines that only wait for the clock goes on; nil if none does.
    func nextPaceDue(now: UInt64) -> UInt64? {
        lanes.compactMap { origin, lane -> UInt64? in
            guard let pace = paces[origin], !lane.isEmpty else { return nil }
            let due = pace.due(isPage: lane.next(pages: false) == nil, now: now)
            return due > now ? due : nil
        }.min()
    }
}
