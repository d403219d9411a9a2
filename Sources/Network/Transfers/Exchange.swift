import CCurl

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One request to one server and its answer; libcurl's callbacks write into it.
///
/// Confined to the transfer thread. The loop keeps it alive until its handle has been taken out of the multi handle: libcurl holds only a pointer.
final class Exchange {
    /// A server that sends more header fields than this is not serving pictures; libcurl has bounds of its own for each line.
    private static let mostHeaders = 512
    /// The text of an error page is read so that the connection can be used again, but not more than this, in bytes.
    private static let longestErrorBody = 64 << 10
    /// A length that the server only claims is not reserved beyond this, in bytes.
    private static let largestReserve = 8 << 20

    /// libcurl's easy handle.
    let handle: UnsafeMutableRawPointer
    /// The number of its transfer.
    let number: Int
    /// The key of its lane.
    let origin: String
    /// Bytes allowed for the body, after decompression.
    let limit: Int
    /// Whether private addresses are out of bounds.
    let isGuarded: Bool
    /// The status code; zero before there is one.
    private(set) var status = 0
    /// Header fields of the last head (there may be several: 100, 103), names in lower case.
    private(set) var headers: [(name: String, value: String)] = []
    /// The body so far.
    private(set) var body: [UInt8] = []
    /// Why a callback stopped the transfer.
    private(set) var failure: FetchError?
    /// Whether an error page was cut off on purpose.
    private(set) var isCut = false
    /// A private address that was refused a socket.
    private(set) var refusedAddress = false
    /// Whether a socket to a private address was opened.
    private(set) var reachedPrivate = false
    /// The request header fields, which libcurl does not copy.
    var requestHeaders: UnsafeMutablePointer<curl_slist>?

    private var discarded = 0

    init(handle: UnsafeMutableRawPointer, transfer: Transfer, limit: Int, isGuarded: Bool) {
        self.handle = handle
        number = transfer.number
        origin = transfer.address.origin
        self.limit = limit
        self.isGuarded = isGuarded
    }

    deinit { curl_slist_free_all(requestHeaders) }

    /// The first value of a header field, named in lower case.
    func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    // MARK: libcurl's callbacks

    /// Takes over one line of the head.
    fileprivate func receiveHead(_ line: UnsafeRawBufferPointer) -> Bool {
        if line.starts(with: "HTTP/".utf8) {
            headers = []
            let status = line.split(separator: UInt8(ascii: " "), maxSplits: 2).dropFirst().first
            self.status = status.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
            return true
        }
        guard headers.count < Self.mostHeaders else {
            failure = .other("the server sent too many header fields")
            return false
        }
        if let field = headerField(line) {
            headers.append(field)
        }
        return true
    }

    /// Takes over a piece of the body, as long as it is allowed.
    fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard (200...299).contains(status) else {
            discarded += bytes.count
            isCut = discarded > Self.longestErrorBody
            return !isCut
        }
        guard body.count + bytes.count <= limit else {
            failure = .tooLarge(limit: limit)
            body = []
            return false
        }
        if body.isEmpty, let length = header("content-length").flatMap({ Int($0) }), length > 0 {
            body.reserveCapacity(min(length, limit, Self.largestReserve))
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// Makes the socket for an address that a name turned out to mean, or refuses.
    fileprivate func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
        let target = address.pointee
        if isPrivate(UnsafeRawPointer(address) + offset, family: target.family) {
            guard !isGuarded else {
                refusedAddress = true
                return -1
            }
            reachedPrivate = true
        }
        return socket(target.family, target.socktype | closeOnExec, target.protocol)
    }

    /// Connects the callbacks of this exchange's handle to it.
    func install() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        halftone_curl_set_pointer(handle, CURLOPT_PRIVATE, context)
        halftone_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        halftone_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        halftone_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
        halftone_curl_set_on_header(handle) { bytes, size, count, context in
            receive(bytes, size * count, context) { $0.receiveHead($1) }
        }
        halftone_curl_set_on_body(handle) { bytes, size, count, context in
            receive(bytes, size * count, context) { $0.receiveBody($1) }
        }
        halftone_curl_set_open_socket(handle) { context, _, address in
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

#if canImport(Glibc)
    /// Programs that are started later (a browser, an opener) must not inherit connections.
    private let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
#else
    private let closeOnExec: Int32 = 0
#endif
