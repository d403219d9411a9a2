import Basics
import CImageCodecs
import Raster

/// A header as stored in the file.
struct StoredHeader {
    var width: Int
    var height: Int
    /// The orientation given by the container; nil where only EXIF can give one.
    var orientation: Turn?
    /// The EXIF block, if there is one.
    var exif: FileBytes?
    /// The XMP packet, if there is one.
    var xmp: FileBytes?
    /// A JPEG's Photoshop block, if there is one.
    var iptc: FileBytes?
    var frameCount = 0

    var size: PixelSize { PixelSize(width: width, height: height) }
}

extension StoredHeader {
    /// Reads the header of a file in that format; nil without a size.
    static func read(_ file: FileBytes, _ format: ImageFormat) -> StoredHeader? {
        switch format {
        case .jpeg: JPEGSegment.header(file)
        case .png: StoredHeader(png: file)
        case .webp: StoredHeader(webp: file)
        case .gif: StoredHeader(gif: file)
        case .tiff: StoredHeader(tiff: file)
        case .bmp: StoredHeader(bmp: file)
        case .avif: ISOBox.header(file)
        case .jpegXL: StoredHeader(jpegXL: file)
        case .heic: ISOBox.header(file, isUpright: true)
        case .raw: CameraRaw(file)?.header
        case .pnm, .photoshop, .jpeg2000, .qoi, .icon, .targa, .video, .pdf: nil
        case .svg: StoredHeader(svg: file)
        }
    }

    /// Reads a PNG's IHDR, and searches its chunks for eXIf and acTL (animation) (PNG, third edition, 11.2.1, 11.3).
    init?(png reader: FileBytes) {
        guard reader.has("IHDR", at: 12),
            let width = reader.bigEndian(16, length: 4),
            let height = reader.bigEndian(20, length: 4)
        else { return nil }
        self.init(width: width, height: height)
        // After the signature.
        var offset = 8
        while let length = reader.bigEndian(offset, length: 4) {
            let name = offset + 4
            if reader.has("IEND", at: name) { return }
            if reader.has("eXIf", at: name) {
                exif = reader.part(offset + 8, length: length)
            } else if reader.has("acTL", at: name) {
                frameCount = reader.bigEndian(offset + 8, length: 4) ?? 0
            } else if reader.has("iTXtXML:com.adobe.xmp\0\0\0\0\0", at: name) {
                xmp = reader.part(offset + 30, length: length - 22)
            } else if reader.has("zTXtRaw profile type exif\0\0", at: name) {
                exif = exif ?? Self.profile(reader.part(offset + 31, length: length - 23))
            }
            // With its length, its name and a checksum.
            offset += 12 + length
        }
    }

    /// Returns a profile as ImageMagick packs it: in hexadecimal digits, in lines after its name and length.
    private static func profile(_ packed: FileBytes) -> FileBytes {
        let packed = Array(packed.prefix(1 << 16))
        let text = [UInt8](unsafeUninitializedCapacity: 1 << 17) {
            $1 = halftone_unpack(packed, packed.count, $0.baseAddress, $0.count)
        }
        let digits = Array(text.split(separator: "\n").dropFirst(2).joined())
        return FileBytes(
            stride(from: 0, to: digits.count, by: 2).map {
                PercentEncoding.byte(ofDigitsAt: $0, in: digits) ?? 0
            })
    }

    /// Reads the first directory of a TIFF (TIFF 6.0, sections 2 and 8); nil without a size.
    init?(tiff reader: FileBytes) {
        guard let directory = TagDirectory(reader), let width = directory.number(of: 0x0100),
            let height = directory.number(of: 0x0101)
        else { return nil }
        self.init(width: width, height: height, exif: reader)
        xmp = directory.value(of: 0x02BC, type: 1, size: 1).map {
            reader.part($0.offset, length: $0.count)
        }
    }

    /// Returns whether the start of a file is that of a bitmap: the two-letter signature is weak, so the header length must also be a known
    /// one, from OS/2's first to Windows' extended ones.
    static func isBitmap(_ start: FileBytes) -> Bool {
        start.has("BM", at: 0)
            && [12, 40, 52, 56, 64, 108, 124].contains(start.littleEndian(14, length: 4))
    }

