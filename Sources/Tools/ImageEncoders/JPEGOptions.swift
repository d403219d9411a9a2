import CImageEncoders
public import Raster

/// The settings of the JPEG encoder.
public struct JPEGOptions: Hashable, Sendable {
    /// The colour model of a JPEG.
    public enum Colors: Hashable, Sendable {
        /// Luminance and chroma at half resolution, as from cameras and on the web.
        case color
        /// Luminance only.
        case gray
        /// CMYK, inverted as Adobe writes it.
        case cmyk
        /// CMYK as luminance, chroma and black, inverted as Adobe writes it.
        case ycck
    }

    /// The quality, 1…100.
    public var quality: Int
    /// Whether to write several scans, from coarse to fine.
    public var isProgressive: Bool
    /// The EXIF orientation, 1…8; no EXIF if nil.
    ///
    /// The pixels are written as they are.
    public var orientation: Int?
    /// The colour model.
    public var colors: Colors

    /// How many rows of blocks lie between restart markers; 0 for none.
    public var restartRows = 0

    /// Creates options; the defaults are those of a plain baseline photograph.
    public init(
        quality: Int = 85, isProgressive: Bool = false, orientation: Int? = nil,
        colors: Colors = .color
    ) {
        self.quality = quality
        self.isProgressive = isProgressive
        self.orientation = orientation
        self.colors = colors
    }
}

extension ImageEncoder {
    /// Encodes a JPEG of `pixels`, ignoring alpha.
    public static func jpeg(
        _ pixels: PixelBuffer, _ options: JPEGOptions = JPEGOptions()
    ) throws(EncodeError) -> [UInt8] {
        var form = halftone_jpeg_options(
            quality: Int32(options.quality), progressive: options.isProgressive,
            orientation: Int32(options.orientation ?? 0), kind: options.colors.kind,
            restart_rows: Int32(options.restartRows))
        return try file { file in
            halftone_encode_jpeg(
                pixels.bytes, Int32(pixels.size.width), Int32(pixels.size.height), &form, &file)
        }
    }
}

extension JPEGOptions.Colors {
    fileprivate var kind: halftone_jpeg_kind {
        switch self {
        case .color: HALFTONE_JPEG_COLOR
        case .gray: HALFTONE_JPEG_GRAY
        case .cmyk: HALFTONE_JPEG_CMYK
        case .ycck: HALFTONE_JPEG_YCCK
        }
    }
}
