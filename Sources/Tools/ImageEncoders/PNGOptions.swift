import CImageEncoders
public import Raster

/// How a PNG is written.
public struct PNGOptions: Hashable, Sendable {
    /// What a PNG's pixel is.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// 8 bits each of red, green, blue, alpha.
        case rgba
        /// 8 bits each of red, green, blue.
        case rgb
        /// 8 bits of grey.
        case gray
        /// 8 bits each of grey and alpha.
        case grayAlpha
        /// 1 bit: black or white.
        case bilevel
        /// 16 bits each of red, green, blue, alpha.
        case rgba16
        /// 16 bits of grey.
        case gray16
        /// An index to at most 256 colours, each with its alpha.
        case palette
    }

    /// The pixels.
    public var kind: Kind
    /// Whether to write Adam7's seven passes.
    public var isInterlaced: Bool
    /// zlib's level, 0…9.
    public var compression: Int
    /// EXIF's orientation, 1…8; no EXIF if nil.
    ///
    /// The pixels are written as they are.
    public var orientation: Int?

    /// Makes options; the defaults lose nothing.
    public init(
        kind: Kind = .rgba, isInterlaced: Bool = false, compression: Int = 6,
        orientation: Int? = nil
    ) {
        self.kind = kind
        self.isInterlaced = isInterlaced
        self.compression = compression
        self.orientation = orientation
    }
}

extension ImageEncoder {
    /// A PNG of `pixels`.
    public static func png(
        _ pixels: PixelBuffer, _ options: PNGOptions = PNGOptions()
    ) throws(EncodeError) -> [UInt8] {
        let rows = PNGRows(pixels, options.kind)
        return try file { file in
            rows.palette.withUnsafeBufferPointer { palette in
                var form = halftone_png_options(
                    bit_depth: rows.bitDepth, color_type: rows.colorType,
                    interlaced: options.isInterlaced, compression: Int32(options.compression),
                    palette: palette.isEmpty ? nil : palette.baseAddress,
                    palette_count: Int32(palette.count / 4),
                    orientation: Int32(options.orientation ?? 0))
                return halftone_encode_png(
                    rows.bytes, rows.bytes.count / pixels.size.height,
                    Int32(pixels.size.width), Int32(pixels.size.height), &form, &file)
            }
        }
    }
}
