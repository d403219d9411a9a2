import ImageEncoders
import Raster

/// All drawings of one task in one picture: a row per original, with each program's drawing beside it.
struct ArtSheet {
    /// The task.
    let task: ArtTask
    /// The pictures, one per row.
    let pictures: [TestPicture]
    /// The names of the columns; the first one is the original.
    let columns: [String]
    /// The scores by row, for all columns but the first.
    let scores: [[ArtScore]]
    /// The drawings as text by row, for all columns but the first.
    let texts: [[String]]
    /// The sheet as a lossless WebP file.
    let file: [UInt8]

    /// The programs shown, as far as they can do the task.
    private static let programs = ["halftone", "chafa", "timg"]

    /// One picture of most classes: all 24 in all block sets and depths would be too much for the repository.
    private static let shown: Set<String> = [
        "last-of-the-light", "city", "white-out", "the-rookie", "contours",
        "page", "hues", "sprites", "cut-out-no-5", "zone-plate",
    ]

    init(_ results: ArtResults, of all: [TestPicture]) throws {
        task = results.task
        let present = Self.programs.filter { results.programs[$0] != nil }
        columns = ["original"] + present
        let rows = all.indices.filter { Self.shown.contains(all[$0].name) }
        pictures = rows.map { all[$0] }
        scores = rows.map { row in
            present.compactMap { results.programs[$0]?[row].ownChoice }
        }
        texts = rows.map { row in present.compactMap { results.programs[$0]?[row].text } }
        let drawings = rows.map { row in
            [results.originals[row]] + present.compactMap { results.programs[$0]?[row].pixels }
        }
        file = try ImageEncoder.webp(
            Self.joined(drawings), WebPOptions(quality: 100, isLossless: true))
    }

    /// The file name in the folder of the report.
    var fileName: String { "\(task.blocks.rawValue)-\(task.depth.rawValue).webp" }

    private static func joined(_ pictures: [[PixelBuffer]]) -> PixelBuffer {
        let part = pictures[0][0].size
        let size = PixelSize(
            width: part.width * pictures[0].count, height: part.height * pictures.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.width * size.height * 4)
        for row in pictures {
            for y in 0..<part.height {
                for picture in row {
                    bytes += picture.bytes[y * part.width * 4..<(y + 1) * part.width * 4]
                }
            }
        }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: true)
    }
}
