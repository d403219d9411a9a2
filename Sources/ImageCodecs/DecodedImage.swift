public import Raster

/// A decoded picture, upright.
public struct DecodedImage: Sendable {
    /// The pixels, at the size asked for or larger, turned as EXIF says.
    public var pixels: PixelBuffer
    /// The size of the picture in its file, turned as EXIF says.
    public var sourceSize: PixelSize
    /// The format.
    public var format: ImageFormat
    /// Whether only part of the picture could be read; the rest is transparent, or coarse.
    public var isPartial: Bool
    /// Whether it is a smaller picture that lies in the file beside the one itself, and may be out of date.
    public var isEmbedded: Bool
    /// How many frames the file has; this is the first.
    public var frameCount: Int
    /// Whether there are further frames.
    public var isAnimated: Bool { frameCount > 1 }

    /// Makes a picture from its parts.
    public init(
        pixels: PixelBuffer, sourceSize: PixelSize, format: ImageFormat, isPartial: Bool = false,
        isEmbedded: Bool = false, frameCount: Int = 1
    ) {
        self.pixels = pixels
        self.sourceSize = sourceSize
        self.format = format
        self.isPartial = isPartial
        self.isEmbedded = isEmbedded
        self.frameCount = frameCount
    }
}
