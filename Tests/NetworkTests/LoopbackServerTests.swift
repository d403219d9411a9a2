import Dispatch
import Glibc
import TestSupport
import Testing

/// The test server itself, over a bare socket, without curl's command line.
@Suite struct LoopbackServerTests {
    /// Sends `text` on one connection and returns everything received until the server closes it.
    private func exchange(_ text: String, port: Int) -> String {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = UInt16(port).bigEndian
        name.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let connected = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { return "refused" }
        _ = send(client, text, text.utf8.count, Int32(MSG_NOSIGNAL))
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(client, &chunk, chunk.count, 0), count > 0 {
            answer += chunk[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }

    @Test("two requests on one connection are answered in order, logged and numbered")
    func keepAlive() throws {
        let server = try LoopbackServer()
        server.route("/a") { .bytes(Array("<\($0.number)>".utf8), type: "text/plain") }
        let answer = exchange(
            "GET /a?x=1 HTTP/1.1\r\nHost: h\r\n\r\nGET /a HTTP/1.1\r\nConnection: close\r\n\r\n",
            port: server.port)
        #expect(answer.contains("<1>") && answer.hasSuffix("<2>"))
        #expect(answer.contains("Content-Length: 3"))
        #expect(server.count(of: "/a") == 2)
        #expect(server.requests[0].query == "x=1")
        #expect(server.requests[0].header("host") == "h")
        #expect(server.connectionCount == 1)
        server.stop()
        #expect(exchange("GET / HTTP/1.1\r\n\r\n", port: server.port) == "refused")
    }

    @Test("stopping ends held, stalled and idle connections")
    func stopping() throws {
        let server = try LoopbackServer()
        server.route("/held") { _ in .status(200).held(by: Gate()) }
        server.route("/stalled") { _ in .html("0123456789").delivered(.stalled(after: 3)) }
        let address = server.port
        for path in ["/held", "/stalled"] {
            Thread.detach { _ = exchange("GET \(path) HTTP/1.1\r\n\r\n", port: address) }
            #expect(server.waitForRequests(to: path))
        }
        #expect(server.maximumConcurrent == 2)
        server.stop()
        #expect(server.concurrent == 0)
    }

    @Test("a folder is listed like nginx, with media types, and nothing outside it is served")
    func folder() throws {
        let folder = try ScratchFolder()
        try folder.write(Array("hello".utf8), to: "b c&d.txt")
        try folder.write([1, 2, 3], to: "sub/x.jpg")
        let server = try LoopbackServer()
        server.serve(folder: folder.path)
        func get(_ path: String) -> String {
            exchange("GET \(path) HTTP/1.1\r\nConnection: close\r\n\r\n", port: server.port)
        }
        let listing = get("/")
        #expect(listing.contains("<a href=\"b%20c%26d.txt\">b c&amp;d.txt</a>"))
        #expect(listing.contains("<a href=\"sub/\">sub/</a>"))
        #expect(get("/b%20c%26d.txt").hasSuffix("hello"))
        #expect(get("/sub/x.jpg").contains("image/jpeg"))
        #expect(get("/sub").contains("Location: /sub/"))
        #expect(get("/../secret").contains("403"))
        #expect(get("/missing").contains("404"))
    }
}

private enum Thread {
    static func detach(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async(execute: body)
    }
}
