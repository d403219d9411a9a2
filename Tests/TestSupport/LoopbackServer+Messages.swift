import Glibc

/// A request received by a `LoopbackServer`.
public struct ServerRequest: Sendable {
    /// `GET`, `HEAD`, ….
    public var method: String
    /// The path as sent, percent-encoded, without the query.
    public var path: String
    /// The query after the `?`; nil if there is none.
    public var query: String?
    /// The header fields, with lower-case names.
    public var headers: [(name: String, value: String)]
    /// The number of this request among those for the path, from one.
    public var number: Int
    /// The number of the connection, from one.
    public var connection: Int

    /// Returns the value of the first header field with that name (in lower case).
    public func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

/// A response of a `LoopbackServer`: a status, header fields and a body, and delivery faults.
public struct ServerResponse: Sendable {
    /// How the body is sent.
    public enum Delivery: Sendable {
        /// At once, with its length.
        case whole
        /// At once, in chunks, without a length.
        case chunked
        /// In chunks, but the connection is closed after this many bytes.
        case chunkedTruncated(after: Int)
        /// In pieces with a pause in between, with its length.
        case drip(bytes: Int, milliseconds: Int)
        /// The head one byte at a time with pauses, then the body at once.
        case headDrip(milliseconds: Int)
        /// At the speed of a link shared with other responses, with its length.
        case over(SlowLink)
        /// With the full length, but the connection is closed after this many bytes.
        case truncated(after: Int)
        /// Like `truncated`, but with a connection reset.
        case reset(after: Int)
        /// This many bytes, and the rest when the gate opens; with the full length.
        case gated(after: Int, Gate)
        /// With the full length, but nothing follows this many bytes until the client hangs up or the server stops.
        case stalled(after: Int)
        /// The body repeated endlessly, without a length.
        case endless
        /// The connection is closed before the head.
        case dropped
    }

    /// The status code.
    public var status = 200
    /// Whether a blank and the reason follow the status in the status line.
    public var hasReason = true
    /// The header fields; `Content-Length` and `Connection` are added as needed for the delivery.
    public var headers: [(name: String, value: String)] = []
    /// The body as sent.
    public var body: [UInt8] = []
    /// How the body is sent.
    public var delivery = Delivery.whole
    /// Delays the whole response, including the head, until it opens.
    public var gate: Gate?
    /// Delays the body until it opens, after sending the head.
    public var bodyGate: Gate?
    /// The delay before the head, in milliseconds.
    public var milliseconds = 0

    /// Creates an empty response with that status.
    public init(status: Int = 200) {
        self.status = status
    }

    /// Returns a response of bytes with a media type; nil omits `Content-Type`.
    public static func bytes(
        _ body: [UInt8], type: String?, headers: [(name: String, value: String)] = []
    ) -> Self {
        var response = Self()
        response.headers = (type.map { [("Content-Type", $0)] } ?? []) + headers
        response.body = body
        return response
    }

    /// Returns an HTML page in UTF-8.
    public static func html(_ text: String, headers: [(name: String, value: String)] = []) -> Self {
        bytes(Array(text.utf8), type: "text/html; charset=utf-8", headers: headers)
    }

    /// Returns a response with that status, and its number as the body.
    public static func status(_ status: Int, headers: [(name: String, value: String)] = []) -> Self
    {
        var response = bytes(Array("\(status)\n".utf8), type: "text/plain", headers: headers)
        response.status = status
        return response
    }

    /// Returns a redirect; `location` may be relative.
    public static func redirect(to location: String, status: Int = 302) -> Self {
        .status(status, headers: [("Location", location)])
    }

    /// Returns bytes with an entity tag, or 304 without a body if `request` has a matching validator.
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

    /// Returns bytes that are already compressed with gzip.
    public static func gzipped(_ body: [UInt8], type: String) -> Self {
        bytes(body, type: type, headers: [("Content-Encoding", "gzip")])
    }

    /// Returns this response with another delivery.
    public func delivered(_ delivery: Delivery) -> Self {
        var response = self
        response.delivery = delivery
        return response
    }

    /// Returns this response, held back until `gate` opens.
    public func held(by gate: Gate) -> Self {
        var response = self
        response.gate = gate
        return response
    }

    /// Returns this response with its head sent at once and its body when `gate` opens.
    public func bodyHeld(by gate: Gate) -> Self {
        var response = self
        response.bodyGate = gate
        return response
    }

    /// Returns this response with a delay before the head.
    public func delayed(milliseconds: Int) -> Self {
        var response = self
        response.milliseconds = milliseconds
        return response
    }
}

extension ServerResponse {
    /// Returns bytes with support for range requests (RFC 9110, section 14): a single byte range, if `If-Range` matches `tag`.
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

    /// Returns a 206 with the given `Content-Range`, whatever was requested.
    public static func part(
        _ body: [UInt8], range: String?, headers: [(name: String, value: String)] = []
    ) -> Self {
        let range = range.map { [("Content-Range", $0)] } ?? []
        var response = bytes(body, type: nil, headers: range + headers)
        response.status = 206
        return response
    }
}
