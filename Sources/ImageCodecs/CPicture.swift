import CImageCodecs
import Raster

/// The only place that calls the C decoders: one call, its result, and the memory it leaves.
struct CPicture: ~Copyable {
    private var picture = halftone_picture()
    private let format: ImageFormat
    private let bytes: [UInt8]
    private let target: PixelSize?

    /// - Parameter target: As stored in the file.
    /// - Parameter size: Of a drawing, whose decoder must be told.
    init(
        _ format: ImageFormat, _ bytes: [UInt8], covering target: PixelSize?,
        size: PixelSize? = nil
    ) {
        if let size {
            picture.source_width = Int32(clamping: size.width)
            picture.source_height = Int32(clamping: size.height)
        }
        self.format = format
        self.bytes = bytes
        self.target = target
    }

    deinit {
        var picture = picture
        halftone_picture_free(&picture)
    }

    /// The size in the file, as stored.
    var sourceSize: PixelSize {
        PixelSize(width: Int(picture.source_width), height: Int(picture.source_height))
    }

    var isPartial: Bool { picture.partial }

    /// How many frames the file has, if only its decoder can tell.
    var frameCount: Int? { picture.frames > 0 ? Int(picture.frames) : nil }

    /// Takes the pixels' colours for those that the JPEG `main` says; false if they are of another kind than its own.
    mutating func takeColors(ofJPEG main: [UInt8], _ limits: DecodeLimits) -> Bool {
        var cLimits = halftone_limits(limits, nil)
        var other = halftone_picture()
        halftone_note_jpeg_colors(main, main.count, &cLimits, &other)
        swap(&picture.colors, &other.colors)
        defer { halftone_picture_free(&other) }
        return picture.colors.model == other.colors.model && picture.colors.model != HALFTONE_INKS
    }

    mutating func decode(
        _ limits: DecodeLimits, _ cancellation: DecodeCancellation?
    ) throws(DecodeError) {
        var cLimits = halftone_limits(limits, cancellation)
        let cTarget = halftone_target(target)
        let status = decoder(bytes, bytes.count, cTarget, &cLimits, &picture)
        switch status {
        case HALFTONE_DECODED: break
        case HALFTONE_TOO_LARGE: throw .tooLarge(sourceSize, maxPixels: limits.maxPixels)
        case HALFTONE_TOO_LARGE_FRAME:
            throw .tooLarge(sourceSize, maxPixels: limits.maxFramePixels)
        case HALFTONE_TOO_SLOW: throw cancellation?.isCancelled == true ? .cancelled : .tooSlow
        default: throw .broken(format, picture.words)
        }
        convertInks(cLimits)
    }

    /// Inks with a profile become colours here, before anything takes their fourth byte for alpha.
    private func convertInks(_ limits: halftone_limits) {
        guard picture.colors.model == HALFTONE_INKS, picture.colors.profile != nil else { return }
        let count = Int(picture.width) * Int(picture.rows)
        if let converter = ColorConverter(picture.colors, count: count, limits: limits) {
            converter.convert(picture.rgba, count: count)
        } else {
            var colors = picture.colors
            halftone_plain_inks(&colors, picture.rgba, count)
        }
    }

    /// The pixels in sRGB, upright; one transparent pixel if nothing was decoded.
    func pixels(turned orientation: Orientation, _ limits: DecodeLimits) -> PixelBuffer {
        picture.pixels(turned: orientation, covering: target, limits)
    }

    private typealias Decoder = (
        UnsafePointer<UInt8>?, Int, halftone_target, UnsafePointer<halftone_limits>?,
        UnsafeMutablePointer<halftone_picture>?
    ) -> halftone_status

    private var decoder: Decoder {
        switch format {
        case .jpeg: halftone_decode_jpeg
        case .png: halftone_decode_png
        case .webp: halftone_decode_webp
        case .gif: halftone_decode_gif
        case .tiff: halftone_decode_tiff
        case .bmp: halftone_decode_bmp
        case .avif: halftone_decode_avif
        case .jpegXL: halftone_decode_jxl
        case .svg: halftone_decode_svg
        }
    }
}
