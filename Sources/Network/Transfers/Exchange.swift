import Basics
import CCurl

/// One request to one server and its response, filled in by libcurl's callbacks.
///
/// Confined to the transfer thread. The loop keeps it alive until its handle is removed from the multi handle, as libcurl holds only a
/// pointer.
final class Exchange {
    /// Maximum number of bytes read of a header, and with it of an error page, so that its connection can be reused.
    private static let maxErrorBody = 64 << 10
    /// Maximum number of bytes reserved for a length that the server merely declares.
    private static let maxReserve = 8 << 20

    /// How far a response is from being a whole body.
    enum Progress {
        /// The server sends the whole, if anything.
        case whole
        /// The rest of this part was asked for; the server has neither accepted nor refused.
        case resuming(PartialBody)
        /// The server sends the rest; the body begins with the part.
        case joined
        /// The server sends the part of the request.
        case part(ContentRange)
        /// The server refused to resume, or did so incorrectly: the whole body must be requested again.
        case refused
        /// A callback stopped the transfer.
        case failed(FetchError)
    }

    let handle: UnsafeMutableRawPointer
    /// Unowned, because the transfer's state keeps this exchange alive.
    unowned let transfer: Transfer
    let settings: Transfers.Settings
    /// Those for this request.
    let options: NetworkOptions
    fileprivate(set) var addresses: AddressGuard
    let proxy: String?

    /// The status code, for file servers what HTTP's would be; zero before there is one.
    var status = 0
    /// The fields of the last header (there may be several: 100, 103), with names in lower case.
    var headers: HeaderFields = []
    private(set) var body: [UInt8] = []
    /// The length of the body, if the server has stated it.
    private(set) var total: Int?
    var progress: Progress
    /// Whether the response comes from a private address; false behind a proxy, where that is unknown.
    private(set) var isFromPrivate = false
    /// What was wrong with the server's key.
    var keyFault: curl_khmatch?
    /// The number of bytes besides the body so far: of the header and of an error page.
    private var otherCount = 0
    /// Whether the header is complete: fields that follow the body could change what it means (RFC 9110, section 6.5.1).
    private var isInBody = false
    /// When something was last received, in seconds of `SteadyClock`.
    private(set) var arrivedAt = SteadyClock.now
    /// Whether the request has cookies that the user, or who named the picture, has chosen.
    private(set) var hasOwnCookies = false
    /// The number of the body's bytes since the rate was last checked, and when that was.
    private var sinceRateCheck: (bytes: Int, start: Double)?
    /// The request's header fields, which libcurl does not copy.
    private var requestHeaders: UnsafeMutablePointer<curl_slist>?

    init(
        handle: UnsafeMutableRawPointer, transfer: Transfer, settings: Transfers.Settings,
        isGuarded: Bool, partial: PartialBody?
    ) {
        self.handle = handle
        self.transfer = transfer
        self.settings = settings
        options = settings.options.at(transfer.address.host, for: transfer.request)
        proxy = settings.options.proxies.proxy(for: transfer.address)
        // A proxy's own address is irrelevant to the server behind it.
        addresses = AddressGuard(
            isGuarded: isGuarded && proxy == nil, isPrivate: settings.isPrivate)
        progress = partial.map { .resuming($0) } ?? .whole
        if transfer.address.isOnFileServer { status = 200 }
    }

    deinit { curl_slist_free_all(requestHeaders) }

    /// The address that is asked for.
    var address: Address { transfer.address }

    /// The part that is asked for; nil for the whole, which is all that FTP has.
    var part: Part? {
        transfer.wantsWhole || address.scheme.hasPrefix("ftp")
            ? nil : transfer.request.part
    }

    /// Returns the exchange that libcurl has been given as the context of callbacks.
    static func of(_ context: UnsafeMutableRawPointer?) -> Exchange? {
        context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The maximum length of the body in bytes, after decompression.
    var limit: Int { options.maxBytes }

    /// Receives one line of the header; false stops the transfer.
    fileprivate func receiveHead(_ line: UnsafeRawBufferPointer) -> Bool {
        otherCount += line.count
        guard otherCount <= Self.maxErrorBody else {
            return fail(.other("the server sent too long a header"))
        }
        // A file server's words to the user.
        guard address.isOnWeb else { return true }
        if line.starts(with: "HTTP/".utf8) {
            headers = []
            isInBody = false
            // Up to the reason, or the end of the line: many servers leave out the blank before no reason.
            status =
                line.split(maxSplits: 2) { $0 <= 0x20 }.dropFirst().first
                .flatMap { Int(bounded: String(utf8: $0)) } ?? 0
            return admitsPeer()
        }
        if let field = headerField(line) {
            if !isInBody { headers.append(field) }
        } else if status >= 200, line.allSatisfy({ $0 == 13 || $0 == 10 }) {
            return beginBody()
        }
        return true
    }

    /// Whether a response may come from this peer; checked here because a reused connection opens no new socket.
    private func admitsPeer() -> Bool {
        guard proxy == nil else { return true }
        let peer = peerAddress(of: handle)
        isFromPrivate = peer.map(addresses.isPrivate) ?? true
        return addresses.admits(peer)
    }

    /// Decides, after the header, whether the body to come is the whole, the rest of the partial one, or unexpected.
    private func beginBody() -> Bool {
        isInBody = true
        total =
            headers.isEncoded
            ? nil : headers["content-length"].flatMap { Int(bounded: $0) }
        if status == 206 { return beginPart() }
        headers.removeAll { $0.name == "content-range" }
        if status == 416, part != nil { progress = .refused }
        // A status that may be another the next time, or after logging in, is not about the part.
        if partial != nil, status != 401, !RetryPolicy.isTransient(status: status) {
            progress = status == 416 ? .refused : .whole
        }
        return true
    }

    private func beginPart() -> Bool {
        guard let known = partial else {
            let range = headers.contentRange
            // Some servers respond with the whole body as a part; others take the part's length for the total.
            if let range, range.first == 0, range.last == range.total - 1,
                range.total < part?.count ?? .max
            {
                headers.removeAll { $0.name == "content-range" }
                return true
            }
            guard let part else {
                return fail(.other("the server sent a part that was not asked for"))
            }
            guard let range, part.isAnswered(by: range), !headers.isEncoded else {
                progress = .refused
                return false
            }
            total = range.last - range.first + 1
            progress = .part(range)
            return true
        }
        guard let range = known.rest(in: headers) else {
            progress = .refused
            return false
        }
        guard range.total <= limit else { return fail(.tooLarge(limit: limit)) }
        // As of the complete response (RFC 9111, section 3.4); these fields describe the rest, not the whole.
        headers = known.headers.updated(
            by: headers,
            except: ["content-length", "content-range", "content-type", "transfer-encoding"],
            removing: ["content-range"])
        body = known.body
        total = range.total
        progress = .joined
        return true
    }

    /// Receives a piece of the body; false stops the transfer.
    fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        arrivedAt = SteadyClock.now
        if isCheckOfFile { return true }
        if body.isEmpty, address.isOnFileServer { total = lengthOfFile }
        guard isAnswer else {
            otherCount += bytes.count
            return !isCut
        }
        guard body.count + bytes.count <= limit else {
            body = []
            return fail(.tooLarge(limit: limit))
        }
        if body.isEmpty, let total, total > 0 {
            body.reserveCapacity(min(total, limit, Self.maxReserve))
        }
        body.append(contentsOf: bytes)
        reportArrival()
        return isFastEnough(receiving: bytes.count)
    }

