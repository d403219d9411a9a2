import Raster
import TestSupport

/// The time to the last tile of a grid of 12 pictures, against the peers that draw the same: whole processes, in turn, medians.
struct PeerComparison {
    /// What is compared.
    let title: String
    /// The pictures' size.
    let size: PixelSize
    /// The size of the thumbnail in each file; nil for none.
    var thumbnail: PixelSize? = nil
    /// The limit for Halftone's time, as a share of that of `timg --grid`.
    let limit: Double

    /// Rounds of all commands, one after the other, so that a machine that slows down slows all.
    private static let rounds = 7
    private static let pictureCount = 12
    /// Milliseconds to the last tile of a gallery seen before: what a user does not take for waiting, process start included.
    private static let warmLimit = 60.0

    /// Makes the pictures, runs, prints.
    func run(program: String, report: inout Report) throws {
        let photographs = try Photographs(
            count: Self.pictureCount, size: size, thumbnail: thumbnail,
            name: "\(size.width)x\(size.height)\(thumbnail == nil ? "" : "-exif")")
        // 4 columns and 3 rows of the same cells for each, in truecolor half blocks.
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
                // The first round fills the page cache.
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

    /// The same pictures from a server on loopback and from the folder: with an empty disk cache, and once they have been seen.
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
        // The warm run asks the server for the page again, and for no picture.
        let asked = Self.rounds * Self.pictureCount
        let pictures = server.requests.count { $0.path.hasSuffix(".jpg") }
        report.check("pictures asked for twice", Double(pictures - asked), atMost: 0)
    }
}
