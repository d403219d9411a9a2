import Basics
import CCurl
import Pipeline
import Trace

/// Evaluates the results of transfers.
extension TransferLoop {
    /// The maximum number of consecutive redirects; browsers stop at 20, and galleries that need more than three are beyond help.
    private static let maxRedirects = 10

    /// Evaluates an exchange that libcurl has finished.
    func finish(_ exchange: Exchange, _ code: CURLcode) {
        let transfer = exchange.transfer
        let timings = exchange.timings
        transfer.timings += timings
        let failure = FetchError(code, of: exchange)
        if code == CURLE_OK, transfer.address.isOnFileServer { exchange.noteFileFacts() }
        if let rate = exchange.options.pace.rate {
            let seconds = Double(exchange.body.count) / Double(rate)
            withHost(transfer.address) { $0.throttle(for: seconds, since: transfer.startedAt) }
        }
        release(exchange)
        transfer.state = .idle
        if exchange.status > 0, exchange.proxy == nil {
            peers.note(transfer.address, isPrivate: exchange.isFromPrivate)
        }
        transfer.span?.end(
            "\(exchange.status) \(exchange.body.count) bytes, curl \(code.rawValue)",
            figures: timings.figures)
        transfer.span = nil
        if exchange.isRefused(code) {
            transfer.wantsWhole = true
            enqueue(transfer)
        } else if code == CURLE_BAD_CONTENT_ENCODING, !exchange.headers.isCoded, !transfer.isUncoded
        {
            transfer.isUncoded = true
            enqueue(transfer)
        } else if exchange.mayLackSlash(code) {
            let address = transfer.address
            transfer.address = Address(normal: address.text + "/", pathStart: address.pathStart)
            enqueue(transfer)
        } else if code == CURLE_OK || exchange.isCut {
            evaluate(exchange)
        } else {
            // Tried again after a loss, or if it can be resumed.
            let isKept = keepPart(of: exchange)
            guard isKept || Self.losses.contains(code), pause(transfer, asked: nil) else {
                return fail(transfer, failure)
            }
        }
    }

    /// How connections are lost that may hold the next time.
    private static let losses = [
        CURLE_OPERATION_TIMEDOUT, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR,
        CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM,
    ]

    /// Stores the part of a body received so far; false if another try could not resume it.
    @discardableResult
    private func keepPart(of exchange: Exchange) -> Bool {
        guard let partial = exchange.unfinished else { return false }
        partials.keep(partial, for: exchange.transfer.partialKey)
        return true
    }

    private func evaluate(_ exchange: Exchange) {
        let transfer = exchange.transfer
        let status = exchange.status
        let isConfirmation = status == 304 && !transfer.task.conditions.isEmpty
        switch status {
        case _ where isConfirmation || (200...299).contains(status),
            _ where exchange.isAnswer && !exchange.body.isEmpty:
            let answer = TransferAnswer(
                // If it is no part that was asked for, a 206 has been joined to the whole body by now.
                address: transfer.address,
                status: exchange.headers.isPart ? 206 : status == 206 ? 200 : status,
                headers: exchange.headers, body: exchange.body,
                isFromPrivate: exchange.isFromPrivate,
                wasRedirectedTemporarily: transfer.wasRedirectedTemporarily,
                timings: transfer.timingsNow)
            if answer.status == 206 { keepPart(of: exchange) }
            end(transfer, .success(answer))
        case 301, 302, 303, 307, 308:
            transfer.wasRedirectedTemporarily =
                transfer.wasRedirectedTemporarily || (status != 301 && status != 308)
            redirect(transfer, to: exchange.headers["location"])
        default:
            keepPart(of: exchange)
            let retries = settings.retries
            let asked = retries.seconds(
                ofRetryAfter: exchange.headers["retry-after"], now: currentSeconds())
            let failure = retries.failure(status: status, asked: asked)
            if let asked, status == 429 || status == 503 {
                let now = SteadyClock.now
                let isLong = asked > retries.maxPause
                withHost(transfer.address) {
                    $0.close(until: now + asked, for: isLong ? failure : nil)
                }
                options.traffic.withLock(\.report)(
                    "\(transfer.address.host) asks to wait \(Int(asked.rounded(.up))) s")
                if isLong { return endWaiting(for: transfer.address.origin, failure) }
            }
            guard RetryPolicy.isTransient(status: status), pause(transfer, asked: asked) else {
                return fail(transfer, failure)
            }
        }
    }

