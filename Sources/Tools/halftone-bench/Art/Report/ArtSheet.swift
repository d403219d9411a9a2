import ImageEncoders
import Raster

/// Drawings of one task in one picture: a row for each original, beside it what each program made of it.
struct ArtSheet {
    /// The task.
    let task: ArtTask
    /// The pictures in the rows.
    let pictures: [TestPicture]
    /// Who stands in the columns; the first one is the picture itself.
    let columns: [String]
    /// The pictures' figures, row by row, for all columns but the first.
    let scores: [[ArtScore]]
    /// The drawings as text, row by row, for all columns but the first.
    let texts: [[String]]
    /// A lossless WebP.
    let file: [UInt8]

    /// Who is shown, as far as they can do the task.
    private static let programs = ["halftone", "chafa", "timg"]

    /// One of most classes: all 24 in all families and depths would be too much to keep in the repository.
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

    /// The name in the folder of the report.
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
