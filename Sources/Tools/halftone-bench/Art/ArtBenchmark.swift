import Raster

/// Compares Halftone, chafa and timg on 24 pictures by block set and colour depth: accuracy and CPU cost.
struct ArtBenchmark {
    /// Keywords that restrict the run: block sets, depths, sizes (`40x20`), `default`; `pictures` lists each picture, `nocost` omits CPU time.
    let words: Set<String>
    /// The folder of the shipped gallery.
    let resources: String
    /// A folder for temporary files.
    let folder: String

    func run(_ report: inout Report) throws {
        let collection = try PictureCollection(resources: resources, folder: folder)
        let comparison = ArtComparison(
            collection: collection, halftone: HalftoneArtist(), folder: folder)
        var all: [ArtResults] = []
        var sheets: [ArtSheet] = []
        ArtTable.heading()
        for task in tasks {
            let results = try comparison.results(of: task)
            ArtTable.row(results)
            if words.contains("pictures") { ArtTable.pictures(results, collection) }
            if task.size == ArtTask.sizes[0], !task.isDefault {
                sheets.append(try ArtSheet(results, of: collection.pictures))
            }
            all.append(results.withoutPictures)
        }
        ArtTable.classes("PSNR: Halftone over chafa, dB, by class", all, over: "chafa", \.psnr)
        ArtTable.classes(
            "PSNR blurred: Halftone over chafa, dB, by class", all, over: "chafa", \.softPSNR)
        ArtTable.light(all)
        let costs = words.contains("nocost") ? [:] : try costs(collection)
        report.heading("Limits")
        ArtLimits(results: all, costs: costs).check(&report)
        // Only complete comparisons are worth keeping.
        if words.isDisjoint(with: Self.narrowing) || words.contains("report") {
            try ArtReport(
                results: all, costs: costs, sheets: sheets, checks: report.checks
            ).write(into: resources + "/Reports")
        }
    }

    private func costs(_ collection: PictureCollection) throws -> [ArtTask: DrawingCost] {
        var costs: [ArtTask: DrawingCost] = [:]
        ArtTable.costHeading()
        for task in tasks where !task.isDefault && costs[task.atLargeSize] == nil {
            let cost = try DrawingCost(
                of: task, collection, chafa: ChafaArtist(folder: folder),
                timg: TimgArtist(folder: folder))
            ArtTable.cost(cost, of: task)
            costs[task.atLargeSize] = cost
        }
        return costs
    }

    private var tasks: [ArtTask] {
        let own = ArtTask.sizes.flatMap(ArtTask.all(at:)).filter {
            isWanted("\($0.size.columns)x\($0.size.rows)", of: Self.sizeWords)
                && isWanted($0.blocks.rawValue, of: Self.blockWords)
                && isWanted($0.depth.rawValue, of: Self.depthWords)
        }
        let narrowed = words.intersection(Self.sizeWords + Self.blockWords + Self.depthWords)
        if words.contains("default") { return ArtTask.defaults + (narrowed.isEmpty ? [] : own) }
        return narrowed.isEmpty ? ArtTask.defaults + own : own
    }

    private static let sizeWords = ArtTask.sizes.map { "\($0.columns)x\($0.rows)" }
    private static let blockWords = BlockSet.allCases.map(\.rawValue)
    private static let depthWords = ColorDepth.allCases.map(\.rawValue)
    private static let narrowing = sizeWords + blockWords + depthWords + ["default", "nocost"]

    private func isWanted(_ word: String, of choices: [String]) -> Bool {
        words.isDisjoint(with: choices) || words.contains(word)
    }
}
