import CImageCodecs
import Raster

/// One call of a C decoder, its result, and the memory it leaves.
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
        switch halftone_decode(
            format.cFormat, bytes, bytes.count, cTarget, &cLimits, &picture)
        {
        case HALFTONE_DECODED: break
        case HALFTONE_TOO_LARGE: throw .tooLarge(sourceSize, maxPixels: limits.maxPixels)
        case HALFTONE_TOO_LARGE_FRAME:
            throw .tooLarge(sourceSize, maxPixels: limits.maxFramePixels)
        case HALFTONE_TOO_SLOW: throw cancellation?.isCancelled == true ? .cancelled : .tooSlow
        default: throw .broken(format, picture.words)
        }
        convertInks(cLimits)
    }

    /// Inks with a profile become colours here, before their fourth byte can be taken for alpha.
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
}

extension halftone_picture {
    /// What the library says is wrong, without anything but printable ASCII.
    var words: String {
        withUnsafeBytes(of: error) { error in
            String(
                decoding: error.prefix { $0 != 0 }.filter { $0 >= 0x20 && $0 < 0x7F },
                as: UTF8.self)
        }
    }

    /// The pixels in sRGB, upright; one transparent pixel if there are none.
    ///
    /// Converting costs more than anything else a pixel: those that will be averaged anyway are, before.
    /// - Parameter target: The least size that will do, as stored; nil for all pixels.
    func pixels(
        turned orientation: Orientation, covering target: PixelSize?, _ limits: DecodeLimits
    ) -> PixelBuffer {
        guard let rgba else {
            let one = PixelSize(width: 1, height: 1)
            return PixelBuffer(size: one, bytes: [0, 0, 0, 0], isOpaque: false)
        }
        let stored = PixelBuffer(
            turning: rgba, size: PixelSize(width: Int(width), height: Int(height)), orientation,
            mayBeClear: may_be_clear || partial)
        guard colors.model != HALFTONE_INKS else { return stored }
        let size =
            target.map { stored.size.reduced(covering: orientation.turned($0)) } ?? stored.size
        let count = size.width * size.height
        guard
            let converter = ColorConverter(
                colors, count: count, limits: halftone_limits(limits, nil))
        else { return stored }
        var pixels = stored.resampled(to: size)
        pixels.bytes.withUnsafeMutableBufferPointer { bytes in
            converter.convert(bytes.baseAddress, count: count)
        }
        return pixels
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
