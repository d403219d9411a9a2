import Glibc

/// A request as it arrived at a `LoopbackServer`.
public struct ServerRequest: Sendable {
    /// `GET`, `HEAD`, ….
    public var method: String
    /// The path as sent, percent-encoded, without the query.
    public var path: String
    /// What follows the `?`; nil without one.
    public var query: String?
    /// Header fields, names in lower case.
    public var headers: [(name: String, value: String)]
    /// One for the first request to this path, two for the second, ….
    public var number: Int
    /// Which connection it came on, counted from one.
    public var connection: Int

    /// The value of the first header field of that name (in lower case).
    public func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

/// What a `LoopbackServer` answers: a status, header fields and a body, and how badly to deliver them.
public struct ServerResponse: Sendable {
    /// How the body goes out.
    public enum Delivery: Sendable {
        /// At once, with its length declared.
        case whole
        /// At once, in chunks, without a length.
        case chunked
        /// In chunks, but the connection closes after so many bytes.
        case chunkedTruncated(after: Int)
        /// So many bytes at a time with a pause between, the length declared.
        case drip(bytes: Int, milliseconds: Int)
        /// The head a byte at a time with a pause between, then the body at once.
        case headDrip(milliseconds: Int)
        /// As fast as the line is, which other answers share; the length declared.
        case over(SlowLink)
        /// The whole length declared, but the connection closes after so many bytes.
        case truncated(after: Int)
        /// As `truncated`, but with a reset instead of an end.
        case reset(after: Int)
        /// So many bytes, and the rest when the gate opens; the whole length declared.
        case gated(after: Int, Gate)
        /// The whole length declared, but nothing comes after so many bytes, until the client hangs up or the server stops.
        case stalled(after: Int)
        /// The body again and again without end, no length declared.
        case endless
        /// The connection is closed before the head.
        case dropped
    }

    /// The status code.
    public var status = 200
    /// Header fields; `Content-Length` and `Connection` are added as the delivery needs them.
    public var headers: [(name: String, value: String)] = []
    /// The body as it goes over the wire.
    public var body: [UInt8] = []
    /// How the body goes out.
    public var delivery = Delivery.whole
    /// Held back, head included, until this opens.
    public var gate: Gate?
    /// Sends the head, then holds the body back until this opens.
    public var bodyGate: Gate?
    /// A pause before the head.
    public var milliseconds = 0

    /// An empty answer of that status.
    public init(status: Int = 200) {
        self.status = status
    }

    /// Bytes with a media type; nil sends no `Content-Type`.
    public static func bytes(
        _ body: [UInt8], type: String?, headers: [(name: String, value: String)] = []
    ) -> Self {
        var response = Self()
        response.headers = (type.map { [("Content-Type", $0)] } ?? []) + headers
        response.body = body
        return response
    }

    /// A page in UTF-8.
    public static func html(_ text: String, headers: [(name: String, value: String)] = []) -> Self {
        bytes(Array(text.utf8), type: "text/html; charset=utf-8", headers: headers)
    }

    /// A status with its number as the body.
    public static func status(_ status: Int, headers: [(name: String, value: String)] = []) -> Self
    {
        var response = bytes(Array("\(status)\n".utf8), type: "text/plain", headers: headers)
        response.status = status
        return response
    }

    /// A redirect; `location` may be relative.
    public static func redirect(to location: String, status: Int = 302) -> Self {
        .status(status, headers: [("Location", location)])
    }

    /// Bytes with an entity tag: 304 without a body if `request` shows that it has them already.
    public static func validated(
        _ body: [UInt8], type: String, tag: String, for request: ServerRequest,
        headers: [(name: String, value: String)] = []
    ) -> Self {
        let headers = [("ETag", tag)] + headers
        guard request.header("if-none-match") == tag else {
            return bytes(body, type: type, headers: headers)
        }
        var response = Self(status: 304)
        response.headers = headers
        return response
    }

    /// Bytes that are already compressed with gzip.
    public static func gzipped(_ body: [UInt8], type: String) -> Self {
        bytes(body, type: type, headers: [("Content-Encoding", "gzip")])
    }

    /// This answer, delivered in that way.
    public func delivered(_ delivery: Delivery) -> Self {
        var response = self
        response.delivery = delivery
        return response
    }

    /// This answer, held back until `gate` opens.
    public func held(by gate: Gate) -> Self {
        var response = self
        response.gate = gate
        return response
    }

    /// This answer, its head at once and its body when `gate` opens.
    public func bodyHeld(by gate: Gate) -> Self {
        var response = self
        response.bodyGate = gate
        return response
    }

    /// This answer, after a pause.
    public func delayed(milliseconds: Int) -> Self {
        var response = self
        response.milliseconds = milliseconds
        return response
    }
}

extension ServerResponse {
    /// Bytes of which a part may be asked for, as RFC 9110, section 14 has it: a single range of bytes, if `If-Range` names `tag`.
    public static func ranged(
        _ body: [UInt8], type: String?, tag: String, for request: ServerRequest,
        headers: [(name: String, value: String)] = []
    ) -> Self {
        let headers = [("ETag", tag), ("Accept-Ranges", "bytes")] + headers
        let whole = bytes(body, type: type, headers: headers)
        if let condition = request.header("if-range"), condition != tag { return whole }
        guard let range = request.header("range"), range.hasPrefix("bytes=") else { return whole }
        let ends = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]) else { return whole }
        let last = min(Int(ends[1]) ?? body.count - 1, body.count - 1)
        guard first <= last else {
            return status(416, headers: [("Content-Range", "bytes */\(body.count)")])
        }
        return part(
            Array(body[first...last]), range: "bytes \(first)-\(last)/\(body.count)",
            headers: headers)
    }

    /// A 206 that says it is `range`, whatever is asked for.
    public static func part(
        _ body: [UInt8], range: String?, headers: [(name: String, value: String)] = []
    ) -> Self {
        let range = range.map { [("Content-Range", $0)] } ?? []
        var response = bytes(body, type: nil, headers: range + headers)
        response.status = 206
        return response
    }
}
