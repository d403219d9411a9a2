import Glibc
import Raster
import TestSupport

/// The time from exec to the last byte of the last tile, as a user experiences it: the interactive program in a terminal, compared with
/// peers that draw the same pictures in a terminal of the same size.
///
/// Interleaved: each round runs all commands, so that a machine that slows down affects all. The program's output is only stored with its
/// time of arrival and replayed afterwards, so that the emulator does not affect the measurement.
struct StartBenchmark {
    /// Starts programs.
    let launcher: Launcher

    private static let pictureCount = 12
    private static let rounds = 9
    /// Four columns and three rows of tiles 24 cells wide, as the peers draw them, plus the program's top and bottom lines.
    private static let screen = CellSize(columns: 104, rows: 50)
    /// Milliseconds to the last tile of a gallery seen before: at most a frame or two after the process has started.
    private static let warmLimit = 35.0
    /// How much longer the first screen may take than the limit: decoding its pictures on all cores, plus the program's start.
    private static let coldLimit = 1.25
    /// How much longer a screen seen before may take than the program's start.
    private static let startLimit = 1.8
    /// The milliseconds that a server on loopback may cost more than the folder.
    private static let serverLimit = 15.0

    /// The times of one round, in milliseconds.
    private struct Round {
        var timg = 0.0
        var chafa = 0.0
        /// The CPU time of `djpeg -scale 1/8` over all pictures.
        var djpeg = 0.0
        /// From exec to the first frame, without pictures.
        var start = 0.0
        var folder = Visits()
        var server = Visits()

        var fastestPeer: Double { min(timg, chafa) }

