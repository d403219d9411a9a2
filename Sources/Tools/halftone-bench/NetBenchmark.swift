import Glibc
import ImageEncoders
import Raster
import TestSupport

/// A gallery over a slow link: 100 ms round trip, 10 Mbit/s.
struct NetBenchmark {
    /// Starts the program.
    let launcher: Launcher

    /// Six connections transfer 26 pictures a second over this link; a screen must not have more, to fill one each second.
    private static let size = CellSize(columns: 120, rows: 40)
    private static let pageCount = 12
    private static let picturesPerPage = 40
    /// The number of concurrent requests, the program's default.
    private static let connections = 6

    /// Measures the time to a full first screen relative to curl with the same number of connections, and the tiles seen empty while paging
    /// once a second.
    func run(_ report: inout Report) throws {
        report.heading("Over a line of 10 Mbit/s and 100 ms: 40 pictures of 27 KB a page, 120×40")
        let pictures = try Self.pictures()
        let first = try browse(pictures)
        let ideal = try curl(pictures, count: first.tiles)
        report.line("tiles of the first screen", "\(first.tiles)")
        report.line("full first screen", "\(first.milliseconds.short) ms")
        report.line("curl --parallel, the same bytes", "\(ideal.short) ms")
        report.check("full first screen / curl", first.milliseconds / ideal, atMost: 1.15)
        report.check(
            "tiles seen empty while paging once a second",
            100 * Double(first.empty) / Double(max(1, first.seen)), atMost: 1, unit: " %")
        report.line("of", "\(first.seen) tiles on \(first.screens) screens")
    }

    // MARK: The gallery

    /// Bright pictures, so that any cell tells one from its placeholder; grain makes the files large.
    private static func pictures() throws -> [[UInt8]] {
        try (0..<pageCount * picturesPerPage).map { number in
            var random = SplitMix(state: UInt64(number))
            let size = PixelSize(width: 300, height: 200)
            let bytes = (0..<size.width * size.height).flatMap { _ -> [UInt8] in
                let grain = random.next()
                return [230 + UInt8(grain & 15), 190 + UInt8(grain >> 8 & 31), 120, 255]
            }
            return try ImageEncoder.jpeg(
                PixelBuffer(size: size, bytes: bytes, isOpaque: true), JPEGOptions(quality: 96))
        }
    }

    /// Serves the gallery over a new link, from which nothing has been requested.
    private func site(_ pictures: [[UInt8]]) throws -> LoopbackServer {
        let server = try LoopbackServer()
        let link = SlowLink(bytesPerSecond: 1_250_000, latency: 100)
        server.route(below: "/page/") { request in
            let page = Int(request.path.dropFirst(6)) ?? 0
            return link.carry(.html(Self.page(page)), for: request)
        }
        server.route(below: "/picture/") { request in
            let name = request.path.dropFirst(9).prefix { $0 != "." }
            guard let number = Int(name), pictures.indices.contains(number) else {
                return .status(404)
            }
            return link.carry(.bytes(pictures[number], type: "image/jpeg"), for: request)
        }
        return server
    }

    private static func page(_ page: Int) -> String {
        let figures = (page * picturesPerPage..<(page + 1) * picturesPerPage).map {
            "<figure><img src=/picture/\($0).jpg width=300 height=200>"
                + "<figcaption>Tile \($0);</figcaption></figure>"
        }
        let next = page + 1 < pageCount ? "<a rel=next href=/page/\(page + 1)>next</a>" : ""
        return "<title>Gallery</title><main>\(figures.joined())</main>\(next)"
    }

    // MARK: The user

    private struct Visit {
        /// The time until every tile of the first screen had its picture, in milliseconds.
        var milliseconds = 0.0
        var tiles = 0
        /// The number of tiles on later screens.
        var seen = 0
        /// The number of those that were ever without their picture.
        var empty = 0
        var screens = 0
    }

    private func browse(_ pictures: [[UInt8]]) throws -> Visit {
        let server = try site(pictures)
        defer { server.stop() }
        var visit = Visit()
        let start = now()
        let process = try launcher.open([server.url("/page/0")], size: Self.size)
        let isFull = process.wait(seconds: 30) { screen in
            let tiles = Self.tiles(on: screen)
            visit.tiles = tiles.count
            return !tiles.isEmpty && tiles.values.allSatisfy { $0 }
        }
        visit.milliseconds = isFull ? now() - start : .infinity
        var empty: Set<Int> = []
        var seen: Set<Int> = []
        // The first screen is shown for a second, too.
        _ = process.wait(seconds: 1) { _ in false }
        let first = Set(Self.tiles(on: process.screen).keys)
        for _ in 0..<10 {
            let end = now() + 1000
            process.send(" ")
            visit.screens += 1
            while now() < end {
                _ = process.wait(seconds: 0.02) { screen in
                    for (tile, isDrawn) in Self.tiles(on: screen) where !first.contains(tile) {
                        seen.insert(tile)
                        if !isDrawn { empty.insert(tile) }
                    }
                    return false
                }
            }
        }
        visit.seen = seen.count
        visit.empty = empty.count
        return visit
    }

    /// Returns the numbers of the tiles whose titles are on the screen, and whether the picture above is drawn.
    static func tiles(on screen: ScreenEmulator) -> [Int: Bool] {
        var tiles: [Int: Bool] = [:]
        // The bottom line repeats the title of the selected tile.
        for row in 5..<screen.size.rows - 1 {
            let text = Array(screen.text(row: row).unicodeScalars)
            var at = 0
            while at + 5 < text.count {
                guard String(String.UnicodeScalarView(text[at..<at + 5])) == "Tile " else {
                    at += 1
                    continue
                }
                let digits = text[(at + 5)...].prefix { ("0"..."9").contains($0) }
                if text.dropFirst(at + 5 + digits.count).first == ";",
                    let number = Int(String(String.UnicodeScalarView(digits)))
                {
                    let cell = screen.grid.cells[(row - 3) * screen.size.columns + at + 2]
                    tiles[number] = (cell.background.rgb?.red ?? 0) > 200
                }
                at += 5
            }
        }
        return tiles
    }

    // MARK: The ideal

    /// Returns curl's time in milliseconds for the page and the pictures of its first screen, all requested at once.
    private func curl(_ pictures: [[UInt8]], count: Int) throws -> Double {
        let server = try site(pictures)
        defer { server.stop() }
        let addresses =
            [server.url("/page/0")] + (0..<count).map { server.url("/picture/\($0).jpg") }
        return try Run.of(
            ["curl", "--no-progress-meter", "--parallel", "--parallel-max", "\(Self.connections)"]
                + addresses.flatMap { ["--output", "/dev/null", $0] }
        ).wall
    }
}