    /// Whether the body arrives at the least rate; one that trickles in would hold its slot for hours without ever pausing.
    private func isFastEnough(receiving count: Int) -> Bool {
        let now = SteadyClock.now
        var (bytes, start) = sinceRateCheck ?? (0, now)
        bytes += count
        sinceRateCheck = (bytes, start)
        guard options.pace.rate == nil, now - start >= settings.rateSeconds else { return true }
        sinceRateCheck = (0, now)
        return Double(bytes) >= Double(options.minRate) * (now - start)
            || fail(.other("the server sends less than \(options.minRate) bytes a second"))
    }

    /// Stops the transfer, if returned from a callback.
    private func fail(_ failure: FetchError) -> Bool {
        progress = .failed(failure)
        return false
    }

    /// Notifies the observers of the bytes received so far, if a report is due.
    func reportArrival() {
        let request = transfer.request
        guard !body.isEmpty, request.purpose == .picture else { return }
        settings.observers.report(body, total: total, of: request.address)
    }

    /// The part whose rest was asked for, until the server has accepted or refused.
    var partial: PartialBody? { if case .resuming(let partial) = progress { partial } else { nil } }

    /// The error with which a callback stopped the transfer.
    var failure: FetchError? { if case .failed(let failure) = progress { failure } else { nil } }

    /// Whether an error page was cut off deliberately.
    var isCut: Bool { failure == nil && otherCount > Self.maxErrorBody }

    /// Whether the body is what was asked for: also that of a redirect to nowhere, as in browsers.
    var isAnswer: Bool {
        (200...300).contains(status)
            || [301, 302, 303, 307, 308].contains(status)
                && headers["location"]?.isEmpty != false
    }

    /// Whether the whole body must be requested again; libcurl knows the length of those that were not joined.
    func isRefused(_ code: CURLcode) -> Bool {
        switch progress {
        case .refused: true
        case .joined, .part: code == CURLE_OK && body.count != total
        default: code == CURLE_BAD_DOWNLOAD_RESUME
        }
    }

    /// The received part of a body whose transfer failed, for the next try to resume.
    var unfinished: PartialBody? {
        switch progress {
        case .resuming(let partial): partial
        case .whole where status == 200, .joined:
            PartialBody(headers: headers, body: body, total: total)
        case .part(let range) where range.first == 0:
            PartialBody(headers: headers, body: body, total: range.total)
        default: nil
        }
    }

    func setHeaders(_ fields: HeaderFields) {
        for field in fields {
            // A field without a value needs a semicolon; with a colon, libcurl would not send it.
            let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            requestHeaders = curl_slist_append(requestHeaders, line) ?? requestHeaders
            hasOwnCookies = hasOwnCookies || field.name.lowercased() == "cookie"
        }
        halftone_curl_set_list(handle, CURLOPT_HTTPHEADER, requestHeaders)
    }

    func installCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_OPENSOCKETDATA,
        ] {
            halftone_curl_set_pointer(handle, option, context)
        }
        halftone_curl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            receive(bytes, size * count, context) { $0.receiveHead($1) }
        }
        halftone_curl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            receive(bytes, size * count, context) { $0.receiveBody($1) }
        }
        halftone_curl_set_open_socket(handle, CURLOPT_OPENSOCKETFUNCTION) { context, _, address in
            address.flatMap { Exchange.of(context)?.addresses.openSocket($0) } ?? -1
        }
    }
}

/// Returns libcurl's expected result: the number of bytes if all were accepted, or another number to stop the transfer.
private func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ take: (Exchange, UnsafeRawBufferPointer) -> Bool
) -> Int {
    guard let exchange = Exchange.of(context) else { return 0 }
    let isWanted = take(exchange, UnsafeRawBufferPointer(start: bytes, count: count))
    // Refusing an empty piece must not return its own length, 0.
    return isWanted ? count : count == 0 ? 1 : 0
}
