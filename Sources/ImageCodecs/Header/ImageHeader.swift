public import Raster

/// A picture file's properties that can be read without decoding pixels.
///
/// Parsed by bounds-checked code of our own, SVG by libxml2, so that it is safe on any bytes and takes at most linear time; for most files their beginning
/// suffices. The libraries would reject files that can still be shown in part, and libavif takes hours for a header with many items.
public struct ImageHeader: Hashable, Sendable {
    /// The format.
    public let format: ImageFormat
    /// The upright size, in pixels; each side is at least 1.
    public let size: PixelSize
    /// The number of frames of an animation, as far as the bytes show; 1 for a still picture.
    let frameCount: Int

    let orientation: Turn

    /// Reads the header of `bytes`; nil if they are not a picture or end before its size.
    ///
    /// Of a file that is read as needed, at most 256 KB are read in a few small pieces, wherever they are; the number of frames is that in these.
    ///
    /// Callable from any thread, but not meant for the main one: some formats' headers are spread over the file. Walking the chunks takes
    /// microseconds, tenths of a second for a hostile file of 64 MB; the first 64 KB suffice for nearly all files.
    public init?(of bytes: FileBytes) {
        guard let format = ImageFormat(sniffing: bytes) else { return nil }
        self.init(of: bytes, format)
    }

    /// The header of a file whose library reads it, and checks its size, while decoding.
    init(unread format: ImageFormat) {
        self.format = format
        size = PixelSize(width: 1, height: 1)
        orientation = Turn()
        frameCount = 1
    }

    init?(of bytes: FileBytes, _ format: ImageFormat) {
        // 2³¹ - 1 is the longest side in PNG, and the product of two fits; other formats can claim more.
        let sides = 1...Int(Int32.max)
        guard let found = StoredHeader.read(bytes, format), sides.contains(found.width),
            sides.contains(found.height)
        else {
            return nil
        }
        self.format = format
        orientation = found.orientation ?? found.exif.flatMap(Turn.init(exif:)) ?? Turn()
        size = orientation.turned(found.size)
        frameCount = max(1, found.frameCount)
    }

    /// Returns a JPEG with another EXIF orientation, so that it is shown turned; nil if it is no JPEG, or has EXIF data without one.
    public static func turned(_ file: [UInt8], by turn: Turn) -> [UInt8]? {
        guard let header = ImageHeader(of: FileBytes(file)), header.format == .jpeg else {
            return nil
        }
        let all = header.orientation.followed(by: turn)
        let number = UInt8((1...8).first { Turn(orientation: $0) == all } ?? 1)
        var turned = file
        if let exif = JPEGSegment.header(FileBytes(file))?.exif {
            guard let value = TagDirectory(exif)?.value(of: 0x0112, type: 3, size: 2),
                exif.byte(value.offset + 1) != nil
            else { return nil }
            turned[exif.start + value.offset + (exif.byte(0) == 0x49 ? 0 : 1)] = number
        } else {
            // A block with a directory of nothing else.
            let exif =
                "\0\u{22}Exif\0\0MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0\(Unicode.Scalar(number))\0\0\0\0\0\0"
            turned.insert(contentsOf: [0xFF, 0xE1] + exif.utf8, at: 2)
        }
        return ImageHeader(of: FileBytes(turned))?.orientation == all ? turned : nil
    }
}
