import Basics
import CImageCodecs
import Raster

/// The result of the C decoders; owns the memory they allocate.
struct CPicture: ~Copyable {
    var raw = halftone_picture()
    private let limits: DecodeLimits

    /// - Parameter size: The stored size; required for SVG and BMP.
    init(_ limits: DecodeLimits, size: PixelSize? = nil) {
        self.limits = limits
        raw.source_width = Int32(clamping: size?.width ?? 0)
        raw.source_height = Int32(clamping: size?.height ?? 0)
    }

    deinit {
        var raw = raw
        halftone_picture_free(&raw)
    }

    /// The size in the file, as stored.
    var sourceSize: PixelSize {
        PixelSize(width: Int(raw.source_width), height: Int(raw.source_height))
    }

    /// The library's error message, reduced to printable ASCII.
    var words: String {
        withUnsafeBytes(of: raw.error) { error in
            String(utf8: error.prefix { $0 != 0 }.filter { $0 >= 0x20 && $0 < 0x7F })
        }
    }

    /// Reads the header of a JPEG.
    mutating func readJPEGHeader(_ bytes: FileBytes) {
        var limits = halftone_limits(limits)
        bytes.withPointer { bytes, count, _ in
            halftone_read_jpeg_header(bytes, count, &limits, &raw)
        }
    }

    /// - Parameter target: The wanted size, as stored in the file.
    mutating func decode(
        _ format: ImageFormat, _ bytes: FileBytes, covering target: PixelSize?, page: Int = 1,
        _ cancellation: DecodeCancellation?
    ) throws(DecodeError) {
        var cLimits = halftone_limits(limits, cancellation)
        let status = bytes.withPointer {
            halftone_decode(
                format.cFormat, $0, $1, $2, halftone_target(target, page: page), &cLimits, &raw)
        }
        try check(status, format, cancellation)
    }

    /// Throws the error that `status` stands for.
    func check(
        _ status: halftone_status, _ format: ImageFormat, _ cancellation: DecodeCancellation?
    ) throws(DecodeError) {
        switch status {
        case HALFTONE_DECODED: break
        case HALFTONE_TOO_LARGE:
            let isFrame = sourceSize.count <= limits.maxPixels
            throw .tooLarge(
                sourceSize, maxPixels: isFrame ? limits.maxFramePixels : limits.maxPixels)
        case HALFTONE_TOO_SLOW: throw cancellation?.isCancelled == true ? .cancelled : .tooSlow
        default: throw .broken(format, words)
        }
    }

    /// Returns the pixels in sRGB, upright; one transparent pixel if nothing was decoded.
    ///
    /// Colour conversion costs more per pixel than anything else, so pixels are averaged before it.
    /// - Parameter colors: The file's colour information, if it is not that of the decoded picture.
    /// - Parameter target: The minimum size, as stored; nil for all pixels.
    func pixels(
        in colors: halftone_colors? = nil, turned orientation: Turn,
        covering target: PixelSize?
    ) -> PixelBuffer {
        guard let rgba = raw.rgba else {
            return PixelBuffer(
                filledWith: RGB(0), alpha: 0, size: PixelSize(width: 1, height: 1))
        }
        var colors = colors ?? raw.colors
        var cLimits = halftone_limits(limits)
        let stored = PixelBuffer(
            turning: rgba, size: PixelSize(width: Int(raw.width), height: Int(raw.height)),
            orientation, mayBeClear: raw.may_be_clear || raw.partial)
        guard colors.model != HALFTONE_INKS, halftone_needs_conversion(&colors, &cLimits)
        else { return stored }
        let size =
            target.map { stored.size.reduced(covering: orientation.turned($0)) } ?? stored.size
        var pixels = stored.resampled(to: size)
        pixels.bytes.withUnsafeMutableBufferPointer { bytes in
            _ = halftone_convert(&colors, bytes.baseAddress, bytes.count / 4, &cLimits)
        }
        return pixels
    }
}

extension halftone_limits {
    init(_ limits: DecodeLimits, _ cancellation: DecodeCancellation? = nil) {
        self.init(
            max_pixels: Int64(limits.maxPixels),
            max_frame_pixels: Int64(limits.maxFramePixels),
            max_memory: Int64(limits.maxMemory), max_scans: Int32(clamping: limits.maxScans),
            seconds: limits.seconds, cancelled: cancellation?.flag)
    }
}

extension halftone_target {
    /// Creates a target; nil stands for the full size.
    init(_ size: PixelSize?, page: Int = 1) {
        self.init(
            width: Int32(clamping: size?.width ?? 0), height: Int32(clamping: size?.height ?? 0),
            page: Int32(clamping: page))
    }
}

extension PixelSize {
    /// Returns the smallest size with this aspect ratio that covers `target`, or this size if that would be larger.
    fileprivate func reduced(covering target: PixelSize) -> PixelSize {
        let scale = max(
            Double(target.width) / Double(width), Double(target.height) / Double(height))
        guard scale < 1 else { return self }
        return scaled { ($0 * scale).rounded(.up) }
    }
}
