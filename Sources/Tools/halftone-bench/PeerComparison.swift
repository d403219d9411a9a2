import Raster
import TestSupport

/// The time to the last tile of a grid of 12 pictures, compared with the peers: whole processes, interleaved, medians.
struct PeerComparison {
    /// The title of the comparison.
    let title: String
    /// The size of the pictures.
    let size: PixelSize
    /// The size of the thumbnail in each file; nil for none.
    var thumbnail: PixelSize? = nil
    /// The limit of Halftone's time, relative to `timg --grid`.
    let limit: Double

    /// The number of rounds; each runs all commands, so that a machine that slows down affects all.
    private static let rounds = 7
    private static let pictureCount = 12
    /// Milliseconds to the last tile of a gallery seen before, including process start: not perceived as waiting.
    private static let warmLimit = 60.0

    /// Creates the pictures, runs the commands, and prints the results.
    func run(program: String, report: inout Report) throws {
        let photographs = try Photographs(
            count: Self.pictureCount, size: size, thumbnail: thumbnail,
            name: "\(size.width)x\(size.height)\(thumbnail == nil ? "" : "-exif")")
        // Four columns and three rows of the same cells for each program, in truecolor half blocks.
        let commands = [
            [
                program, "--print", "--no-config", "--no-cache", "--colors=truecolor", "--tile=24",
                photographs.folder,
            ],
            ["timg", "--grid=4x3", "-ph", "-g99x39"] + photographs.paths,
            ["chafa", "--format=symbols", "--symbols=vhalf", "--colors=full", "--size=24x12"]
                + photographs.paths,
        ]
        var walls: [[Double]] = [[], [], []]
        for round in 0...Self.rounds {
            for (index, command) in commands.enumerated() {
                let wall = try Run.of(command).wall
                // The first round only fills the page cache.
                if round > 0 { walls[index].append(wall) }
            }
        }
        let medians = walls.map(\.median)
        report.heading(title)
        for (name, median) in zip(["halftone", "timg", "chafa"], medians) {
            report.line(name, "\(median.short) ms")
        }
        report.check("halftone / timg", medians[0] / medians[1], atMost: limit)
        try compareCache(program: program, photographs, to: &report)
    }

    /// Measures the same pictures over HTTP on loopback and from the folder, with an empty disk cache and with a warm one.
    private func compareCache(
        program: String, _ photographs: Photographs, to report: inout Report
    ) throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.serve(folder: photographs.folder)
        for (name, source) in [("HTTP", server.url("/")), ("folder", photographs.folder)] {
            var walls: [[Double]] = [[], []]
            for round in 0..<Self.rounds {
                let cache = "\(photographs.folder)-cache-\(name)-\(round)"
                for index in walls.indices {
                    let run = try Run.of([
                        program, "--print", "--no-config", "--cache", cache, "--colors=truecolor",
                        "--tile=24", source,
                    ])
                    walls[index].append(run.wall)
                }
            }
            report.line("\(name), cold", "\(walls[0].median.short) ms")
            report.check(
                "\(name), warm (disk cache)", walls[1].median, atMost: Self.warmLimit, unit: " ms")
        }
        // The warm run revalidates the page, but no picture.
        let asked = Self.rounds * Self.pictureCount
        let pictures = server.requests.count { $0.path.hasSuffix(".jpg") }
        report.check("pictures asked for twice", Double(pictures - asked), atMost: 0)
    }
}
