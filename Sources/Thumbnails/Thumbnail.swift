public import ImageCodecs
public import Network
public import Pipeline
public import Raster

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
    /// How pixels become cells.
    public var style: RenderStyle
    /// Past the cache.
    public var isReload: Bool

    /// Makes a request for the whole picture.
    public init(
        address: Address, referer: Address? = nil, box: CellSize, region: UnitRect = .whole,
        style: RenderStyle, isReload: Bool = false
    ) {
        self.address = address
        self.referer = referer
        self.box = box
        self.region = region
        self.style = style
        self.isReload = isReload
    }
}

/// A picture drawn in cells.
public struct Thumbnail: Sendable {
    /// The cells, at most the box asked for.
    public var cells: CellGrid
    /// What is known of the picture.
    public var facts: PictureFacts

    /// Makes a thumbnail.
    public init(cells: CellGrid, facts: PictureFacts) {
        self.cells = cells
        self.facts = facts
    }
}

/// What a picture's file told once it was decoded.
public struct PictureFacts: Hashable, Sendable {
    /// Pixels of the whole picture, upright.
    public var size: PixelSize
    /// The file's format.
    public var format: ImageFormat
    /// Bytes of the file.
    public var byteCount: Int
    /// The dominant colour, as it is in the picture.
    public var dominant: RGB
    /// The dominant colour as a tile's background, to suit the style's background.
    public var tint: RGB
    /// Whether only part of it could be read.
    public var isPartial: Bool
    /// Whether it moves.
    public var isAnimated: Bool
    /// Milliseconds from asking to the bytes, and to decode and draw them.
    public var fetchMilliseconds: Int
    /// Milliseconds to decode.
    public var decodeMilliseconds: Int

    /// Makes facts.
    public init(
        size: PixelSize, format: ImageFormat, byteCount: Int, dominant: RGB, tint: RGB,
        isPartial: Bool = false, isAnimated: Bool = false, fetchMilliseconds: Int = 0,
        decodeMilliseconds: Int = 0
    ) {
        self.size = size
        self.format = format
        self.byteCount = byteCount
        self.dominant = dominant
        self.tint = tint
        self.isPartial = isPartial
        self.isAnimated = isAnimated
        self.fetchMilliseconds = fetchMilliseconds
        self.decodeMilliseconds = decodeMilliseconds
    }
}

/// Why a picture stays a placeholder; the description is one line in plain words.
public enum ThumbnailError: CancellableError, Hashable, CustomStringConvertible {
    /// Nobody wanted it any more.
    case cancelled
    /// The bytes did not come.
    case fetch(FetchError)
    /// The bytes are no picture that can be read.
    case decode(DecodeError)

    /// The reason in plain words.
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .fetch(let error): error.description
        case .decode(let error): error.description
        }
    }
}

/// Draws pictures: fetch → decode → shrink → cells.
public protocol ThumbnailLoading: Sendable {
    /// The finished thumbnail if it is in memory; any thread, never waits for work.
    func cached(_ request: ThumbnailRequest) -> Thumbnail?

    /// Makes the thumbnail; callable on any thread. Requests that share a stage share its work.
    ///
    /// `completion` runs exactly once on the coordinator's queue; cancelling tells it `cancelled`.
    func load(
        _ request: ThumbnailRequest, priority: Priority,
        completion: @escaping @Sendable (Result<Thumbnail, ThumbnailError>) -> Void
    ) -> Subscription

    /// Transfers under way at this moment; any thread.
    var transfersInFlight: Int { get }
}
