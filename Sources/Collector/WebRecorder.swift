import Archives
import Basics
import Dispatch
import Gallery
import Glibc
public import Network
public import Pipeline

/// Keeps what arrives from the web in an archive, which opens as the gallery that was seen.
///
/// Each record is written when it arrives, so that whatever ends the program only cuts off the last. Neither requests nor cookies are kept.
public final class WebRecorder: Sendable {
    private let records: WebRecords
    private let queue = DispatchQueue(label: "halftone.record")
    private let known = Locked<Set<Address>>([])
    private let failure = Locked<SaveError?>(nil)

    /// Creates the archive, at a path where nothing is.
    public init(path: String) throws(SaveError) {
        records = WebRecords(descriptor: createFile(path, mode: 0o600))
        guard records.descriptor >= 0 else { throw SaveError(errno) }
    }

    deinit { close(records.descriptor) }

    /// Writes a response of the web, once, on a queue of its own, where `completion` runs; callable from any thread.
    public func record(
        _ response: Response, to request: Request, completion: @escaping Action
    ) {
        queue.asyncGuarded { [self] in
            defer { completion() }
            // Pages name pictures by the addresses before redirects.
            for address in Set([request.address, response.address])
            where address.isOnWeb && address.entry == nil
                && known.withLock({ $0.insert(address).inserted })
            {
                do throws(ArchiveError) {
                    guard failure.current == nil else { return }
                    try records.write(response.body, at: address.text, fields: response.keptFields)
                } catch {
                    failure.withLock { $0 = .notWritten(error.description) }
                }
            }
        }
    }

    /// Waits for what is being written; returns what went wrong.
    public func finish() -> SaveError? { queue.sync { failure.current } }
}

/// Records of WARC/1.1, each written to an open file as a member of gzip of its own.
struct WebRecords {
    let descriptor: Int32

    /// Writes a successful response with the header `fields`.
    func write(_ body: [UInt8], at address: String, fields: String) throws(ArchiveError) {
        try write(
            "response", of: address, "application/http;msgtype=response",
            "HTTP/1.1 200 OK\r\n\(fields)\r\n".bytes + body)
    }

    func write(
        _ type: String, of address: String, _ mediaType: String, _ body: [UInt8]
    ) throws(ArchiveError) {
        let date = FolderEntry.isoDate(secondsSince1970: time(nil))
        let head = """
            WARC/1.1\r
            WARC-Type: \(type)\r
            WARC-Target-URI: \(address)\r
            WARC-Date: \(date)\r
            WARC-Record-ID: <urn:sha256:\(ContentHash(of: body + (address + date).bytes).text)>\r
            Content-Type: \(mediaType)\r
            Content-Length: \(body.count)\r
            \r

            """
        let writer = try ArchiveWriter(to: descriptor, isZip: false)
        try writer.add(type, head.bytes + body + "\r\n\r\n".bytes)
        try writer.finish()
    }
}

extension Response {
    /// The header fields that are about the contents, as lines.
    var keptFields: String {
        headers.filter { ["content-type", "date", "etag", "last-modified"].contains($0.name) }
            .map { "\($0.name): \($0.value)\r\n" }.joined()
    }
}
