public import Network
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
        style: RenderStyle, generation: CacheGeneration = .any, mayBeEmbedded: Bool = false,
        standIn: Address? = nil
    ) {
        self.address = address
        self.referer = referer
        self.box = box
        self.region = region
        self.style = style
        self.generation = generation
        self.standIn = standIn
        self.mayBeEmbedded = mayBeEmbedded
    }
}