    /// Reads a bitmap's header ([MS-WMF] 2.2.2.2 and 2.2.2.3); nil without a size.
    ///
    /// A negative height means that rows are stored top-down.
    init?(bmp reader: FileBytes) {
        guard let length = reader.littleEndian(14, length: 4) else { return nil }
        let side = length == 12 ? 2 : 4
        guard let width = reader.littleEndian(18, length: side),
            let height = reader.littleEndian(18 + side, length: side)
        else { return nil }
        self.init(
            width: Int(Int32(truncatingIfNeeded: width)),
            height: abs(Int(Int32(truncatingIfNeeded: height))))
    }

    /// Returns whether the file is a bare JPEG XL codestream, or one in a container.
    static func isJPEGXL(_ start: FileBytes) -> Bool {
        start.bigEndian(0, length: 2) == 0xFF0A
            || start.has("\0\0\0\u{C}JXL \r\n", at: 0) && start.bigEndian(10, length: 2) == 0x870A
    }

    /// Returns whether the file is a portable anymap: P1 to P7, and white space.
    static func isPortable(_ start: FileBytes) -> Bool {
        start.has("P", at: 0) && (0x31...0x37).contains(start.byte(1) ?? 0)
            && [9, 10, 13, 32].contains(start.byte(2))
    }

    /// Returns whether the start of a file is that of a TGA, which has no signature: every field must be one that is in use (TGA 2.0).
    static func isTarga(_ start: FileBytes) -> Bool {
        guard let palette = start.byte(1), let kind = start.byte(2), let depth = start.byte(16),
            let descriptor = start.byte(17)
        else { return false }
        let hasPalette = kind & 7 == 1
        return [1, 2, 3, 9, 10, 11].contains(kind) && palette == (hasPalette ? 1 : 0)
            && (hasPalette || start.bigEndian(3, length: 5) == 0)
            && start.bigEndian(12, length: 2) != 0 && start.bigEndian(14, length: 2) != 0
            && (kind & 7 == 2 ? [15, 16, 24, 32] : [8, 16]).contains(depth) && descriptor < 0x40
    }

    /// Returns whether the start of a file is that of a container that holds video, as a rule.
    static func isVideo(_ start: FileBytes) -> Bool {
        let marks: [(text: StaticString, offset: Int)] = [
            ("moov", 4), ("mdat", 4), ("wide", 4), ("AVI ", 8), ("FLV\u{1}", 0), ("OggS", 0),
        ]
        // Matroska; MPEG's program and elementary streams; transport streams, with four bytes before each packet on discs.
        return start.has("ftyp", at: 4) && !ISOBox.isSequence(start)
            || marks.contains { start.has($0.text, at: $0.offset) }
            || [0x1A45_DFA3, 0x1BA, 0x1B3].contains(start.bigEndian(0, length: 4))
            || [0, 4].contains { start.bigEndian($0, length: 2) == 0x4740 }
    }

