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
    /// Whether there are further frames.
    public var isAnimated: Bool

    /// Makes a picture from its parts.
    public init(
        pixels: PixelBuffer, sourceSize: PixelSize, format: ImageFormat, isPartial: Bool = false,
        isAnimated: Bool = false
    ) {
        self.pixels = pixels
        self.sourceSize = sourceSize
        self.format = format
        self.isPartial = isPartial
        self.isAnimated = isAnimated
    }
}
