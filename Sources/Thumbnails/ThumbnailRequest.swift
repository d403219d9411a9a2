public import ImageCodecs
public import Network
public import Pipeline
public import Raster
public import Sandbox

/// A picture to be drawn into a box of cells.
public struct ThumbnailRequest: Hashable, Sendable {
    /// The file to draw.
    public var address: Address
    /// The page that shows it.
    public var referer: Address?
    /// The box to fit into; the result has the picture's aspect ratio and may be smaller in one direction.
    public var box: CellSize
    /// The part of the picture that fills the box.
    public var region: UnitRect
    /// How it is turned; `region` is a part of what is seen then.
    public var turn = Turn()
    /// How pixels become cells.
    public var style: RenderStyle
    /// What answers it: nothing that was fetched for an earlier generation.
    public var generation: CacheGeneration
    /// A smaller file of the same picture, to be seen in a preview where the file has not come yet.
    public var standIn: Address?
    /// Whether a smaller picture that its camera put into the file will do, where it is fine enough.
    ///
    /// It is there at a fraction of the cost, but may show an older state of the picture.
    public var mayBeEmbedded: Bool

    /// Makes a request for the whole picture.
    public init(
        address: Address, referer: Address? = nil, box: CellSize, region: UnitRect = .whole,
        style: RenderStyle, generation: CacheGeneration = .any, mayBeEmbedded: Bool = false
    ) {
        self.address = address
        self.referer = referer
        self.box = box
        self.region = region
        self.style = style
        self.generation = generation
        self.mayBeEmbedded = mayBeEmbedded
    }

    /// How large the part of a picture of `source` pixels is drawn, as it is turned.
    func fit(_ source: PixelSize) -> Fit {
        Fit(turn.turned(source), region: region, into: box, style: style)
    }

    /// The part asked for of `picture`, turned, at `size`.
    func seen(of picture: PixelBuffer, at size: PixelSize) -> PixelBuffer {
        picture.resampled(turn.source(of: region), to: turn.turned(size)).turned(turn)
    }

    /// What its cells depend on: the key of the job that draws them.
    var cellsKey: ThumbnailRequest {
        var key = self
        key.referer = nil
        key.standIn = nil
        return key
    }

    /// Its cells of whatever generation: the key in memory.
    var memoryKey: ThumbnailRequest {
        var key = cellsKey
        key.generation = .any
        return key
    }

    var fileRequest: Request {
        Request(address, for: .picture, referer: referer, generation: generation)
    }
}

/// What may be set about drawing pictures.
public struct ThumbnailOptions: Sendable {
    /// Bytes of reduced pictures kept in memory: some 1,300 tiles of 24 columns, 18 KB each.
    public var reducedBytes = 24 << 20
    /// Bytes of drawn cells kept in memory: some 5,000 such tiles, so that 10,000 pictures scrolled through stay below 150 MB in all.
    public var cellsBytes = 24 << 20
    /// Tells when the caches shrink.
    public var pressure = MemoryPressure(residentLimit: 400 << 20)
    /// What a decode may cost.
    public var decodeLimits = DecodeLimits()
    /// Where pictures are decoded, with the work of `DecoderProcess`; in this process if nil.
    public var sandbox: Sandbox?

    /// The defaults.
    public init() {}
}
