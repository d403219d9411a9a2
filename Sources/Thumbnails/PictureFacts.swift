public import ImageCodecs
public import Raster

/// What a picture's file told once it was decoded.
public struct PictureFacts: Hashable, Sendable {
    /// Pixels of the whole picture, upright.
    public var size: PixelSize
    /// The file's format.
    public var format: ImageFormat
    /// The format's name, for people.
    public var formatName: String { format.rawValue }
    /// Bytes of the file.
    public var byteCount: Int
    /// The dominant colour, as it is in the picture.
    public var dominant: RGB
    /// The dominant colour as a tile's background, to suit the style's background.
    public var tint: RGB
    /// Whether only part of it could be read.
    public var isPartial: Bool
    /// How many frames the file has; 1 for a still picture.
    public var frameCount: Int
    /// Whether it moves, and can be played.
    public var isAnimated: Bool { frameCount > 1 && format.canPlay }
    /// Where the time went until it was on the screen.
    public var timings: PictureTimings

    /// Makes facts.
    public init(
        size: PixelSize, format: ImageFormat, byteCount: Int, dominant: RGB, tint: RGB,
        isPartial: Bool = false, frameCount: Int = 1,
        timings: PictureTimings = PictureTimings()
    ) {
        self.size = size
        self.format = format
        self.byteCount = byteCount
        self.dominant = dominant
        self.tint = tint
        self.isPartial = isPartial
        self.frameCount = frameCount
        self.timings = timings
    }
}
