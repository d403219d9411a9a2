import Basics
import CCurl
import Glibc

/// One request to one server and its answer; libcurl's callbacks write into it.
///
/// Confined to the transfer thread. The loop keeps it alive until its handle has been taken out of the multi handle: libcurl holds only a
/// pointer.
final class Exchange {
    /// A server that sends more header fields than this is not serving pictures; libcurl has bounds of its own for each line.
    private static let mostHeaders = 512
    /// The text of an error page is read so that the connection can be used again, but not more than this, in bytes.
    private static let longestErrorBody = 64 << 10
    /// A length that the server only claims is not reserved beyond this, in bytes.
    private static let largestReserve = 8 << 20

    let handle: UnsafeMutableRawPointer
    /// Its state keeps this alive.
    unowned let transfer: Transfer
    let options: NetworkOptions
    private var addresses: AddressGuard
    let proxy: String?
    private let observers: BodyObservers?

    /// Zero before there is one.
    private(set) var status = 0
    /// Those of the last head (there may be several: 100, 103), names in lower case.
    private(set) var headers: HeaderFields = []
    private(set) var body: [UInt8] = []
    /// The length of the body, as far as the server has told.
    private(set) var total: Int?
    /// What this goes on with, until the server has agreed or refused.
    private(set) var partial: PartialBody?
    /// Whether the body began with a part from an earlier try.
    private var isJoined = false
    /// Whether the server refused to go on, or did so wrongly: everything has to be asked for again.
    private(set) var mustRestart = false
    /// Why a callback stopped the transfer.
    private(set) var failure: FetchError?
    /// Whether an error page was cut off on purpose.
    private(set) var isCut = false
    /// Whether the answer comes from a private address; false behind a proxy, where that cannot be told.
    private(set) var isFromPrivate = false
    private var discardedCount = 0
    /// The request's header fields, which libcurl does not copy.
    private var requestHeaders: UnsafeMutablePointer<curl_slist>?

    init(
        handle: UnsafeMutableRawPointer, transfer: Transfer, options: NetworkOptions,
        addresses: AddressGuard, partial: PartialBody?, observers: BodyObservers?
    ) {
        self.handle = handle
        self.transfer = transfer
        self.options = options
        self.addresses = addresses
        proxy = options.proxies.proxy(for: transfer.address)
        self.partial = partial
        self.observers = observers
    }

    deinit { curl_slist_free_all(requestHeaders) }

    /// Whether a private address was refused a connection.
    var refusedAddress: Bool { addresses.hasRefused }

    /// Bytes allowed for the body, after decompression.
    var limit: Int { options.maxBytes }

    /// Takes one line of the head; false stops the transfer.
    fileprivate func receiveHead(_ line: UnsafeRawBufferPointer) -> Bool {
        if line.starts(with: "HTTP/".utf8) {
            headers = []
            let status = line.split(separator: UInt8(ascii: " "), maxSplits: 2).dropFirst().first
            self.status = status.flatMap { Int(bounded: String(decoding: $0, as: UTF8.self)) } ?? 0
            return admitsPeer()
        }
        guard headers.count < Self.mostHeaders else {
            failure = .other("the server sent too many header fields")
            return false
        }
        if let field = headerField(line) {
            headers.append(field)
        } else if status >= 200, line.allSatisfy({ $0 == 13 || $0 == 10 }) {
            return beginBody()
        }
        return true
    }

    /// Whether the answer may come from where it does: a connection that was open needed no new socket.
    private func admitsPeer() -> Bool {
        guard proxy == nil else { return true }
        var text: UnsafeMutablePointer<CChar>?
        halftone_curl_get_text(handle, CURLINFO_PRIMARY_IP, &text)
        let peer = text.flatMap { addressBytes(String(cString: $0)) }
        isFromPrivate = peer.map(addresses.isPrivate) ?? true
        return addresses.admits(peer)
    }

    /// After the head: whether what follows is the whole, the rest of what there is, or nothing that was asked for.
    private func beginBody() -> Bool {
        total =
            headers.isEncoded
            ? nil : headers.value(of: "content-length").flatMap { Int(bounded: $0) }
        switch status {
        case 206: return beginPart()
        case 416:
            mustRestart = partial != nil
            partial = nil
        case 500...599, 408, 425, 429: break  // not about the part
        default: partial = nil
        }
        return true
    }

    private func beginPart() -> Bool {
        guard let known = partial else {
            // Some servers call the whole a part.
            let range = headers.value(of: "content-range").flatMap(ContentRange.init)
            if let range, range.first == 0, range.last == range.total - 1 { return true }
            failure = .other("the server sent a part that was not asked for")
            return false
        }
        partial = nil
        guard let range = known.rest(in: headers) else {
            mustRestart = true
            return false
        }
        guard range.total <= limit else {
            failure = .tooLarge(limit: limit)
            return false
        }
        headers = known.joinedHeaders(headers)
        body = known.body
        total = range.total
        isJoined = true
        return true
    }

    /// Takes a piece of the body; false stops the transfer.
    fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard (200...299).contains(status) else {
            discardedCount += bytes.count
            isCut = discardedCount > Self.longestErrorBody
            return !isCut
        }
        guard body.count + bytes.count <= limit else {
            failure = .tooLarge(limit: limit)
            body = []
            return false
        }
        if isJoined, let total, body.count + bytes.count > total {
            mustRestart = true
            return false
        }
        if body.isEmpty, let total, total > 0 {
            body.reserveCapacity(min(total, limit, Self.largestReserve))
        }
        body.append(contentsOf: bytes)
        reportArrival()
        return true
    }

    /// Tells the observers how much has come, if it is due.
    func reportArrival() {
        guard !body.isEmpty else { return }
        observers?.report(body, total: total, of: transfer.order.request.address)
    }

    /// Whether a body that was joined from parts has become whole; others are libcurl's to judge.
    var isWhole: Bool { !isJoined || body.count == total }

    /// What there is of a body that broke off, for another try to go on with.
    var unfinished: PartialBody? {
        guard failure == nil, !mustRestart else { return nil }
        if let partial { return partial }
        guard status == 200 || isJoined else { return nil }
        return PartialBody(headers: headers, body: body, total: total)
    }

    /// Makes the socket for an address that a name was resolved to, or refuses.
    fileprivate func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
        let target = address.pointee
        // A proxy's own address says nothing about the server behind it.
        let bytes = addressBytes(UnsafeRawPointer(address) + offset, family: target.family)
        guard proxy != nil || addresses.admits(bytes) else { return -1 }
        return socket(target.family, target.socktype | closeOnExec, target.protocol)
    }

    func setHeaders(_ fields: HeaderFields) {
        for field in fields {
            // A field without value needs a semicolon, or libcurl takes it for "do not send this".
            let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            requestHeaders = curl_slist_append(requestHeaders, line) ?? requestHeaders
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
            guard let context, let address else { return -1 }
            return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue().openSocket(address)
        }
    }
}

/// What libcurl has to be told: that all bytes were taken, or, by another number, that the transfer is to stop.
private func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ take: (Exchange, UnsafeRawBufferPointer) -> Bool
) -> Int {
    guard let context else { return 0 }
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    let isWanted = take(exchange, UnsafeRawBufferPointer(start: bytes, count: count))
    // An empty piece must not be answered with its own length when it is refused.
    return isWanted ? count : count == 0 ? 1 : 0
}

/// Programs that are started later (a browser, an opener) must not inherit connections.
private let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
