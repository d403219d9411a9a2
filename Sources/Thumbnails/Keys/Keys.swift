import Network
import Pipeline
import Raster

// Each key holds exactly what its stage's result depends on, so that whatever can be shared is, and nothing else.

/// A result in one edition of the picture's file: a reload makes a new one, which shares nothing with the old.
struct Edition<Key: Hashable & Sendable>: Hashable, Sendable {
    var key: Key
    var number: CacheGeneration
}

/// A file's bytes, or the word that they are still those `known`.
struct FileKey: Hashable, Sendable {
    var address: Address
    var known: ContentHash?
}

/// Decoded and reduced pixels.
struct ReducedKey: Hashable, Sendable {
    var address: Address
    var reduction: Reduction
    /// Whether they may be, and in memory are, those of a picture embedded in the file.
    var mayBeEmbedded = false
}

/// Pixels of the size that is drawn.
///
/// Colours and tint do not matter yet, and block sets of one grid share it.
struct ShrunkKey: Hashable, Sendable {
    var address: Address
    var box: CellSize
    var region: UnitRect
    /// Sub-pixels of one cell.
    var grid: PixelSize
    var cellAspect: Double
    var mayBeEmbedded: Bool

    init(_ request: ThumbnailRequest) {
        address = request.address
        box = request.box
        region = request.region
        grid = request.style.blocks.subpixels
        cellAspect = request.style.cellAspect
        mayBeEmbedded = request.mayBeEmbedded
    }
}

/// Cells.
struct CellsKey: Hashable, Sendable {
    var address: Address
    var box: CellSize
    var region: UnitRect
    var style: RenderStyle
    var mayBeEmbedded: Bool

    init(_ request: ThumbnailRequest) {
        address = request.address
        box = request.box
        region = request.region
        style = request.style
        mayBeEmbedded = request.mayBeEmbedded
    }
}