    /// Reads the upright size of a JPEG XL (ISO/IEC 18181-1, D.2 and D.3); nil without a size.
    init?(jpegXL reader: FileBytes) {
        var stream: FileBytes? = reader
        if reader.byte(0) == 0 {
            // In a container the codestream is one box, or several that each begin with a number.
            let boxes = ISOBox.all(in: reader)
            stream = boxes?["jxlc"] ?? boxes?["jxlp"]?.part(4)
        }
        guard let stream, stream.bigEndian(0, length: 2) == 0xFF0A else { return nil }
        var bit = 16
        func bits(_ count: Int) -> Int {
            defer { bit += count }
            return (0..<count).reduce(0) { value, index in
                let at = bit + index
                return value | ((stream.byte(at / 8) ?? 0) >> (at % 8) & 1) << index
            }
        }
        let isSmall = bits(1) == 1
        func side() -> Int {
            isSmall ? (bits(5) + 1) * 8 : 1 + bits([9, 13, 18, 30][bits(2)])
        }
        let height = side()
        let ratios = [(1, 1), (6, 5), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
        let ratio = bits(3)
        let width = ratio == 0 ? side() : height * ratios[ratio - 1].0 / ratios[ratio - 1].1
        // The library turns the picture upright. The number follows two flags for what has its defaults.
        let isOnItsSide = bits(1) == 0 && bits(1) == 1 && bits(3) >= 4
        guard bit <= stream.count * 8 else { return nil }
        self.init(
            width: isOnItsSide ? height : width, height: isOnItsSide ? width : height)
    }

    /// Reads a GIF's canvas and first frame, and counts its frames (GIF89a, sections 18, 20 and 22); nil without a canvas.
    ///
    /// If the first frame extends beyond the canvas, the canvas grows, as in browsers.
    init?(gif reader: FileBytes) {
        let headerLength = 13
        let extensionIntroducer = 0x21
        let imageSeparator = 0x2C
        guard let width = reader.littleEndian(6, length: 2),
            let height = reader.littleEndian(8, length: 2), let flags = reader.byte(10)
        else { return nil }
        self.init(width: width, height: height)
        var offset = headerLength + Self.paletteLength(flags)
        while let kind = reader.byte(offset) {
            if kind == extensionIntroducer {
                offset = Self.endOfBlocks(reader, offset + 2)
                continue
            }
            guard kind == imageSeparator else { return }
            frameCount += 1
            let place = [1, 3, 5, 7].compactMap { reader.littleEndian(offset + $0, length: 2) }
            guard place.count == 4, let flags = reader.byte(offset + 9) else { return }
            if frameCount == 1 {
                self.width = max(width, place[0] + place[2])
                self.height = max(height, place[1] + place[3])
            }
            // Skips the descriptor, its palette, the code size byte, and the data blocks.
            offset = Self.endOfBlocks(reader, offset + 10 + Self.paletteLength(flags) + 1)
        }
    }

    /// Returns the length in bytes of the palette that `flags` announces.
    private static func paletteLength(_ flags: Int) -> Int {
        flags & 0x80 != 0 ? 3 << (flags & 7 + 1) : 0
    }

    /// Skips data blocks, each of which starts with its length; a length of 0 ends them.
    private static func endOfBlocks(_ reader: FileBytes, _ start: Int) -> Int {
        var offset = start
        while let length = reader.byte(offset), length > 0 { offset += 1 + length }
        return offset + 1
    }

    /// Walks a WebP's chunks (RFC 9649, section 2); nil without a size.
    init?(webp reader: FileBytes) {
        self.init(width: 0, height: 0)
        // After the header of the file.
        var offset = 12
        while let length = reader.littleEndian(offset + 4, length: 4) {
            let payload = offset + 8
            if reader.has("VP8X", at: offset), width == 0,
                let sides = reader.littleEndian(payload + 4, length: 6)
            {
                // Width and height minus one, 24 bits each, after the flags.
                width = sides & 0xFF_FFFF + 1
                height = sides >> 24 + 1
            } else if reader.has("VP8 ", at: offset), width == 0,
                reader.bigEndian(payload + 3, length: 3) == 0x9D012A,
                let sides = reader.littleEndian(payload + 6, length: 4)
            {
                // 14 bits each after the frame tag and the start code (RFC 6386, 9.1).
                width = sides & 0x3FFF
                height = sides >> 16 & 0x3FFF
            } else if reader.has("VP8L", at: offset), width == 0, reader.byte(payload) == 0x2F,
                let sides = reader.littleEndian(payload + 1, length: 4)
            {
                // Width and height minus one, 14 bits each, after the signature 2F (RFC 9649, 3.4).
                width = sides & 0x3FFF + 1
                height = sides >> 14 & 0x3FFF + 1
            } else if reader.has("ANMF", at: offset) {
                frameCount += 1
            } else if reader.has("EXIF", at: offset) {
                exif = reader.part(payload, length: length)
            } else if reader.has("XMP ", at: offset) {
                xmp = reader.part(payload, length: length)
            }
            offset = payload + length + length % 2
        }
        if width == 0 { return nil }
    }
}
