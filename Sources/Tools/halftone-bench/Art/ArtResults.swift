import ArtMetrics
import Raster

/// The result of one program for one picture.
struct ArtResult: Sendable {
    /// For each figure the best of the program's settings.
    var score: ArtScore
    /// The figures of the program's default settings.
    var ownChoice: ArtScore
    /// The drawing with the program's defaults, one pixel per measured part; empty once it is in a sheet.
    var pixels: PixelBuffer
    /// The same drawing as text, without colours.
    var text: String
}

/// All measurements of one task.
struct ArtResults: Sendable {
    /// The task.
    let task: ArtTask
    /// The class of each picture.
    let kinds: [TestPicture.Kind]
    /// The results by program, then by picture; programs that cannot do the task are missing.
    var programs: [String: [ArtResult]] = [:]
    /// The optimum with two colours per cell and no dithering, by picture; empty for ASCII and braille.
    var optimum: [ArtScore] = []
    /// The pictures themselves, on the grid of the task; empty once they are in a sheet.
    var originals: [PixelBuffer] = []

    /// The results without drawings: those of all tasks together would take gigabytes.
    var withoutPictures: ArtResults {
        var copy = self
        copy.originals = []
        let nothing = PixelBuffer(size: PixelSize(width: 0, height: 0), bytes: [], isOpaque: true)
        for program in programs.keys {
            for index in copy.programs[program, default: []].indices {
                copy.programs[program]?[index].pixels = nothing
                copy.programs[program]?[index].text = ""
            }
        }
        return copy
    }

    /// Returns the mean figures of `program`.
    func mean(_ program: String) -> ArtScore? {
        programs[program].map { ArtScore.mean($0.map(\.score)) }
    }

    /// Returns the mean figures of `program` with its defaults.
    func ownChoice(_ program: String) -> ArtScore? {
        programs[program].map { ArtScore.mean($0.map(\.ownChoice)) }
    }

    /// The scores compared in linear light: Halftone with its defaults and at its best, the others at their best.
    var inLight: [ArtScore?] {
        [ownChoice("halftone"), mean("halftone"), mean("chafa"), mean("timg")]
    }

    /// Returns the mean figures of `program` for one class of pictures; nil if it cannot do the task.
    func mean(_ program: String, of kind: TestPicture.Kind) -> ArtScore? {
        programs[program].map { results in
            ArtScore.mean(zip(kinds, results).filter { $0.0 == kind }.map(\.1.ownChoice))
        }
    }

    /// Returns the share of pictures for which Halftone, at its best or with its defaults, is at least as good by `figure` as `peer` at its
    /// best.
    func wins(
        over peer: String, _ own: KeyPath<ArtResult, ArtScore>, _ figure: (ArtScore) -> Double
    ) -> Double? {
        guard let all = programs["halftone"], let other = programs[peer] else { return nil }
        let wins = zip(all, other).count { figure($0[keyPath: own]) >= figure($1.score) - 0.005 }
        return Double(wins) / Double(all.count)
    }

    /// Returns Halftone's mean lead over `peer` by `figure`, for each class.
    func lead(
        over peer: String, _ figure: (ArtScore) -> Double
    ) -> [(kind: TestPicture.Kind, lead: Double)] {
        guard let own = programs["halftone"], let other = programs[peer] else { return [] }
        let leads = zip(own, other).map { figure($0.score) - figure($1.score) }
        return TestPicture.Kind.allCases.compactMap { kind in
            let ofKind = zip(kinds, leads).filter { $0.0 == kind }.map(\.1)
            return ofKind.isEmpty ? nil : (kind, ofKind.reduce(0, +) / Double(ofKind.count))
        }
    }
}

/// A task for every program: a block set, a colour depth and a size.
struct ArtTask: Hashable, Sendable {
    var blocks: BlockSet
    var depth: ColorDepth
    var size: CellSize
    /// Whether the others use their default characters instead of those of the block set.
    var isDefault = false

    /// The block set and depth as text.
    var title: String { "\(isDefault ? "default" : blocks.rawValue) \(depth.rawValue)" }

    /// The parts of a cell that are measured: finer than those of the set where eighth blocks, or lines, stand beside it.
    var parts: PixelSize {
        let hasEighths = depth == .truecolor || depth == .palette256
        return switch blocks {
        case _ where isDefault: PixelSize(width: 8, height: 16)
        case .quadrant where hasEighths, .octant where hasEighths: PixelSize(width: 4, height: 8)
        case .sextant where hasEighths: PixelSize(width: 4, height: 12)
        default: blocks.measuredParts
        }
    }

    /// The same task in the largest size, at which CPU time is measured.
    var atLargeSize: ArtTask {
        ArtTask(blocks: blocks, depth: depth, size: Self.sizes[Self.sizes.count - 1])
    }

    /// The sizes of the comparison, for square pictures: cells are twice as high as wide.
    static let sizes = [CellSize(columns: 40, rows: 20), CellSize(columns: 100, rows: 50)]

    /// What each program draws on a terminal of 24-bit colours of which it knows nothing else, at three sizes.
    static let defaults = ([CellSize(columns: 24, rows: 12)] + sizes).map {
        ArtTask(blocks: .quadrant, depth: .truecolor, size: $0, isDefault: true)
    }

    /// Returns every block set in every depth at `size`.
    static func all(at size: CellSize) -> [ArtTask] {
        BlockSet.allCases.flatMap { blocks in
            ColorDepth.allCases.map { ArtTask(blocks: blocks, depth: $0, size: size) }
        }
    }
}
