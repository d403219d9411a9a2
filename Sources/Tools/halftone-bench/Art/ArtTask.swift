import Raster

/// What is asked of everybody: a family of characters, a colour depth, a size.
struct ArtTask: Hashable, Sendable {
    var blocks: BlockSet
    var depth: ColorDepth
    var size: CellSize

    /// Family and depth in words.
    var title: String { "\(blocks.rawValue) \(depth.rawValue)" }

    /// The same in the larger of the sizes, at which CPU time is taken.
    var atLargeSize: ArtTask {
        ArtTask(blocks: blocks, depth: depth, size: Self.sizes[Self.sizes.count - 1])
    }

    /// The sizes of the comparison, for square pictures: cells are twice as high as wide.
    static let sizes = [CellSize(columns: 40, rows: 20), CellSize(columns: 100, rows: 50)]

    /// Every family in every depth at `size`.
    static func all(at size: CellSize) -> [ArtTask] {
        BlockSet.allCases.flatMap { blocks in
            ColorDepth.allCases.map { ArtTask(blocks: blocks, depth: $0, size: size) }
        }
    }
}
