import Basics
import CCurl
import Trace

extension TransferLoop {
    /// Redirects followed in a row; browsers stop at 20, galleries that need more than three are lost.
    private static let mostRedirects = 10

    /// Takes finished exchanges back from libcurl; false if there was none.
    func collectDone() -> Bool {
        var result = CURLE_OK
        var isAny = false
        while let handle = halftone_curl_next_done(multi, &result) {
            isAny = true
            guard let context = halftone_curl_context(handle) else { continue }
            let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            transfers[exchange.number].map { finish($0, exchange, result) }
        }
        return isAny
    }

    private func finish(_ transfer: Transfer, _ exchange: Exchange, _ code: CURLcode) {
        let host = transfer.address.host
        let timings = exchange.timings
        transfer.timings += timings
        let ending = CurlEnding(code, of: exchange, host: host)
        release(exchange)
        transfer.stage = .judged
        if exchange.reachedPrivate {
            privateHosts.insert(host)
        }
        transfer.span?.end(
            "\(exchange.status) \(exchange.body.count) bytes, curl \(code.rawValue)",
            figures: timings.figures)
        transfer.span = nil
        if exchange.mustRestart || (code == CURLE_OK && !exchange.isWhole) {
            transfer.wantsWhole = true
            return enqueue(transfer)
        }
        guard code == CURLE_OK || exchange.isCut else {
            return breakOff(transfer, exchange, failure(of: exchange, ending))
        }
        judge(transfer, exchange)
    }

    /// Tries again what ran out of time, and what can go on where it broke off; else tells why it ended.
    private func breakOff(_ transfer: Transfer, _ exchange: Exchange, _ failure: FetchError) {
        let isKept = keepPart(of: exchange, for: transfer)
        let mayTryAgain = if case .timedOut = failure { true } else { isKept }
        guard mayTryAgain, pause(transfer, retryAfter: nil) else {
            return end(transfer, .failure(failure))
        }
    }

    /// Keeps what has come of a body; false if another try could not go on with it.
    @discardableResult
    private func keepPart(of exchange: Exchange, for transfer: Transfer) -> Bool {
        guard let partial = exchange.unfinished else { return false }
        partials.keep(partial, for: transfer.partialKey)
        return true
    }

    /// Decides what an answer that arrived in full means.
    private func judge(_ transfer: Transfer, _ exchange: Exchange) {
        let status = exchange.status
        switch status {
        case _ where isAnswer(status, to: transfer.order):
            let answer = TransferAnswer(
                // A part that completes the whole is the whole.
                address: transfer.address, status: status == 206 ? 200 : status,
                headers: exchange.headers,
                body: exchange.body, timings: transfer.timingsNow)
            end(transfer, .success(answer))
        case 301, 302, 303, 307, 308:
            redirect(transfer, to: exchange.header("location"))
        default:
            keepPart(of: exchange, for: transfer)
            let retryAfter = exchange.header("retry-after")
            if let seconds = retries.closing(
                status: status, retryAfter: retryAfter, now: currentSeconds())
            {
                close(exchange.origin, seconds: seconds)
            }
            guard RetryPolicy.isTransient(status: status),
                pause(transfer, retryAfter: retryAfter)
            else { return end(transfer, .failure(.status(status))) }
        }
    }

    private func isAnswer(_ status: Int, to order: TransferOrder) -> Bool {
        (200...299).contains(status) || (status == 304 && !order.conditions.isEmpty)
    }

    private func redirect(_ transfer: Transfer, to location: String?) {
        guard transfer.redirectCount < Self.mostRedirects else {
            return end(transfer, .failure(.tooManyRedirects))
        }
        guard let target = location.flatMap({ transfer.address.resolving($0) }) else {
            return end(transfer, .failure(.other("the server redirects to nowhere")))
        }
        guard !target.isFile else {
            return end(transfer, .failure(.privateAddress("a file of this machine")))
        }
        // A server on this machine may send us to its neighbour, one out there may not.
        transfer.isGuarded = transfer.isGuarded || isPublic(transfer.address)
        transfer.redirectCount += 1
        transfer.address = target
        enqueue(transfer)
    }

    /// Puts the next try off; false if there is none left.
    private func pause(_ transfer: Transfer, retryAfter: String?) -> Bool {
        let pause = retries.pause(
            afterTries: transfer.retryCount + 1, retryAfter: retryAfter, now: currentSeconds())
        guard let pause, !transfer.isLeft else { return false }
        transfer.retryCount += 1
        transfer.stage = .pausing(until: SteadyClock.nanoseconds() + UInt64(pause * 1_000_000_000))
        pausing.insert(transfer.number)
        return true
    }

    /// Takes a transfer out of every table it is in and tells its asker.
    func end(
        _ transfer: Transfer, _ result: Result<TransferAnswer, FetchError>
    ) {
        switch transfer.stage {
        case .waiting: lanes[transfer.address.origin]?.remove(transfer.place)
        case .running(let exchange):
            keepPart(of: exchange, for: transfer)
            release(exchange)
        case .judged: break
        case .pausing: pausing.remove(transfer.number)
        }
        transfer.span?.end("cancelled")
        transfers[transfer.number] = nil
        if case .success = result, transfer.order.purpose == .picture {
            arrivals.finish(transfer.order.address)
        }
        transfer.completion(result)
    }

    /// Gives the handle and the slot back; never called from inside a callback of libcurl.
    private func release(_ exchange: Exchange) {
        curl_multi_remove_handle(multi, exchange.handle)
        giveBack(exchange.handle)
        runningCount -= 1
        lanes[exchange.origin]?.runningCount -= 1
        if let lane = lanes[exchange.origin], lane.isEmpty, lane.runningCount == 0 {
            lanes[exchange.origin] = nil
        }
        orders.setInFlightCount(runningCount)
        tracer.count("transfers", runningCount)
    }

    private func failure(of exchange: Exchange, _ ending: CurlEnding) -> FetchError {
        if let failure = exchange.failure { return failure }
        if exchange.refusedAddress { return .privateAddress(ending.host) }
        return FetchError(
            ending, timeout: max(1, options.timeout), limit: exchange.limit)
    }
}
