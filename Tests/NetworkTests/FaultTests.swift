import Dispatch
import Glibc
import Pipeline
import TestSupport
import TestTraits
import Testing

@testable import Network

/// Servers that are slow, broken, greedy or wrong.
@Suite(.onOwnThread) struct FaultTests {
    @Test("an endless body is stopped soon after the limit")
    func endless() async throws {
        let scene = try Scene { $0.maxBytes = 1 << 20 }
        scene.server.route("/endless") { _ in
            .bytes([UInt8](repeating: 1, count: 65_536), type: "image/png").delivered(.endless)
        }
        let error = try await scene.failure(of: "/endless")
        #expect(error == .tooLarge(limit: 1 << 20))
        #expect(error?.description == "larger than the 1 MB allowed")
    }

    @Test("a body declared too large is not downloaded")
    func declaredTooLarge() async throws {
        let scene = try Scene { $0.maxBytes = 1000 }
        scene.server.route("/big") { _ in
            .bytes([UInt8](repeating: 1, count: 1001), type: nil).delivered(.stalled(after: 0))
        }
        scene.server.route("/fits") { _ in .bytes([UInt8](repeating: 1, count: 1000), type: nil) }
        #expect(try await scene.failure(of: "/big") == .tooLarge(limit: 1000))
        #expect(try await scene.get("/fits").body.count == 1000)
    }

    @Test("a body that trickles in ends at the least rate; a slow one above it arrives")
    func trickling() async throws {
        let scene = try Scene(rateSeconds: 0.2) { $0.minRate = 2_000 }
        let body = [UInt8](repeating: 1, count: 3_000)
        scene.server.route("/trickle") { _ in
            .bytes(body, type: nil).delivered(.drip(bytes: 1, milliseconds: 20))
        }
        scene.server.route("/slow") { _ in
            .bytes(body, type: nil).delivered(.drip(bytes: 600, milliseconds: 60))
        }
        let error = try await scene.failure(of: "/trickle")
        #expect(error?.description == "the server sends less than 2000 bytes a second")
        #expect(try await scene.get("/slow").body == body)
    }

    @Test("a gzip bomb is stopped at the limit, measured after decompression")
    func gzipBomb() async throws {
        let scene = try Scene { $0.maxBytes = 1 << 20 }
        let bomb = gzipOfZeros(count: 258 * 100_000)
        #expect(bomb.count < 200_000)
        scene.server.route("/bomb") { _ in .gzipped(bomb, type: "image/png") }
        #expect(try await scene.failure(of: "/bomb") == .tooLarge(limit: 1 << 20))
    }

