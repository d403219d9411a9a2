import Basics
import Dispatch
import ImageCodecs
import ImageEncoders
import Pipeline
import Raster

/// The 24 pictures, as pixels and as the files that every program reads.
struct PictureCollection {
    /// The pictures, ordered by class.
    let pictures: [TestPicture]
    /// The path of a PNG of each picture.
    ///
    /// PNG, since JPEG decoders differ and not all of them decode at reduced size: only drawing is compared here.
    let paths: [String]

    private static let shipped: [(file: String, kind: TestPicture.Kind)] = [
        ("apex-predator-840.jpg", .scene), ("last-of-the-light-840.jpg", .scene),
        ("standing-room-840.jpg", .scene), ("neon-mile-840.jpg", .night),
        ("white-out-840.jpg", .highKey), ("the-rookie-560.jpg", .portrait),
        ("coastal-ring-840.jpg", .lineArt), ("cut-out-no-5-512.png", .logo),
    ]

    /// Paints the pictures or crops them from the shipped gallery, and writes all of them into `folder`.
    init(resources: String, folder: String) throws {
        try makeFolder(folder)
        let paintings = Painting.natural + Painting.graphic + Painting.charts
        let painted = Locked<[Int: TestPicture]>([:])
        DispatchQueue.concurrentPerform(iterations: paintings.count) { index in
            let picture = paintings[index].painted()
            painted.withLock { $0[index] = picture }
        }
        let all =
            try Self.shipped.map { try Self.shippedPicture($0.file, $0.kind, resources) }
            + painted.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
        pictures = TestPicture.Kind.allCases.flatMap { kind in
            all.filter { $0.kind == kind }
        }
        paths = try pictures.map { picture in
            let path = "\(folder)/\(picture.name).png"
            let layout: PNGOptions.Kind = picture.pixels.isOpaque ? .rgb : .rgba
            try writeFile(
                try ImageEncoder.png(picture.pixels, PNGOptions(kind: layout)), to: path)
            return path
        }
    }

    /// Returns the central square of a shipped picture.
    private static func shippedPicture(
        _ file: String, _ kind: TestPicture.Kind, _ resources: String
    ) throws -> TestPicture {
        let path = "\(resources)/Gallery/photos/\(file)"
        let image = try ImageDecoder().decode(FileBytes(readBytes(path)), covering: nil).pixels
        let side = min(image.size.width, image.size.height)
        let (left, top) = ((image.size.width - side) / 2, (image.size.height - side) / 2)
        var bytes: [UInt8] = []
        for y in top..<top + side {
            let start = (y * image.size.width + left) * 4
            bytes += image.bytes[start..<start + side * 4]
        }
        let name = file.split(separator: "-").dropLast().joined(separator: "-")
        return TestPicture(
            name: name, kind: kind,
            pixels: PixelBuffer(
                size: PixelSize(width: side, height: side), bytes: bytes, isOpaque: image.isOpaque))
    }
}

/// A square picture that every program draws.
struct TestPicture: Sendable {
    /// The class of a picture.
    enum Kind: String, CaseIterable, Sendable {
        case scene
        case night
        case highKey = "high key"
        case portrait
        case texture
        case lineArt = "line art"
        case text
        case gradient
        case pixelArt = "pixel art"
        case logo = "logo, alpha"
        case chart = "test chart"

        /// Whether the picture consists of thin lines, mostly dark on light.
        var hasThinLines: Bool { self == .lineArt || self == .text }

        /// The classes whose thin details are easily lost.
        static let contrasted: [Kind] = [.lineArt, .text, .night]
    }

    /// The name in tables and file names.
    let name: String
    /// The class.
    let kind: Kind
    /// The pixels; a square.
    let pixels: PixelBuffer
}
