import Glibc
import ImageEncoders
import Raster
import TestSupport

/// A fling through a gallery of 5,000 pictures over a slow link, and the stop at its end.
struct FlingBenchmark {
    /// Starts the program.
    let launcher: Launcher

    private static let size = CellSize(columns: 120, rows: 40)
    private static let count = 6000
    /// Milliseconds between two keys, at a keyboard's repeat rate.
    private static let pause = 25.0
    private static let latency = 100

    /// Measures the pictures requested during the fling, and the time from its last key to a full screen relative to the minimum.
    func run(_ report: inout Report) throws {
        report.heading("A fling through 5,000 pictures over a line of 10 Mbit/s and 100 ms, 120×40")
        let bytes = try Self.picture()
        let server = try Self.site(bytes)
        defer { server.stop() }
        let process = try launcher.open([server.url("/page")], size: Self.size)
        guard process.wait(seconds: 60, until: { Self.state(of: $0).isFull }) else {
            return report.check("no first screen", 1, atMost: 0)
        }
        let tiles = Self.state(of: process.screen).count
        // The prefetched pictures arrive, too.
        var before = 0
        while case let asked = Self.asked(server), asked > before {
            before = asked
            _ = process.wait(seconds: 2) { _ in false }
        }
        let keys = 5000 / tiles
        for _ in 0..<keys {
            process.send(" ")
            _ = process.wait(seconds: Self.pause / 1000) { _ in false }
        }
        let last = now()
        let during = Self.asked(server) - before
        let first = process.wait(seconds: 30) { Self.state(of: $0).drawn > 0 } ? now() : .infinity
        let isFull = process.wait(seconds: 30) { Self.state(of: $0).isFull }
        let full = isFull ? now() - last : .infinity
        let seen = Self.state(of: process.screen).count
        let transfer = Double(seen * bytes.count) / 1250
        report.line("pictures passed", "\(keys * tiles)")
        report.line("asked for by the first key, which follows a rest", "at most \(2 * tiles)")
        report.check(
            "pictures asked for during the fling", Double(during), atMost: 2 * Double(tiles))
        report.line("first picture after the last key", "\((first - last).short) ms")
        report.line("full screen after the last key", "\(full.short) ms")
        // The cancelled requests took their connections with them; reopening them takes a round trip.
        let least = 2 * Double(Self.latency) + transfer
        report.line("connecting, round trip and the bytes of a screen", "\(least.short) ms")
        // It takes a tenth of a second until the user has evidently stopped.
        report.check("full screen / (settling + all that)", full / (100 + least), atMost: 1.25)
        process.send("q")
    }

    /// Returns a bright picture, so that any cell tells it from its placeholder.
    private static func picture() throws -> [UInt8] {
        var random = SplitMix(state: 7)
        let size = PixelSize(width: 200, height: 140)
        let bytes = (0..<size.width * size.height).flatMap { _ -> [UInt8] in
            let grain = random.next()
            return [230 + UInt8(grain & 15), 190 + UInt8(grain >> 8 & 31), 120, 255]
        }
        return try ImageEncoder.jpeg(
            PixelBuffer(size: size, bytes: bytes, isOpaque: true), JPEGOptions(quality: 80))
    }

    private static func site(_ bytes: [UInt8]) throws -> LoopbackServer {
        let server = try LoopbackServer()
        let link = SlowLink(bytesPerSecond: 1_250_000, latency: latency)
        let figures = (0..<count).map {
            "<figure><img src=/picture/\($0).jpg width=300 height=200>"
                + "<figcaption>Tile \($0);</figcaption></figure>"
        }
        let page = "<title>Gallery</title><main>\(figures.joined())</main>"
        server.route("/page") { _ in .html(page) }
        server.route(below: "/picture/") { request in
            link.carry(.bytes(bytes, type: "image/jpeg"), for: request)
        }
        return server
    }

    private static func asked(_ server: LoopbackServer) -> Int { server.requests.count }

    private static func state(
        of screen: ScreenEmulator
    ) -> (count: Int, drawn: Int, isFull: Bool) {
        let tiles = NetBenchmark.tiles(on: screen)
        let drawn = tiles.values.count { $0 }
        return (tiles.count, drawn, !tiles.isEmpty && drawn == tiles.count)
    }
}
