import CImageEncoders
public import Raster

/// The settings of the PNG encoder.
public struct PNGOptions: Hashable, Sendable {
    /// The pixel format of a PNG.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// 8 bits each of red, green, blue, alpha.
        case rgba
        /// 8 bits each of red, green, blue.
        case rgb
        /// 8 bits of grey.
        case gray
        /// 8 bits each of grey and alpha.
        case grayAlpha
        /// 1 bit, black or white.
        case bilevel
        /// 16 bits each of red, green, blue, alpha.
        case rgba16
        /// 16 bits of grey.
        case gray16
        /// An index into at most 256 colours, each with its alpha.
        case palette
    }

    /// The pixel format.
    public var kind: Kind
    /// Whether to write Adam7's seven passes.
    public var isInterlaced: Bool
    /// The zlib level, 0…9.
    public var compression: Int
    /// The EXIF orientation, 1…8; no EXIF if nil.
    ///
    /// The pixels are written as they are.
    public var orientation: Int?

    /// Creates options; the defaults are lossless.
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
    /// Encodes a PNG of `pixels`.
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
