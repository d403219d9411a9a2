public import ImageCodecs
public import Network
public import Pipeline
public import Raster
public import Sandbox

/// A request to draw a picture into a box of cells.
public struct ThumbnailRequest: Hashable, Sendable {
    /// The file to draw.
    public var address: Address
    /// The page that contains it.
    public var referer: Address?
    /// The box to fit into; the result keeps the picture's aspect ratio and may be smaller in one direction.
    public var box: CellSize
    /// The box for which pixels are kept if drawings of several sizes share them; nil for `box`.
    public var keptBox: CellSize?
    /// The part of the picture that fills the box.
    public var region: UnitRect
    /// The orientation; `region` refers to the turned picture.
    public var turn = Turn()
    /// The rendering style.
    public var style: RenderStyle
    /// The minimum cache generation of the answer.
    public var generation: CacheGeneration
    /// A smaller file of the same picture, shown in previews where the file has not arrived yet.
    public var standIn: Address?
    /// Whether a smaller picture embedded by the camera will do, if it is fine enough.
    ///
    /// It is available at a fraction of the cost, but may be out of date.
    var mayBeEmbedded: Bool

    /// Creates a request, by default for the whole picture.
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

    /// Returns the size at which a picture of `source` pixels is drawn, after turning.
    func fit(_ source: PixelSize) -> Fit {
        style.crop == .box
            ? Fit(filling: box, style: style)
            : Fit(turn.turned(source), region: part(of: source), into: box, style: style)
    }

    /// Returns the part of a picture of `source` pixels that is drawn, in fractions of the turned picture.
    func part(of source: PixelSize) -> UnitRect {
        let upright = turn.turned(source)
        return switch style.crop {
        case .none: region
        case .strips: UnitRect(x: 0, y: 0, width: 1, height: 1 / Fit.excess(of: upright))
        case .box: Fit.middle(of: upright, filling: box, style: style)
        }
    }

    /// Returns the requested part of `picture`, reduced from one of `source` pixels, turned, at `size`.
    func seen(of picture: PixelBuffer, from source: PixelSize, at size: PixelSize) -> PixelBuffer {
        picture.resampled(turn.source(of: part(of: source)), to: turn.turned(size)).turned(turn)
    }

    var fileRequest: Request {
        Request(address, for: .picture, referer: referer, generation: generation)
    }

    var pixelKey: PixelKey {
        PixelKey(
            file: cellKey.fileRequest, reduction: ReducedSize(for: self),
            mayBeEmbedded: mayBeEmbedded)
    }

    /// What cells depend on: the request, whichever page names the file.
    var cellKey: ThumbnailRequest {
        var key = self
        key.referer = nil
        key.standIn = nil
        return key
    }
}

/// What reduced pixels depend on: the file, whichever page names it, and how they are reduced.
struct PixelKey: Hashable {
    var file: Request
    var reduction: ReducedSize
    var mayBeEmbedded: Bool
}

/// The settings of the thumbnail pipeline.
public struct ThumbnailOptions: Sendable {
    /// The memory budget for reduced pictures, in bytes: some 600 tiles of 24 columns, 40 KB each.
    var reducedBytes = 24 << 20
    /// The memory budget for drawn cells, in bytes: some 5,000 such tiles; scrolling through 10,000 pictures stays below 150 MB in total.
    var cellsBytes = 24 << 20
    /// Determines when the caches shrink.
    public var pressure = MemoryPressure(residentLimit: 400 << 20)
    /// The resource limits of a decode.
    public var decodeLimits = DecodeLimits()
    /// The sandbox in which `DecoderWork` decodes pictures; nil to decode in this process.
    public var sandbox: Sandbox?

    /// Creates the default settings.
    public init() {}
}
