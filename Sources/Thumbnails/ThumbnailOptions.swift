public import ImageCodecs
public import Pipeline

/// What may be set about drawing pictures.
public struct ThumbnailOptions: Sendable {
    /// Bytes of reduced pictures kept in memory.
    ///
    /// A tile of 24 columns has a picture of 18 KB reduced, so this keeps some 1,300: every tile on the screen and the
    /// pages around it can be drawn again in another style without fetching or decoding.
    public var reducedBytes = 24 << 20
    /// Bytes of drawn cells kept in memory.
    ///
    /// A grid tile of 24 columns has about 200 cells, 4 KB, so this keeps some 5,000. With the reduced pictures, the program itself and
    /// what is under way, 10,000 pictures scrolled through stay below 150 MB.
    public var cellsBytes = 24 << 20
    /// Tells when the caches shrink.
    public var pressure = MemoryPressure(residentLimit: 400 << 20)
    /// What a decode may cost.
    public var decodeLimits = DecodeLimits()

    /// The defaults.
    public init() {}
}
