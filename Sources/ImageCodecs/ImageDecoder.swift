import CImageCodecs
public import Raster

/// Decodes the first frame of a picture file at reduced size.
public struct ImageDecoder: Sendable {
    /// What a decode may cost.
    public var limits: DecodeLimits

    /// Makes a decoder.
    public init(limits: DecodeLimits = DecodeLimits()) { self.limits = limits }

    /// Decodes `bytes` at the smallest size the format offers that is at least `target` in both directions (upright); whole if nil.
    ///
    /// A picture that is smaller than `target` in one direction is decoded at its full size in that direction.
    /// Blocks for the CPU time it takes; on any thread.
    /// - Parameter cancellation: Makes it end early, from any thread.
    /// - Throws: `DecodeError`, when not even a part of the picture can be read.
    public func decode(
        _ bytes: FileBytes, covering target: PixelSize?, cancellation: DecodeCancellation? = nil
    ) throws(DecodeError) -> DecodedImage {
        let header = try header(of: bytes)
        let drawing = header.format == .svg ? try SVGScreen(Array(bytes)) : nil
        let stored = target.map(header.orientation.turned)
        var picture = CPicture(size: header.size)
        try picture.decode(
            header.format, drawing.map { FileBytes($0.bytes) } ?? bytes, covering: stored, limits,
            cancellation)
        return DecodedImage(
            pixels: picture.pixels(turned: header.orientation, covering: stored, limits),
            sourceSize: header.orientation.turned(picture.sourceSize), format: header.format,
            isPartial: picture.raw.partial || drawing?.isPartial == true,
            frameCount: max(Int(picture.raw.frames), header.frameCount))
    }

    /// The same of an array.
    public func decode(
        _ bytes: [UInt8], covering target: PixelSize?, cancellation: DecodeCancellation? = nil
    ) throws(DecodeError) -> DecodedImage {
        try decode(FileBytes(bytes), covering: target, cancellation: cancellation)
    }

    /// The header, once it is known to be within the limits.
    func header(of bytes: FileBytes) throws(DecodeError) -> ImageHeader {
        guard let format = ImageFormat(sniffing: bytes) else {
            throw .unknownFormat(ForeignFormat.name(of: bytes))
        }
        guard format.isReadable else { throw .unknownFormat(format.rawValue) }
        guard let header = ImageHeader(of: bytes, format) else {
            throw .broken(format, "it does not say how large it is")
        }
        let maxPixels =
            header.isHeldWhole ? min(limits.maxPixels, limits.maxFramePixels) : limits.maxPixels
        guard header.size.width * header.size.height <= maxPixels else {
            throw .tooLarge(header.size, maxPixels: maxPixels)
        }
        return header
    }
}

/// A decoded picture, upright.
public struct DecodedImage: Sendable {
    /// The pixels, at the size asked for or larger, turned as EXIF says.
    public var pixels: PixelBuffer
    /// The size of the picture in its file, turned as EXIF says.
    public let sourceSize: PixelSize
    /// The format.
    public let format: ImageFormat
    /// Whether only part of the picture could be read; the rest is transparent, or coarse.
    public let isPartial: Bool
    /// Whether it is a smaller picture that lies in the file beside the one itself, and may be out of date.
    public let isEmbedded: Bool
    /// How many frames the file has; this is the first.
    public let frameCount: Int

    /// Makes one of what a decoder told.
    public init(
        pixels: PixelBuffer, sourceSize: PixelSize, format: ImageFormat, isPartial: Bool = false,
        isEmbedded: Bool = false, frameCount: Int
    ) {
        self.pixels = pixels
        self.sourceSize = sourceSize
        self.format = format
        self.isPartial = isPartial
        self.isEmbedded = isEmbedded
        self.frameCount = frameCount
    }
}

/// What a decode may cost; anything beyond is refused before memory is taken.
public struct DecodeLimits: Hashable, Sendable, BitwiseCopyable {
    /// The most pixels of a picture.
    public var maxPixels = 100_000_000
    /// The most pixels of a picture all of which must be held at once: an interlaced PNG or GIF, a lossless or animated WebP.
    public var maxFramePixels = 40_000_000
    /// The most pixels of an animation's canvas: 4K.
    ///
    /// Some 36 MB, of which libwebp holds three, and GIF and PNG two where a frame gives back what it covered.
    public var maxAnimationPixels = 9_000_000
    /// The most bytes of a progressive JPEG's coefficients.
    public var maxMemory = 200 << 20
    /// The most scans of a progressive JPEG that are read; the picture is shown as those leave it.
    ///
    /// Encoders write about 10.
    public var maxScans = 50
    /// CPU seconds for one decode.
    public var seconds = 20.0

    /// The defaults: generous for pictures of today, small enough for a bomb to fail quickly.
    public init() {}
}

/// Ends a decode that runs on another thread, mostly within a row.
public final class DecodeCancellation: @unchecked Sendable {
    // @unchecked: the pointer never changes, and what it points to is one atomic flag.
    let flag: OpaquePointer?

    /// Makes one that is not cancelled yet.
    public init() { flag = halftone_flag_make() }

    deinit { halftone_flag_free(flag) }

    /// Ends every decode that was given this, with `DecodeError.cancelled`; any thread, any number of times.
    public func cancel() {
        guard let flag else { return }
        halftone_flag_raise(flag)
    }

    /// Whether it has been cancelled; any thread.
    public var isCancelled: Bool { flag.map(halftone_flag_is_raised) ?? false }
}
