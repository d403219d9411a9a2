import Raster

/// What one program made of one picture.
struct ArtResult: Sendable {
    /// For each figure the best of the program's settings.
    var score: ArtScore
    /// The figures of the settings that is the program's own choice.
    var ownChoice: ArtScore
    /// The drawing of the program's own choice, a pixel a measured part; empty once it is in a sheet.
    var pixels: PixelBuffer
    /// The same as text, without colours.
    var text: String
}

/// Everything that was measured of one task.
struct ArtResults: Sendable {
    /// The task.
    let task: ArtTask
    /// The class of each picture.
    let kinds: [TestPicture.Kind]
    /// By program, picture by picture; programs that cannot do the task are missing.
    var programs: [String: [ArtResult]] = [:]
    /// The best possible with two colours a cell and no dithering, picture by picture; empty for ASCII and braille.
    var optimum: [ArtScore] = []
    /// The pictures themselves, on the grid of the task; none once they are in a sheet.
    var originals: [PixelBuffer] = []

    /// The figures alone: drawings of all tasks together would take gigabytes.
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

    /// The mean figures of `program`.
    func mean(_ program: String) -> ArtScore? {
        programs[program].map { ArtScore.mean($0.map(\.score)) }
    }

    /// The mean figures of `program` as it comes.
    func ownChoice(_ program: String) -> ArtScore? {
        programs[program].map { ArtScore.mean($0.map(\.ownChoice)) }
    }

    /// Who is held against whom in light: Halftone as it comes and at its best, and the others at theirs.
    var inLight: [ArtScore?] {
        [ownChoice("halftone"), mean("halftone"), mean("chafa"), mean("timg")]
    }

    /// The mean figures of `program` for pictures of a class; nil if it cannot do the task.
    func mean(_ program: String, of kind: TestPicture.Kind) -> ArtScore? {
        programs[program].map { results in
            ArtScore.mean(zip(kinds, results).filter { $0.0 == kind }.map(\.1.ownChoice))
        }
    }

    /// The share of pictures in which Halftone, at its best or as it comes, is at least as far as `peer` at its best by `figure`.
    func wins(
        over peer: String, _ own: KeyPath<ArtResult, ArtScore>, _ figure: (ArtScore) -> Double
    ) -> Double? {
        guard let all = programs["halftone"], let other = programs[peer] else { return nil }
        let wins = zip(all, other).count { figure($0[keyPath: own]) >= figure($1.score) - 0.005 }
        return Double(wins) / Double(all.count)
    }

    /// How much further Halftone is than `peer` by `figure`: the mean of each class.
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

/// What every program is asked for: a family of characters, a colour depth, a size.
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
