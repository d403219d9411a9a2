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
        default: throw .broken(format, words)
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
    ///
    /// Converting costs more than anything else a pixel: those that are to be averaged anyway are, before.
    func pixels(turned orientation: Orientation, _ limits: DecodeLimits) -> PixelBuffer {
        let stored = storedPixels(turned: orientation)
        guard picture.colors.model != HALFTONE_INKS else { return stored }
        let size =
            target.map { stored.size.reduced(covering: orientation.turned($0)) } ?? stored.size
        let count = size.width * size.height
        guard
            let converter = ColorConverter(
                picture.colors, count: count, limits: halftone_limits(limits, nil))
        else { return stored }
        var pixels = stored.resampled(to: size)
        pixels.bytes.withUnsafeMutableBufferPointer { bytes in
            converter.convert(bytes.baseAddress, count: count)
        }
        return pixels
    }

    private func storedPixels(turned orientation: Orientation) -> PixelBuffer {
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

extension halftone_limits {
    init(_ limits: DecodeLimits, _ cancellation: DecodeCancellation?) {
        self.init(
            max_pixels: Int64(limits.maxPixels),
            max_frame_pixels: Int64(limits.maxFramePixels),
            max_memory: Int64(limits.maxMemory), max_scans: Int32(clamping: limits.maxScans),
            seconds: limits.seconds, cancelled: cancellation?.flag)
    }
}

extension halftone_target {
    /// Nil is the whole picture.
    init(_ size: PixelSize?) {
        self.init(
            width: Int32(clamping: size?.width ?? 0), height: Int32(clamping: size?.height ?? 0))
    }
}

extension PixelSize {
    /// The least size of the same shape that covers `target`; itself where that is larger.
    fileprivate func reduced(covering target: PixelSize) -> PixelSize {
        let scale = max(
            Double(target.width) / Double(width), Double(target.height) / Double(height))
        guard scale < 1 else { return self }
        return PixelSize(
            width: max(1, Int((Double(width) * scale).rounded(.up))),
            height: max(1, Int((Double(height) * scale).rounded(.up))))
    }
}