    @Test("a compressed response is decompressed")
    func gzip() async throws {
        let scene = try Scene()
        // printf halftone | gzip -9n | od -An -tu1
        let bytes: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 204, 73, 43, 201, 207, 75, 5, 0, 210, 6, 217,
            67, 8, 0, 0, 0,
        ]
        scene.server.route("/z") { _ in .gzipped(bytes, type: "text/html") }
        #expect(try await scene.get("/z", for: .page).body == Array("halftone".utf8))
    }

    @Test("a coding that there is none is ignored, as browsers do", arguments: ["utf-8", "binary"])
    func unknownCoding(name: String) async throws {
        let scene = try Scene()
        let body = Array("halftone".utf8)
        scene.server.route("/x") { _ in
            .bytes(body, type: "text/html", headers: [("Content-Encoding", name)])
        }
        #expect(try await scene.get("/x", for: .page).body == body)
        // What is damaged is not taken as it is.
        scene.server.route("/damaged") { _ in .gzipped(body, type: "text/html") }
        #expect(try await scene.failure(of: "/damaged") != nil)
    }

    @Test("a packed drawing in a file arrives unpacked, and a damaged one as it is")
    func packedDrawing() async throws {
        let scratch = try ScratchFolder()
        let path = scratch.path + "/a.SVGZ"
        let body = Array("<svg/>".utf8)
        try #require(PackedFiles.write([("a", body)], to: path, as: .gzip))
        let request = Request(Address(path: path), for: .picture)
        let response = try await Scene().fetcher.result(of: request).get()
        #expect(response.body == body && response.file == nil)
        try scratch.write([0x1F, 0x8B, 8, 0], to: "a.SVGZ")
        #expect(try await Scene().fetcher.result(of: request).get().body.count == 4)
    }

    @Test("brotli is decompressed if libcurl supports it, and its bombs are stopped at the limit")
    func brotli() async throws {
        let scene = try Scene { $0.maxBytes = 1 << 20 }
        let encoded: [(name: String, value: String)] = [("Content-Encoding", "br")]
        // printf halftone | brotli -c | od -An -tu1
        let bytes: [UInt8] = [139, 3, 128, 104, 97, 108, 102, 116, 111, 110, 101, 3]
        // head -c 32M /dev/zero | brotli -c -q 11 --lgwin=24 | od -An -tu1
        let bomb: [UInt8] = [
            207, 255, 255, 127, 248, 39, 0, 226, 177, 64, 32, 247, 254, 159, 255, 255, 255, 240,
            79, 0, 196, 97, 1, 128, 238, 253, 255,
        ]
        scene.server.route("/br") { _ in .bytes(bytes, type: nil, headers: encoded) }
        scene.server.route("/bomb") { _ in .bytes(bomb, type: nil, headers: encoded) }
        scene.server.route("/plain") { _ in .bytes([1], type: nil) }
        _ = try await scene.get("/plain")
        let accepted = scene.server.requests[0].header("accept-encoding") ?? ""
        #expect(accepted.contains("gzip"))
        guard accepted.contains("br") else { return }
        #expect(try await scene.get("/br").body == Array("halftone".utf8))
        #expect(try await scene.failure(of: "/bomb") == .tooLarge(limit: 1 << 20))
    }

    @Test("a stalled server is given up after the timeout, both before the head and in the body")
    func stalls() async throws {
        let scene = try Scene {
            $0.timeout = 1
            $0.retries = 0
        }
        scene.server.route("/head") { _ in .html("x").held(by: Gate()) }
        scene.server.route("/body") { _ in .html("0123456789").delivered(.stalled(after: 3)) }
        async let head = scene.failure(of: "/head")
        async let body = scene.failure(of: "/body")
        #expect(try await head == .timedOut(seconds: 1))
        #expect(try await body == .timedOut(seconds: 1))
        #expect(FetchError.timedOut(seconds: 15).description == "no response within 15 s")
    }

    @Test("a trickling server counts as stalled, and neither keeps a slot")
    func trickles() async throws {
        let scene = try Scene {
            $0.timeout = 1
            $0.retries = 0
            $0.connectionsPerHost = 1
        }
        let long = [UInt8](repeating: 1, count: 100_000)
        scene.server.route("/body") { _ in
            .bytes(long, type: nil).delivered(.drip(bytes: 1, milliseconds: 100))
        }
        scene.server.route("/head") { _ in
            .bytes([1], type: nil, headers: [("X", String(repeating: "x", count: 100_000))])
                .delivered(.headDrip(milliseconds: 100))
        }
        scene.server.route("/stalled") { _ in
            .bytes(long, type: nil).delivered(.stalled(after: 50_000))
        }
        scene.server.route("/next") { _ in .html("x") }
        let stuck = try ["/body", "/head", "/stalled"].map {
            scene.fetcher.started(try scene.request($0), priority: .urgent)
        }
        let next = scene.fetcher.started(try scene.request("/next"), priority: .idle)
        for one in stuck {
            #expect(await one.result().failure == .timedOut(seconds: 1))
        }
        #expect(try await next.result().get().body == Array("x".utf8))
    }

    @Test("a truncated body is a broken connection, not a short picture")
    func truncated() async throws {
        let scene = try Scene()
        scene.server.route("/cut") { _ in .html("0123456789").delivered(.truncated(after: 3)) }
        scene.server.route("/nothing") { _ in .html("").delivered(.dropped) }
        for path in ["/cut", "/nothing"] {
            guard case .connectionFailed = try await scene.failure(of: path) else {
                Issue.record("\(path) did not fail as a connection")
                return
            }
        }
    }

    @Test("a lost connection is tried again, one that is refused is not")
    func lost() async throws {
        let scene = try Scene()
        let losses: [ServerResponse.Delivery] = [
            .truncated(after: 3), .chunkedTruncated(after: 3), .reset(after: 3), .dropped,
        ]
        for (index, loss) in losses.enumerated() {
            scene.server.route("/\(index)") {
                .html("0123456789").delivered($0.number < 3 ? loss : .whole)
            }
            #expect(try await scene.get("/\(index)").body.count == 10)
            #expect(scene.server.count(of: "/\(index)") == 3)
        }
        let other = try Scene()
        other.server.route("/never") { _ in .html("").delivered(.dropped) }
        #expect(
            try await other.failure(of: "/never")
                == .connectionFailed("the server sent no response"))
        #expect(other.server.count(of: "/never") == 3)
    }

    @Test("what follows the body is no header")
    func trailers() async throws {
        let scene = try Scene()
        let (listener, port) = try listenOnLoopback(.ipv4)
        defer { close(listener) }
        let answer =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: 1\r\n\r\n"
            + "1\r\nx\r\n0\r\nLink: </2>; rel=next\r\nX-A: 2\r\n\r\n"
        DispatchQueue.global().async {
            let socket = accept(listener, nil, nil)
            _ = answer.withCString { write(socket, $0, strlen($0)) }
            var bytes = [UInt8](repeating: 0, count: 4096)
            while read(socket, &bytes, 4096) > 0 {}
            close(socket)
        }
        let response = try await scene.get("http://127.0.0.1:\(port)/", for: .page)
        #expect(response.body == Array("x".utf8))
        #expect(response.headers.map(\.name) == ["transfer-encoding", "x-a"])
    }

    @Test("an unknown host and a closed port are reported as such")
    func unreachable() async throws {
        let scene = try Scene()
        let error = try await scene.failure(of: "http://no-such-host.invalid/")
        #expect(error == .unknownHost("no-such-host.invalid"))
        #expect(error?.description == "no such host: no-such-host.invalid")
        scene.server.stop()
        #expect(
            try await scene.failure(of: "/") == .connectionFailed("127.0.0.1 does not answer"))
    }

    @Test("a server that does not speak HTTP is reported in plain words")
    func otherProtocol() async throws {
        let scene = try Scene()
        let (listener, port) = try listenOnLoopback(.ipv4)
        defer { close(listener) }
        DispatchQueue.global().async {
            let socket = accept(listener, nil, nil)
            _ = "SSH-2.0-OpenSSH_9.2\r\n".withCString { write(socket, $0, strlen($0)) }
            close(socket)
        }
        let error = try await scene.failure(of: "http://127.0.0.1:\(port)/")
        #expect(
            error == .connectionFailed("127.0.0.1 does not speak HTTP"))
    }

    @Test("a temporary error status is retried, and reported if it persists")
    func retries() async throws {
        let scene = try Scene()
        scene.server.route("/twice") {
            $0.number < 3 ? .status(503, headers: [("Retry-After", "0")]) : .html("x")
        }
        scene.server.route(below: "/status/") { request in
            .status(Int(request.path.dropFirst(8)) ?? 500)
        }
        #expect(try await scene.get("/twice").body == Array("x".utf8))
        #expect(scene.server.count(of: "/twice") == 3)
        for status in [408, 425, 429, 500, 502, 503, 504] {
            #expect(try await scene.failure(of: "/status/\(status)") == .status(status))
            #expect(scene.server.count(of: "/status/\(status)") == 3)
        }
        for status in [400, 401, 403, 404, 410, 418] {
            #expect(try await scene.failure(of: "/status/\(status)") == .status(status))
            #expect(scene.server.count(of: "/status/\(status)") == 1)
        }
        #expect(FetchError.status(404).description == "the server answered 404 Not Found")
    }

    @Test("a request waiting for its retry holds no slot")
    func retryHoldsNoSlot() async throws {
        let scene = try Scene { $0.connectionsPerHost = 1 }
        scene.server.route("/busy") { _ in .status(425, headers: [("Retry-After", "3600")]) }
        scene.server.route("/a") { _ in .html("x") }
        let busy = scene.fetcher.started(try scene.request("/busy"), priority: .urgent)
        #expect(scene.server.waitForRequests(to: "/busy"))
        #expect(try await scene.get("/a").body == Array("x".utf8))
        busy.subscription?.cancel()
        #expect(await busy.result().failure == .cancelled)
    }

    @Test("a status line may omit the reason and the blank before it")
    func noReason() async throws {
        let scene = try Scene()
        scene.server.route("/a") { _ in
            var response = ServerResponse.bytes([1], type: nil)
            response.hasReason = false
            return response
        }
        #expect(try await scene.get("/a").body == [1])
    }

    @Test("a long error page is not read to the end")
    func longErrorPage() async throws {
        let scene = try Scene { $0.retries = 0 }
        scene.server.route("/endless") { _ in
            var response = ServerResponse.status(404)
            response.body = [UInt8](repeating: 1, count: 65_536)
            return response.delivered(.endless)
        }
        #expect(try await scene.failure(of: "/endless") == .status(404))
    }

    @Test("a header is limited in length and free of control characters")
    func headers() async throws {
        let scene = try Scene()
        scene.server.route("/esc") { _ in
            .bytes([1], type: "image/png", headers: [("X-A", "a\u{1B}[31mb\u{9B}c")])
        }
        scene.server.route("/many") { _ in
            .bytes([1], type: nil, headers: (0..<9000).map { ("X-\($0)", "y") })
        }
        let response = try await scene.get("/esc")
        #expect(response.headers.contains { $0.name == "x-a" && $0.value == "a[31mbc" })
        #expect(try await scene.failure(of: "/many") != nil)
    }
}

extension Scene {
    /// Returns the error a fetch ends with; nil if it succeeds.
    func failure(
        of path: String, for purpose: Request.Purpose = .picture, referer: String? = nil
    ) async throws -> FetchError? {
        let request = try request(path, for: purpose, referer: referer)
        return await fetcher.result(of: request).failure
    }
}

/// Returns a gzip file of `count` zeros and one more, without a valid checksum: a literal, then copies of 258 bytes (RFC 1951, 3.2.6).
private func gzipOfZeros(count: Int) -> [UInt8] {
    var bytes: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 255]
    var bits: UInt32 = 0
    var bitCount = 0
    func put(_ value: UInt32, _ length: Int) {
        bits |= value << UInt32(bitCount)
        bitCount += length
        while bitCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }
    put(0b011, 3)  // the last block, with the fixed codes
    put(0b0000_1100, 8)  // the literal 0; codes are stored from their highest bit
    for _ in 0..<count / 258 {
        put(0b1010_0011, 8)  // length 258
        put(0, 5)  // distance 1
    }
    put(0, 7)  // the end of the block
    put(0, 7)
    return bytes + [0, 0, 0, 0, 0, 0, 0, 0]
}
