import Raster

/// How near Halftone, chafa and timg come to 24 pictures, per family of characters and colour depth, and what it costs.
struct ArtBenchmark {
    /// Words that narrow it down: families, depths, sizes (`40x20`); `pictures` lists each picture.
    let words: Set<String>
    /// Where the shipped gallery is.
    let resources: String
    /// A folder for files that nobody needs afterwards.
    let folder: String

    func run(_ report: inout Report) throws {
        let collection = try PictureCollection(resources: resources, folder: folder)
        let judge = ArtJudge(collection: collection, halftone: HalftoneArtist(), folder: folder)
        var all: [ArtResults] = []
        ArtTable.heading()
        for task in tasks {
            let results = try judge.results(of: task)
            ArtTable.row(results)
            if words.contains("pictures") { ArtTable.pictures(results, collection) }
            all.append(results)
        }
        ArtTable.classes("PSNR: Halftone over chafa, dB, by class", all, over: "chafa", \.psnr)
        ArtTable.classes(
            "PSNR blurred: Halftone over chafa, dB, by class", all, over: "chafa", \.softPSNR)
    }

    private var tasks: [ArtTask] {
        ArtTask.sizes.filter { isWanted("\($0.columns)x\($0.rows)", of: Self.sizeWords) }
            .flatMap(ArtTask.all(at:))
            .filter {
                isWanted($0.blocks.rawValue, of: BlockSet.allCases.map(\.rawValue))
                    && isWanted($0.depth.rawValue, of: ColorDepth.allCases.map(\.rawValue))
            }
    }

    private static let sizeWords = ArtTask.sizes.map { "\($0.columns)x\($0.rows)" }

    private func isWanted(_ word: String, of choices: [String]) -> Bool {
        words.isDisjoint(with: choices) || words.contains(word)
    }
}
