import Basics
import CCurl
import Pipeline
import Trace

extension TransferLoop {
    /// Requests with servers at once, in all; sockets and memory are finite.
    private static let usualSlots = 48
    /// Beyond the usual ones, a host that has none yet gets one: three dozen stalled hosts must not hold up the next.
    private static let mostSlots = 256

    /// Puts a transfer in the line of its host, or ends it at once if it may not go there.
    func enqueue(_ transfer: Transfer) {
        if let refusal = refusal(of: transfer) {
            return end(transfer, .failure(refusal))
        }
        transfer.stage = .waiting
        lanes[transfer.address.origin, default: Lane()]
            .insert(transfer.place, isPaced: isPaced(transfer))
    }

    /// Hands waiting orders to libcurl as long as their hosts have room, most urgent first.
    func startNext() {
        guard !lanes.isEmpty else { return orders.setInFlightCount(runningCount) }
        let now = SteadyClock.nanoseconds()
        while let (origin, place) = nextToStart(now) {
            lanes[origin]?.remove(place)
            guard let transfer = transfers[place.number] else { continue }
            notePage(transfer, now: now)
            start(transfer)
        }
        orders.setInFlightCount(runningCount)
    }

    private func nextToStart(_ now: UInt64) -> (String, Lane.Place)? {
        guard runningCount < Self.mostSlots else { return nil }
        var best: (origin: String, place: Lane.Place)?
        for (origin, lane) in lanes {
            guard hasRoom(lane), let place = nextInTime(lane, of: origin, now: now),
                best.map({ $0.place < place }) ?? true
            else { continue }
            best = (origin, place)
        }
        return best
    }

    private func hasRoom(_ lane: Lane) -> Bool {
        lane.runningCount == 0
            || (lane.runningCount < options.connectionsPerHost && runningCount < Self.usualSlots)
    }

    private func start(_ transfer: Transfer) {
        guard let handle = takeHandle() else {
            return end(transfer, .failure(.other("out of memory")))
        }
        let seat =
            transfer.order.purpose == .picture
            ? ArrivalBoard.Seat(board: arrivals, address: transfer.order.address) : nil
        let exchange = Exchange(
            handle: handle, transfer: transfer, limit: options.maxBytes,
            isGuarded: isForbiddenPrivate(transfer),
            proxy: options.proxies.proxy(for: transfer.address),
            partial: transfer.wantsWhole ? nil : partials.take(transfer.partialKey),
            arrivals: seat)
        exchange.configure(for: transfer, options: options)
        if let pinned {
            halftone_curl_set_list(handle, CURLOPT_RESOLVE, pinned)
        }
        shareCookies(with: exchange, for: transfer.address.host)
        guard curl_multi_add_handle(multi, handle) == CURLM_OK else {
            giveBack(handle)
            return end(transfer, .failure(.other("libcurl takes no more transfers")))
        }
        transfer.stage = .running(exchange)
        transfer.startedAt = SteadyClock.nanoseconds()
        transfer.span = tracer.begin("request", detail: transfer.address.text)
        if let partial = exchange.partial {
            tracer.mark("resume", detail: "\(transfer.address.text) from \(partial.body.count)")
        }
        lanes[exchange.origin, default: Lane()].runningCount += 1
        runningCount += 1
        tracer.count("transfers", runningCount)
    }

    private func shareCookies(with exchange: Exchange, for host: String) {
        guard let file = options.cookieFile, options.sourceHosts.contains(host) else { return }
        if cookies == nil {
            cookies = CookieShare(file: file)
        }
        cookies?.attach(to: exchange.handle)
    }
}
