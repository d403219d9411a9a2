import Raster

/// The time to the last tile of a grid of 12 pictures, against the peers that draw the same: whole processes, in turn, medians.
struct PeerComparison {
    /// What is compared.
    let title: String
    /// The pictures' size.
    let size: PixelSize
    /// The limit for Halftone's time, as a ratio, and against whom.
    let limit: Limit

    /// Whom Halftone is held against.
    enum Limit {
        /// timg alone.
        case timg(Double)
        /// The faster of timg and chafa.
        case fastest(Double)
    }

    /// Rounds of all commands, one after the other, so that a machine that slows down slows all.
    private static let rounds = 7
    private static let pictureCount = 12

    /// Makes the pictures, runs, prints.
    func run(program: String, report: inout Report) throws {
        let photographs = try Photographs(
            count: Self.pictureCount, size: size, name: "\(size.width)x\(size.height)")
        // 4 columns and 3 rows of the same cells for everybody, in truecolor half blocks.
        let commands = [
            [program, "--print", "--no-config", "--no-cache", "--colors=truecolor", "--tile=24"]
                + photographs.paths,
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
        let peer: Double
        let bound: Double
        switch limit {
        case .timg(let ratio): (peer, bound) = (medians[1], ratio)
        case .fastest(let ratio): (peer, bound) = (min(medians[1], medians[2]), ratio)
        }
        report.check("halftone / peer", medians[0] / peer, atMost: bound)
    }
}
