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
        release(exchange)
        transfer.stage = .judged
        if exchange.reachedPrivate {
            privateHosts.insert(host)
        }
        transfer.span?.end("\(exchange.status) \(exchange.body.count) bytes, curl \(code.rawValue)")
        transfer.span = nil
        guard code == CURLE_OK || exchange.isCut else {
            let failure = failure(of: exchange, code, host: host)
            guard case .timedOut = failure, pause(transfer, retryAfter: nil) else {
                return end(transfer, .failure(failure))
            }
            return
        }
        judge(transfer, exchange)
    }

    /// Decides what an answer that arrived in full means.
    private func judge(_ transfer: Transfer, _ exchange: Exchange) {
        let status = exchange.status
        switch status {
        case _ where isAnswer(status, to: transfer.order):
            let answer = TransferAnswer(
                address: transfer.address, status: status, headers: exchange.headers,
                body: exchange.body)
            end(transfer, .success(answer))
        case 301, 302, 303, 307, 308:
            redirect(transfer, to: exchange.header("location"))
        default:
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
        transfer.stage = .pausing(until: monotonicNanoseconds() + UInt64(pause * 1_000_000_000))
        pausing.insert(transfer.number)
        return true
    }

    /// Takes a transfer out of every table it is in and tells its asker.
    func end(
        _ transfer: Transfer, _ result: Result<TransferAnswer, FetchError>
    ) {
        switch transfer.stage {
        case .waiting: lanes[transfer.address.origin]?.remove(transfer.place)
        case .running(let exchange): release(exchange)
        case .judged: break
        case .pausing: pausing.remove(transfer.number)
        }
        transfer.span?.end("cancelled")
        transfers[transfer.number] = nil
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

    private func failure(of exchange: Exchange, _ code: CURLcode, host: String) -> FetchError {
        if let failure = exchange.failure { return failure }
        if exchange.refusedAddress { return .privateAddress(host) }
        return FetchError(
            code, host: host, timeout: max(1, options.timeout), limit: exchange.limit)
    }
}