    private func endWaiting(for origin: String, _ failure: FetchError) {
        for transfer in transfers.values where transfer.address.origin == origin {
            if case .running = transfer.state { continue }
            fail(transfer, failure)
        }
    }

    private func redirect(_ transfer: Transfer, to location: String?) {
        guard transfer.redirectCount < Self.maxRedirects else {
            return fail(transfer, .tooManyRedirects)
        }
        guard let location, !location.isEmpty, let target = transfer.address.resolving(location)
        else {
            return fail(transfer, .other("the server redirects to nowhere"))
        }
        guard !target.isFile else {
            return fail(transfer, .other("only the user may name files of this machine"))
        }
        // A server on this machine may redirect to its neighbours, a public one may not.
        transfer.isGuarded = transfer.isGuarded || settings.isPublic(transfer.address)
        transfer.redirectCount += 1
        transfer.address = target
        enqueue(transfer)
    }

    /// Schedules the next try; false if there is none left.
    private func pause(_ transfer: Transfer, asked: Double?) -> Bool {
        let retries = options.at(transfer.address.host).retries
        guard transfer.retryCount < retries, !transfer.isAbandoned,
            let pause = settings.retries.pause(afterTries: transfer.retryCount + 1, asked: asked)
        else { return false }
        transfer.retryCount += 1
        pausing[transfer.number] = SteadyClock.now + pause
        return true
    }

    /// Ends a transfer without an answer.
    func fail(_ transfer: Transfer, _ failure: FetchError) { end(transfer, .failure(failure)) }

    /// Removes a transfer from all tables and delivers its result.
    func end(_ transfer: Transfer, _ result: Result<TransferAnswer, FetchError>) {
        switch transfer.state {
        case .waiting(let entry): hosts[transfer.address.origin]?.remove(entry)
        case .running(let exchange):
            keepPart(of: exchange)
            release(exchange)
        case .idle: pausing[transfer.number] = nil
        }
        transfer.span?.end("cancelled")
        transfers[transfer.number] = nil
        let request = transfer.request
        if case .success = result, request.purpose == .picture {
            settings.observers.finish(request.address)
        }
        transfer.task.completion(result)
    }

    /// Ends a transfer, or lets it continue into the cache.
    ///
    /// Ending it closes its connection if that is HTTP/1.1: the next request must reconnect, and the bytes received are wasted. If less is
    /// missing than has been received, and will arrive soon, that costs more than the rest.
    func cancel(_ transfer: Transfer) {
        guard case .running(let exchange) = transfer.state else {
            return fail(transfer, .cancelled)
        }
        let remainder = exchange.remainder(seconds: SteadyClock.now - transfer.startedAt)
        let isKept = remainder?.isWorthFinishing == true
        let text = remainder.map {
            "\($0.received) of \($0.received + $0.missing) bytes in \(Int($0.seconds * 1000)) ms"
        }
        tracer.mark(
            isKept ? "kept" : "dropped",
            detail: "\(text ?? "nothing yet"): \(transfer.address.text)")
        guard isKept else { return fail(transfer, .cancelled) }
        transfer.isAbandoned = true
        transfer.priority = .idle
    }
}

/// The missing part of a body being received.
struct Remainder {
    /// The numbers of bytes received and still missing.
    var received: Int
    var missing: Int
    /// The time since the request in seconds.
    var seconds: Double

    /// The bytes that servers send before the first acknowledgement arrives: they are on their way in any case (ten segments, RFC 6928).
    private static let onItsWay = 14_600
    /// How long, in seconds, a cancelled transfer may hold its connection, which other requests are waiting for.
    private static let longest = 0.5

    /// Whether finishing the body costs less than it is worth.
    var isWorthFinishing: Bool {
        guard received > 0 else { return false }
        // Counts the latency as transfer time, so this overestimates the remaining time.
        let rest = seconds * Double(missing) / Double(received)
        return missing <= Self.onItsWay || (missing <= received && rest <= Self.longest)
    }
}

extension Exchange {
    /// Returns the missing part; nil if the total length is unknown or nothing has arrived.
    fileprivate func remainder(seconds: Double) -> Remainder? {
        guard status == 200 || status == 206, !body.isEmpty, let total, total >= body.count
        else { return nil }
        return Remainder(received: body.count, missing: total - body.count, seconds: seconds)
    }
}
