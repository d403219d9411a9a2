import CImageCodecs
public import Raster
import Synchronization

/// Decodes the first frame of a picture file at reduced size.
public struct ImageDecoder: Sendable {
    /// The resource limits of a decode.
    public var limits: DecodeLimits

    /// Creates a decoder.
    public init(limits: DecodeLimits = DecodeLimits()) { self.limits = limits }

    /// Decodes `bytes` at the smallest size the format offers that covers `target` in both directions (upright); at full size if nil.
    ///
    /// A picture that is smaller than `target` in one direction is decoded at its full size in that direction. Callable from any thread;
    /// blocks for the CPU time of the decode.
    /// - Parameter page: The number of a PDF's page; 0 only counts its pages, as frames.
    /// - Parameter cancellation: Ends the decode early, from any thread.
    /// - Throws: `DecodeError` if not even a part of the picture can be read.
    public func decode(
        _ bytes: FileBytes, covering target: PixelSize?, page: Int = 1,
        cancellation: DecodeCancellation? = nil
    ) throws(DecodeError) -> DecodedImage {
        let header = try header(of: bytes)
        let inner = header.format == .raw ? CameraRaw(bytes)?.previews.last : nil
        let stored = target.map(header.orientation.turned)
        var picture = CPicture(limits, size: header.size)
        try picture.decode(
            header.format, inner ?? bytes, covering: stored, page: page, cancellation)
        let turn = header.orientation.followed(by: Turn(quarters: Int(picture.raw.quarters)))
        return DecodedImage(
            pixels: picture.pixels(turned: turn, covering: stored),
            sourceSize: turn.turned(picture.sourceSize), format: header.format,
            isPartial: picture.raw.partial,
            frameCount: max(Int(picture.raw.frames), header.frameCount),
            milliseconds: Int(picture.raw.milliseconds))
    }

    /// Reads the header and checks it against the limits.
    func header(of bytes: FileBytes) throws(DecodeError) -> ImageHeader {
        guard let format = ImageFormat(sniffing: bytes) else {
            throw .unknownFormat(ForeignFormat.name(of: bytes))
        }
        guard format.isReadable else { throw .unknownFormat(format.rawValue) }
        if format.isReadWhileDecoding { return ImageHeader(unread: format) }
        guard let header = ImageHeader(of: bytes, format) else {
            // Of a BigTIFF the library alone reads it.
            if format == .tiff { return ImageHeader(unread: format) }
            throw .broken(format, format == .raw ? "it has no preview" : "its size is missing")
        }
        let maxPixels =
            format.isHeldWhole ? min(limits.maxPixels, limits.maxFramePixels) : limits.maxPixels
        guard header.size.count <= maxPixels else {
            throw .tooLarge(header.size, maxPixels: maxPixels)
        }
        return header
    }
}

/// A decoded picture, upright.
public struct DecodedImage: Sendable {
    /// The pixels, at the requested size or larger, upright according to EXIF.
    public var pixels: PixelBuffer
    /// The size of the picture in its file, upright according to EXIF.
    public let sourceSize: PixelSize
    /// The format.
    public let format: ImageFormat
    /// Whether only part of the picture could be read; the rest is transparent, or coarse.
    public let isPartial: Bool
    /// Whether this is a smaller picture embedded in the file, which may be out of date.
    public let isEmbedded: Bool
    /// The number of frames in the file; the pixels are those of the first.
    public let frameCount: Int
    /// The duration of a video; 0 if there is none.
    public let milliseconds: Int

    /// Creates a decoded picture.
    public init(
        pixels: PixelBuffer, sourceSize: PixelSize, format: ImageFormat, isPartial: Bool = false,
        isEmbedded: Bool = false, frameCount: Int, milliseconds: Int = 0
    ) {
        self.pixels = pixels
        self.sourceSize = sourceSize
        self.format = format
        self.isPartial = isPartial
        self.isEmbedded = isEmbedded
        self.frameCount = frameCount
        self.milliseconds = milliseconds
    }
}

/// The resource limits of a decode; anything beyond them is rejected before memory is allocated.
public struct DecodeLimits: Hashable, Sendable, BitwiseCopyable {
    /// The maximum number of pixels of a picture.
    public var maxPixels = 100_000_000
    /// The maximum number of pixels of a picture that must be held whole: a GIF, an interlaced PNG, a lossless or animated WebP.
    public var maxFramePixels = 40_000_000
    /// The maximum number of pixels of an animation's canvas: 4K.
    ///
    /// About 36 MB per canvas; a WebP needs three, GIF and PNG two if a frame restores what it covered.
    public var maxAnimationPixels = 9_000_000
    /// The maximum size of a progressive JPEG's coefficients, in bytes.
    var maxMemory = 200 << 20
    /// The maximum number of scans read from a progressive JPEG; the picture is shown as it is after them.
    ///
    /// Encoders write about 10.
    var maxScans = 50
    /// The CPU time for one decode, in seconds.
    public var seconds = 20.0

    /// Creates the default limits: generous for today's pictures, small enough for a bomb to fail quickly.
    public init() {}
}

/// Cancels a decode that runs on another thread, usually within a row.
public final class DecodeCancellation: @unchecked Sendable {
    // @unchecked: the pointer never changes, and refers to one atomic flag.
    let flag = UnsafeMutablePointer<Atomic<Bool>>.allocate(capacity: 1)

    /// Creates a cancellation that has not been triggered.
    public init() { flag.initialize(to: Atomic(false)) }

    deinit { flag.deallocate() }

    /// Ends every decode that uses this object with `DecodeError.cancelled`; callable from any thread, any number of times.
    public func cancel() { flag.pointee.store(true, ordering: .relaxed) }

    /// Whether `cancel()` has been called; readable from any thread.
    public var isCancelled: Bool { flag.pointee.load(ordering: .relaxed) }
}
