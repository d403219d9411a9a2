public import Raster

/// A picture file's properties that can be read without decoding pixels.
///
/// Parsed by bounds-checked code of our own, so that it is safe on any bytes and takes at most linear time; for most files their beginning
/// suffices. Only JPEG XL uses its library, which the first such file loads. The other libraries would reject files that can still be shown
/// in part, and libavif takes hours for a header with many items.
public struct ImageHeader: Hashable, Sendable {
    /// The format.
    public let format: ImageFormat
    /// The upright size, in pixels; each side is at least 1.
    public let size: PixelSize
    /// The number of frames of an animation, as far as the bytes show; 1 for a still picture.
    public let frameCount: Int

    let orientation: Turn
    /// Whether the whole picture must be held before the first row is complete: interlaced PNG and GIF, and formats whose library decodes
    /// everything at once.
    let isHeldWhole: Bool

    /// Reads the header of `bytes`; nil if they are not a picture or end before its size.
    ///
    /// Callable from any thread, but not meant for the main one: some formats' headers are spread over the file. Walking the chunks takes
    /// microseconds, tenths of a second for a hostile file of 64 MB; the first 64 KB suffice for nearly all files.
    public init?(of bytes: FileBytes) {
        guard let format = ImageFormat(sniffing: bytes) else { return nil }
        self.init(of: bytes, format)
    }

    /// Reads the header of an array; nil if it is not a picture or ends before its size.
    public init?(of bytes: [UInt8]) { self.init(of: FileBytes(bytes)) }

    init?(of bytes: FileBytes, _ format: ImageFormat) {
        let reader = ByteReader(bytes[...])
        let found: StoredHeader? =
            switch format {
            case .jpeg: JPEGSegment.header(reader)
            case .png: StoredHeader(png: reader)
            case .webp: StoredHeader(webp: reader)
            case .gif: StoredHeader(gif: reader)
            case .tiff: StoredHeader(tiff: reader)
            case .bmp: StoredHeader(bmp: reader)
            case .avif: ISOBox.header(reader)
            case .jpegXL: StoredHeader(jpegXL: bytes)
            case .svg: SVGRoot(bytes)?.header
            }
        // 2³¹ - 1 is the longest side in PNG, and the product of two fits; other formats can claim more.
        let sides = 1...Int(Int32.max)
        guard let found, sides.contains(found.width), sides.contains(found.height) else {
            return nil
        }
        self.format = format
        orientation = found.orientation ?? found.exif.flatMap(Turn.init(exif:)) ?? Turn()
        size = orientation.turned(PixelSize(width: found.width, height: found.height))
        frameCount = max(1, found.frameCount)
        isHeldWhole = found.isHeldWhole
    }
}

/// A header as stored in the file.
struct StoredHeader {
    var width: Int
    var height: Int
    /// The orientation given by the container; nil where only EXIF can give one.
    var orientation: Turn?
    /// The EXIF block, if there is one.
    var exif: ByteReader?
    var frameCount = 0
    var isHeldWhole = false
}

extension StoredHeader {
    static func isPNG(_ start: ByteReader) -> Bool {
        start.byte(0) == 0x89 && start.has("PNG\r\n\u{1A}\n", at: 1)
    }

    /// Reads a PNG's IHDR, and searches its chunks for eXIf and acTL (animation) (PNG, third edition, 11.2.1, 11.3).
    init?(png reader: ByteReader) {
        let signatureLength = 8
        guard reader.has("IHDR", at: signatureLength + 4),
            let width = reader.bigEndian(16, length: 4),
            let height = reader.bigEndian(20, length: 4),
            let interlace = reader.byte(28)
        else { return nil }
        self.init(width: width, height: height, isHeldWhole: interlace != 0)
        var offset = signatureLength
        let framing = 12  // length, name, checksum
        while let length = reader.bigEndian(offset, length: 4), !reader.has("IEND", at: offset + 4)
        {
            if reader.has("eXIf", at: offset + 4) {
                exif = reader.part(offset + 8, length: length)
            } else if reader.has("acTL", at: offset + 4) {
                frameCount = reader.bigEndian(offset + 8, length: 4) ?? 0
            }
            offset += framing + length
        }
    }

    /// Reads the first directory of a TIFF (TIFF 6.0, sections 2 and 8); nil without a size.
    init?(tiff reader: ByteReader) {
        guard let directory = TagDirectory(reader), let width = directory.number(of: 0x0100),
            let height = directory.number(of: 0x0101)
        else { return nil }
        self.init(width: width, height: height, exif: reader)
    }

    /// Returns whether the start of a file is that of a bitmap: the two-letter signature is weak, so the header length must also be a known
    /// one, from OS/2's first to Windows' extended ones.
    static func isBitmap(_ start: ByteReader) -> Bool {
        start.has("BM", at: 0)
            && [12, 40, 52, 56, 64, 108, 124].contains(start.littleEndian(14, length: 4))
    }

    /// Reads a bitmap's header ([MS-WMF] 2.2.2.2 and 2.2.2.3); nil without a size.
    ///
    /// A negative height means that rows are stored top-down.
    init?(bmp reader: ByteReader) {
        guard let length = reader.littleEndian(14, length: 4) else { return nil }
        let isOld = length == 12
        let side = isOld ? 2 : 4
        guard let width = reader.littleEndian(18, length: side),
            let height = reader.littleEndian(18 + side, length: side)
        else { return nil }
        self.init(
            width: isOld ? width : Int(Int32(truncatingIfNeeded: width)),
            height: isOld ? height : abs(Int(Int32(truncatingIfNeeded: height))),
            isHeldWhole: true)
    }

    /// Returns whether the file is a bare JPEG XL codestream, or one in a container.
    static func isJPEGXL(_ start: ByteReader) -> Bool {
        start.bigEndian(0, length: 2) == 0xFF0A
            || start.has("\0\0\0\u{C}JXL \r\n", at: 0) && start.bigEndian(10, length: 2) == 0x870A
    }

    /// Reads a JPEG XL header with its library, which turns pictures upright by itself.
    init(jpegXL bytes: FileBytes) {
        var picture = CPicture()
        picture.readHeader(.jpegXL, bytes, DecodeLimits())
        let size = picture.sourceSize
        self.init(width: size.width, height: size.height, isHeldWhole: true)
    }
}
