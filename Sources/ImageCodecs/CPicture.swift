import CImageCodecs
import Raster

/// The only place that calls the C decoders: one call, its result, and the memory it leaves.
struct CPicture: ~Copyable {
    private var picture = halftone_picture()
    private let format: ImageFormat
    private let bytes: [UInt8]
    private let target: PixelSize?

    /// - Parameter target: As stored in the file.
    init(_ format: ImageFormat, _ bytes: [UInt8], covering target: PixelSize?) {
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

    var isAnimated: Bool { picture.animated }

    mutating func decode(_ limits: DecodeLimits) throws(DecodeError) {
        var cLimits = halftone_limits(
            max_pixels: Int64(limits.maxPixels),
            max_frame_pixels: Int64(limits.maxFramePixels),
            max_memory: Int64(limits.maxMemory), max_scans: Int32(clamping: limits.maxScans),
            seconds: limits.seconds)
        let cTarget = halftone_target(
            width: Int32(clamping: target?.width ?? 0), height: Int32(clamping: target?.height ?? 0)
        )
        let status = decoder(bytes, bytes.count, cTarget, &cLimits, &picture)
        switch status {
        case HALFTONE_DECODED: return
        case HALFTONE_TOO_LARGE: throw .tooLarge(sourceSize, maxPixels: limits.maxPixels)
        case HALFTONE_TOO_LARGE_FRAME:
            throw .tooLarge(sourceSize, maxPixels: limits.maxFramePixels)
        case HALFTONE_TOO_SLOW: throw .tooSlow
        default: throw .broken(format, words)
        }
    }

    /// The pixels, upright; one transparent pixel if nothing was decoded.
    func pixels(turned orientation: Orientation) -> PixelBuffer {
        let size = PixelSize(width: Int(picture.width), height: Int(picture.height))
        guard let rgba = picture.rgba else {
            let one = PixelSize(width: 1, height: 1)
            return PixelBuffer(size: one, bytes: [0, 0, 0, 0], isOpaque: false)
        }
        return PixelBuffer(
            turning: rgba, size: size, orientation,
            mayBeClear: picture.may_be_clear || picture.partial)
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
        }
    }

    /// What the library says is wrong, without anything but printable ASCII.
    private var words: String {
        withUnsafeBytes(of: picture.error) { error in
            String(
                decoding: error.prefix { $0 != 0 }.filter { $0 >= 0x20 && $0 < 0x7F },
                as: UTF8.self)
        }
    }
}
