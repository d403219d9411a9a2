import Raster

@testable import Terminal

extension Symbols {
    /// What terminals can place: everything, code page 437, or ASCII.
    enum Repertoire { case full, console, ascii }

    init(_ repertoire: Repertoire) {
        let blocks: [BlockSet] =
            switch repertoire {
            case .full: BlockSet.allCases
            case .console: [.half, .ascii]
            case .ascii: [.ascii]
            }
        self.init(blocks: Set(blocks))
    }
}