        /// The least time for a first screen.
        var limit: Double { djpeg / Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) + start }
    }

    /// The first visit, without a disk cache, and the second, with the cache left by the first.
    private struct Visits {
        var cold = 0.0
        var warm = 0.0
    }

    /// Measures large and medium-sized pictures.
    func run(_ report: inout Report) throws {
        try measure(PixelSize(width: 4000, height: 3000), "12-megapixel JPEG", &report) {
            report, rounds in
            report.check(
                "folder, cold / timg", rounds.map { $0.folder.cold / $0.timg }.median, atMost: 0.58)
        }
        try measure(PixelSize(width: 1200, height: 800), "1200-pixel JPEG", &report) {
            report, rounds in
            report.check(
                "folder, cold / the faster peer",
                rounds.map { $0.folder.cold / $0.fastestPeer }.median, atMost: 0.45)
        }
    }

    private func measure(
        _ size: PixelSize, _ title: String, _ report: inout Report,
        check: (inout Report, [Round]) -> Void
    ) throws {
        report.heading(
            "From exec to the last tile of 12 pictures on the screen, \(title), "
                + "\(Self.screen.columns)×\(Self.screen.rows)")
        let photographs = try Photographs(
            count: Self.pictureCount, size: size, name: "\(size.width)x\(size.height)")
        let server = try LoopbackServer()
        defer { server.stop() }
        server.serve(folder: photographs.folder)
        // The first round only fills the page cache.
        let rounds = try (0...Self.rounds).map { try round($0, photographs, server) }.dropFirst()
        report.line("timg", "\(rounds.map(\.timg).median.short) ms")
        report.line("chafa", "\(rounds.map(\.chafa).median.short) ms")
        report.line("folder, cold", "\(rounds.map(\.folder.cold).median.short) ms")
        report.line("HTTP, cold", "\(rounds.map(\.server.cold).median.short) ms")
        report.line("djpeg -scale 1/8, CPU", "\(rounds.map(\.djpeg).median.short) ms")
        report.line("start without pictures", "\(rounds.map(\.start).median.short) ms")
        check(&report, Array(rounds))
        report.check(
            "folder, cold / djpeg by cores and start",
            rounds.map { $0.folder.cold / $0.limit }.median, atMost: Self.coldLimit)
        report.check(
            "folder, warm / start", rounds.map { $0.folder.warm / $0.start }.median,
            atMost: Self.startLimit)
        report.check(
            "folder, warm", rounds.map(\.folder.warm).median, atMost: Self.warmLimit, unit: " ms")
        report.check(
            "HTTP, cold: more than the folder",
            rounds.map { $0.server.cold - $0.folder.cold }.median, atMost: Self.serverLimit,
            unit: " ms")
        report.check(
            "HTTP, warm: more than the folder",
            rounds.map { $0.server.warm - $0.folder.warm }.median, atMost: Self.serverLimit,
            unit: " ms")
    }

    private func round(
        _ number: Int, _ photographs: Photographs, _ server: LoopbackServer
    ) throws -> Round {
        let cache = "\(photographs.folder)-start-\(number)"
        defer { _ = try? Run.of(["rm", "-rf", cache]) }
        var round = Round()
        // With a given background, timg does not query the terminal, which would not answer.
        round.timg = try wholeProcess(
            "/usr/bin/timg", ["--grid=4x3", "-ph", "-bnone", "-g99x39"] + photographs.paths)
        for path in photographs.paths {
            round.djpeg += try Run.of(["djpeg", "-scale", "1/8", path]).cpu
        }
        round.start = try firstFrame()
        round.folder.cold = try lastTile(photographs.folder, cache: cache)
        round.folder.warm = try lastTile(photographs.folder, cache: cache)
        round.chafa = try wholeProcess(
            "/usr/bin/chafa",
            ["--format=symbols", "--symbols=vhalf", "--colors=full", "--size=24x12"]
                + photographs.paths)
        round.server.cold = try lastTile(server.url("/"), cache: cache)
        round.server.warm = try lastTile(server.url("/"), cache: cache)
        return round
    }

    /// Returns the milliseconds from exec to the end of a peer's output.
    private func wholeProcess(_ path: String, _ arguments: [String]) throws -> Double {
        let start = now()
        let process = try launcher.open(path, arguments: arguments, size: Self.screen)
        process.replay(silence: 20, limit: 20) { _, _ in }
        let time = now() - start
        guard process.waitForExit() == .code(0) else { throw BadEnd(command: path, status: 1) }
        return time
    }

    /// Returns the milliseconds from exec to the last byte of the first frame of a page without pictures.
    private func firstFrame() throws -> Double {
        let page = "/tmp/halftone-bench-\(getpid())/empty.html"
        try writeFile([], to: page)
        let start = now()
        let process = try launcher.open([page], size: Self.screen)
        var first = Double.infinity
        process.replay(silence: 0.2, limit: 20) { arrival, screen in
            if first == .infinity, screen.shows("? help") { first = arrival.time * 1000 - start }
        }
        process.signal(SIGTERM)
        _ = process.waitForExit()
        return first
    }

    /// Returns the milliseconds from exec to the last byte that changed a cell of a tile.
    private func lastTile(_ source: String, cache: String) throws -> Double {
        let start = now()
        let process = try launcher.open([source], cache: cache, size: Self.screen)
        var last = Double.infinity
        var tiles: ArraySlice<Cell> = []
        process.replay(silence: 0.5, limit: 20) { arrival, screen in
            // The top and bottom lines count loads and show a spinner.
            let columns = screen.size.columns
            let cells = screen.grid.cells.dropFirst(columns).dropLast(columns)
            guard cells != tiles else { return }
            tiles = cells
            last = arrival.time * 1000 - start
        }
        let drawn = Self.drawnTiles(on: process.screen)
        // Pending cache writes are completed on exit.
        process.send("q")
        guard process.waitForExit() == .code(0) else {
            throw BadEnd(command: launcher.program, status: 1)
        }
        guard drawn == Self.pictureCount else { throw MissingTiles(source: source, drawn: drawn) }
        return last
    }

    /// Counts the tiles that have their picture: any row of a photograph has many colours, of a placeholder hardly any.
    private static func drawnTiles(on screen: ScreenEmulator) -> Int {
        let columns = screen.size.columns
        return (8..<screen.size.rows - 1).reduce(0) { count, row in
            let text = Array(screen.text(row: row))
            let titles = text.indices.filter { column in
                text[column] != " " && (column == 0 || text[column - 1] == " ")
                    && String(text[column...].prefix { $0 != " " }).hasSuffix(".jpg")
            }
            return count
                + titles.count { column in
                    // The middle of the nine rows above the title.
                    let start = (row - 5) * columns + column
                    return Set(screen.grid.cells[start..<start + 20].map(\.background)).count > 4
                }
        }
    }
}

/// The screen settled before all tiles had their pictures.
private struct MissingTiles: Error, CustomStringConvertible {
    let source: String
    let drawn: Int

    var description: String { "\(source): only \(drawn) tiles were drawn" }
}
