import Glibc
import ImageCodecs
import Raster
import Terminal

/// The cost per cell: CPU time of one thread for all 24 pictures at 100×50 cells minus the same at 8×4.
///
/// Starting, reading and decoding are in both and cancel out. Peers are whole processes that draw all files in one run; Halftone's stages
/// from the decoded picture to the bytes run in this process, on one thread. The minimum of several interleaved rounds.
struct DrawingCost {
    /// Microseconds per cell, by program.
    private(set) var perCell: [String: Double] = [:]
    /// Microseconds per cell of Halftone's block art alone, from pixels on the grid.
    private(set) var artPerCell = 0.0

    private static let rounds = 3
    private static let small = CellSize(columns: 8, rows: 4)
    private static let large = ArtTask.sizes[ArtTask.sizes.count - 1]

    init(of task: ArtTask, _ collection: PictureCollection, chafa: ChafaArtist, timg: TimgArtist)
        throws
    {
        let cells = Double(
            collection.pictures.count
                * (Self.large.columns * Self.large.rows - Self.small.columns * Self.small.rows))
        var least: [String: [Double]] = [:]
        func note(_ name: String, _ milliseconds: [Double]) {
            let before = least[name] ?? milliseconds
            least[name] = zip(before, milliseconds).map { min($0, $1) }
        }
        for _ in 0..<Self.rounds {
            let sizes = [Self.large, Self.small].map {
                ArtTask(blocks: task.blocks, depth: task.depth, size: $0)
            }
            for (name, command) in [
                ("chafa", chafa.arguments(for:)), ("timg", timg.arguments(for:)),
            ] {
                let commands = sizes.compactMap(command)
                guard commands.count == sizes.count else { continue }
                note(name, try commands.map { try Run.of($0 + collection.paths).cpu })
            }
            note("halftone", sizes.map { Self.draw(collection.pictures, $0) })
            note("art", [Self.art(collection.pictures, sizes[0]), 0])
        }
        for (name, times) in least {
            let perCell = (times[0] - times[1]) / cells * 1000
            if name == "art" {
                artPerCell =
                    times[0] * 1000
                    / Double(collection.pictures.count * Self.large.columns * Self.large.rows)
            } else {
                self.perCell[name] = perCell
            }
        }
    }

    /// Returns the milliseconds from decoded pictures to terminal output.
    private static func draw(_ pictures: [TestPicture], _ task: ArtTask) -> Double {
        let style = HalftoneArtist.style(task)
        let start = threadTime()
        for picture in pictures {
            let fit = Fit(picture.pixels.size, into: task.size, style: style)
            let pixels = picture.pixels.resampled(.whole, to: fit.pixels)
            let cells = BlockArt(style: style).cells(
                from: pixels.composited(over: style.ground(for: RGB(0))))
            _ = Canvas(cells).lines(depth: task.depth)
        }
        return threadTime() - start
    }

    /// Returns the milliseconds from pixels on the grid to cells.
    private static func art(_ pictures: [TestPicture], _ task: ArtTask) -> Double {
        let style = HalftoneArtist.style(task)
        let shrunk = pictures.map { picture in
            let fit = Fit(picture.pixels.size, into: task.size, style: style)
            return picture.pixels.resampled(.whole, to: fit.pixels)
                .composited(over: style.ground(for: RGB(0)))
        }
        let art = BlockArt(style: style)
        let start = threadTime()
        for pixels in shrunk { _ = art.cells(from: pixels) }
        return threadTime() - start
    }

    private static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }
}
