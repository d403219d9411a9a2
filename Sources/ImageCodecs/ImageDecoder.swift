public import Raster

/// What a decode may cost; anything beyond is refused before memory is taken.
public struct DecodeLimits: Hashable, Sendable {
    /// The most pixels of a picture.
    public var maxPixels = 100_000_000
    /// CPU seconds for one decode.
    public var seconds = 20.0

    /// The defaults (MEASURED A4).
    public init() {}
}

/// A decoded picture, upright.
public struct DecodedImage: Sendable {
    /// The pixels, at the size asked for or larger, turned as EXIF says.
    public var pixels: PixelBuffer
    /// The size of the picture in its file, turned as EXIF says.
    public var sourceSize: PixelSize
    /// The format.
    public var format: ImageFormat
    /// Whether only part of the picture could be read.
    public var isPartial: Bool
    /// Whether there are further frames.
    public var isAnimated: Bool
}

/// Why a file gives no picture; the description is one line in plain words.
public enum DecodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No format that can be read; what it looks like instead ("HTML", "AVIF", "unknown").
    case unknownFormat(String)
    /// Larger than allowed.
    case tooLarge(PixelSize, maxPixels: Int)
    /// Took longer than allowed.
    case tooSlow
    /// The library's word for what is wrong.
    case broken(ImageFormat, String)

    /// The reason in plain words.
    public var description: String { "to be written" }
}

/// Decodes the first frame of a JPEG, PNG, WebP or GIF file at reduced size.
public struct ImageDecoder: Sendable {
    /// What a decode may cost.
    public var limits: DecodeLimits

    /// Makes a decoder.
    public init(limits: DecodeLimits = DecodeLimits()) {
        self.limits = limits
    }

    /// Decodes `bytes` at the smallest size the format offers that is at least `target` in both directions (upright); whole if nil.
    ///
    /// Blocks for the CPU time it takes; on any thread.
    /// - Throws: `DecodeError`, when not even a part of the picture can be read.
    public func decode(_ bytes: [UInt8], covering target: PixelSize?) throws(DecodeError)
        -> DecodedImage
    {
        throw .unknownFormat("to be written")
    }
}
