/// What a decode may cost; anything beyond is refused before memory is taken.
public struct DecodeLimits: Hashable, Sendable {
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

    /// The defaults (MEASURED A4).
    public init() {}
}
