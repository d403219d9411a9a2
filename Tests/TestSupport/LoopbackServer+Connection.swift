import Glibc

/// One connection of a `LoopbackServer`, on its own thread: reads and answers requests in a loop.
struct ServerConnection {
    let socket: Int32
    let number: Int
    let core: ServerCore
    private var buffer: [UInt8] = []

    init(socket: Int32, number: Int, core: ServerCore) {
        self.socket = socket
        self.number = number
        self.core = core
        // Small responses must not wait for the acknowledgement of the previous one.
        var on: Int32 = 1
        setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    mutating func run() {
        while let head = readHead(), let request = parse(head) {
            skipBody(of: request)
            let (admitted, handler) = core.admit(request)
            let keepsAlive = answer(admitted, handler(admitted))
            core.finishRequest()
            if !keepsAlive || request.header("connection")?.lowercased() == "close" {
                return
            }
        }
    }

    // MARK: Reading

    private mutating func readHead() -> String? {
        var searched = 0
        while true {
            if let end = endOfHead(from: searched) {
                let head = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 4)
                return head
            }
            searched = max(0, buffer.count - 3)
            guard buffer.count < 1 << 20, readMore() else { return nil }
        }
    }

    private func endOfHead(from start: Int) -> Int? {
        guard buffer.count >= 4 else { return nil }
        return (start...buffer.count - 4).first { at in
            buffer[at] == 13 && buffer[at + 1] == 10 && buffer[at + 2] == 13 && buffer[at + 3] == 10
        }
    }

    private mutating func readMore() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        let count = recv(socket, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        buffer += chunk[..<count]
        return true
    }

    private mutating func skipBody(of request: ServerRequest) {
        let length = request.header("content-length").flatMap { Int($0) } ?? 0
        while buffer.count < length, readMore() {}
        buffer.removeFirst(min(length, buffer.count))
    }

    private func parse(_ head: String) -> ServerRequest? {
        // "\r\n" is one Character in Swift.
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
        guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (line[..<colon].lowercased(), String(value))
        }
        return ServerRequest(
            method: String(words[0]), path: String(target[0]),
            query: target.count > 1 ? String(target[1]) : nil,
            headers: headers, number: 0, connection: number)
    }

    // MARK: Answering

    /// Sends the response; returns false if the connection cannot be reused.
    private func answer(_ request: ServerRequest, _ response: ServerResponse) -> Bool {
        core.wait(for: response.gate)
        core.sleep(milliseconds: response.milliseconds)
        if case .dropped = response.delivery { return false }
        guard sendHead(of: response) else { return false }
        core.wait(for: response.bodyGate)
        guard request.method != "HEAD", response.status != 304 else { return true }
        return deliver(response)
    }

    private func sendHead(of response: ServerResponse) -> Bool {
        let head = head(of: response)
        guard case .headDrip(let milliseconds) = response.delivery else { return send(head) }
        return head.allSatisfy { byte in
            core.sleep(milliseconds: milliseconds)
            return send([byte])
        }
    }

    private func head(of response: ServerResponse) -> [UInt8] {
        var lines = [
            "HTTP/1.1 \(response.status)"
                + (response.hasReason ? " " + reason(response.status) : "")
        ]
        lines += response.headers.map { "\($0.name): \($0.value)" }
        switch response.delivery {
        case .chunked, .chunkedTruncated: lines.append("Transfer-Encoding: chunked")
        case .endless: lines.append("Connection: close")
        default:
            if response.status != 304 { lines.append("Content-Length: \(response.body.count)") }
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private func deliver(_ response: ServerResponse) -> Bool {
        let body = response.body
        switch response.delivery {
        case .whole, .headDrip: return send(body)
        case .chunked: return sendChunked(body) && send(Array("0\r\n\r\n".utf8))
        case .chunkedTruncated(let count):
            _ = sendChunked(Array(body.prefix(count)))
            return false
        case .drip(let bytes, let milliseconds):
            for start in stride(from: 0, to: body.count, by: max(1, bytes)) {
                guard send(Array(body[start..<min(body.count, start + bytes)])) else {
                    return false
                }
                core.sleep(milliseconds: milliseconds)
            }
            return true
        case .over(let link):
            // A few packets at a time, so that concurrent responses share the link.
            for start in stride(from: 0, to: body.count, by: 5840) {
                let piece = body[start..<min(body.count, start + 5840)]
                core.sleep(milliseconds: link.send(piece.count))
                guard send(Array(piece)) else { return false }
            }
            return true
        case .truncated(let count):
            _ = send(Array(body.prefix(count)))
            return false
        case .reset(let count):
            _ = send(Array(body.prefix(count)))
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
            return false
        case .gated(let count, let gate):
            guard send(Array(body.prefix(count))) else { return false }
            core.wait(for: gate)
            return send(Array(body.dropFirst(count)))
        case .stalled(let count):
            _ = send(Array(body.prefix(count)))
            waitForHangup()
            return false
        case .endless:
            while !body.isEmpty, send(body) {}
            return false
        case .dropped: return false
        }
    }

    private func sendChunked(_ body: [UInt8]) -> Bool {
        for start in stride(from: 0, to: body.count, by: 4096) {
            let chunk = body[start..<min(body.count, start + 4096)]
            let size = Array("\(String(chunk.count, radix: 16))\r\n".utf8)
            guard send(size + chunk + [13, 10]) else { return false }
        }
        return true
    }

    private func waitForHangup() {
        var byte: UInt8 = 0
        while recv(socket, &byte, 1, 0) > 0 {}
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                // Without SIGPIPE if the client is gone, which would end the test program.
                let count = Glibc.send(
                    socket, buffer.baseAddress.map { $0 + sent }, buffer.count - sent,
                    Int32(MSG_NOSIGNAL))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }
}

private func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 304: "Not Modified"
    case 404: "Not Found"
    case 416: "Range Not Satisfiable"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    default: "Status"
    }
}
