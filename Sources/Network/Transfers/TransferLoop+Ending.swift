import Basics
import CCurl
import Pipeline
import Trace

/// What comes of a transfer, and which hosts may be reached on whose behalf.
extension TransferLoop {
    /// Redirects followed in a row; browsers stop at 20, galleries that need more than three are lost.
    private static let mostRedirects = 10

    /// Evaluates an exchange that libcurl has finished.
    func finish(_ transfer: Transfer, _ exchange: Exchange, _ code: CURLcode) {
        let timings = exchange.timings
        transfer.timings += timings
        let failure = FetchError(code, of: exchange)
        release(exchange)
        transfer.state = .idle
        if exchange.status > 0, exchange.proxy == nil {
            peers.note(transfer.address, isPrivate: exchange.isFromPrivate)
        }
        transfer.span?.end(
            "\(exchange.status) \(exchange.body.count) bytes, curl \(code.rawValue)",
            figures: timings.figures)
        transfer.span = nil
        if exchange.mustRestart || (code == CURLE_OK && !exchange.isWhole) {
            transfer.wantsWhole = true
            enqueue(transfer)
        } else if code == CURLE_OK || exchange.isCut {
            evaluate(transfer, exchange)
        } else {
            breakOff(transfer, exchange, failure)
        }
    }

    /// Tries again what ran out of time, and what can go on where it broke off.
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

    private func evaluate(_ transfer: Transfer, _ exchange: Exchange) {
        let status = exchange.status
        let isConfirmation = status == 304 && !transfer.order.conditions.isEmpty
        switch status {
        case _ where isConfirmation || (200...299).contains(status):
            let answer = TransferAnswer(
                // A part that completes the whole is the whole.
                address: transfer.address, status: status == 206 ? 200 : status,
                headers: exchange.headers, body: exchange.body,
                isFromPrivate: exchange.isFromPrivate, timings: transfer.timingsNow)
            end(transfer, .success(answer))
        case 301, 302, 303, 307, 308: redirect(transfer, to: exchange.headers.value(of: "location"))
        default:
            keepPart(of: exchange, for: transfer)
            let retryAfter = exchange.headers.value(of: "retry-after")
            let retries = settings.retries
            let time = currentSeconds()
            if let seconds = retries.closing(status: status, retryAfter: retryAfter, now: time) {
                let now = SteadyClock.now
                withHost(transfer.address.origin) { $0.close(until: now + seconds) }
            }
            guard RetryPolicy.isTransient(status: status),
                pause(transfer, retryAfter: retryAfter)
            else {
                let failure = retries.failure(status: status, retryAfter: retryAfter, now: time)
                return end(transfer, .failure(failure))
            }
        }
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
        // A server on this machine may send us to its neighbour, a public one may not.
        transfer.isGuarded = transfer.isGuarded || isPublic(transfer.address)
        transfer.redirectCount += 1
        transfer.address = target
        enqueue(transfer)
    }

    /// Puts the next try off; false if there is none left.
    private func pause(_ transfer: Transfer, retryAfter: String?) -> Bool {
        let pause = settings.retries.pause(
            afterTries: transfer.retryCount + 1, retryAfter: retryAfter, now: currentSeconds())
        guard let pause, !transfer.isAbandoned else { return false }
        transfer.retryCount += 1
        transfer.state = .pausing(until: SteadyClock.now + pause)
        pausing.insert(transfer.number)
        return true
    }

    /// Takes a transfer out of every table it is in and hands its result over.
    func end(_ transfer: Transfer, _ result: Result<TransferAnswer, FetchError>) {
        switch transfer.state {
        case .waiting(let entry): hosts[transfer.address.origin]?.remove(entry)
        case .running(let exchange):
            keepPart(of: exchange, for: transfer)
            release(exchange)
        case .idle: break
        case .pausing: pausing.remove(transfer.number)
        }
        transfer.span?.end("cancelled")
        transfers[transfer.number] = nil
        let request = transfer.order.request
        if case .success = result, request.purpose == .picture { observers.finish(request.address) }
        transfer.order.completion(result)
    }

    /// Ends a transfer, or lets it finish on its own, into the cache.
    ///
    /// Ending it closes its connection, if that is HTTP/1.1: the next request has to connect anew, and what came was for nothing. Where
    /// less is missing than has come, and soon, that costs more than the rest.
    func cancel(_ transfer: Transfer) {
        guard case .running(let exchange) = transfer.state else {
            return end(transfer, .failure(.cancelled))
        }
        let remainder = exchange.remainder(seconds: SteadyClock.now - transfer.startedAt)
        let isKept = remainder?.isWorthFinishing == true
        let text = remainder.map {
            "\($0.received) of \($0.received + $0.missing) bytes in \(Int($0.seconds * 1000)) ms"
        }
        tracer.mark(
            isKept ? "kept" : "dropped",
            detail: "\(text ?? "nothing yet"): \(transfer.address.text)")
        guard isKept else { return end(transfer, .failure(.cancelled)) }
        transfer.isAbandoned = true
        transfer.priority = .idle
    }

    /// Whether a page at that address is public, as far as we know.
    func isPublic(_ address: Address) -> Bool { !address.isFile && !isPrivateHost(address) }

    /// Whether private addresses are out of bounds for a transfer where it stands now.
    ///
    /// A SOURCE may be reached at the private address that it had when it was opened, at its own port.
    func isForbiddenPrivate(_ transfer: Transfer) -> Bool {
        let address = transfer.address
        return transfer.isGuarded && !options.allowsPrivate
            && !(options.sourceOrigins.contains(address.origin) && isPrivateHost(address))
    }

    /// Behind a proxy a name is judged by its form alone: the socket leads to the proxy, whatever address that has.
    func isPrivateHost(_ address: Address) -> Bool {
        let host = address.host
        return isPrivateName(host) || peers.isPrivate(address)
            || (options.proxies.proxy(for: address) != nil && isLocalName(host))
    }
}

/// What is missing of a body that is on its way.
struct Remainder {
    /// Bytes that are there, and bytes that are not.
    var received: Int
    var missing: Int
    /// Since it was asked for.
    var seconds: Double

    /// As much as servers send before they hear of the first byte's arrival, in bytes: on its way already, whatever is
    /// done (ten segments, RFC 6928).
    private static let onItsWay = 14_600
    /// For a cancelled transfer, no connection is kept for longer than this, in seconds: other requests wait for it.
    private static let longest = 0.5

    /// Whether finishing costs less than it gives.
    var isWorthFinishing: Bool {
        guard received > 0 else { return false }
        // The latency counts as if it were transfer: the rest comes sooner than this.
        let rest = seconds * Double(missing) / Double(received)
        return missing <= Self.onItsWay || (missing <= received && rest <= Self.longest)
    }
}

extension Exchange {
    /// Nil where it is not known how much there will be, or nothing has come.
    fileprivate func remainder(seconds: Double) -> Remainder? {
        guard status == 200 || status == 206, !body.isEmpty, let total, total >= body.count
        else { return nil }
        return Remainder(received: body.count, missing: total - body.count, seconds: seconds)
    }
}
