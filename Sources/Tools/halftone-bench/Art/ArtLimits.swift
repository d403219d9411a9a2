import Raster

/// The limits that the figures must keep.
struct ArtLimits {
    /// All measured results.
    let results: [ArtResults]
    /// The cost per cell, by task; empty if it was not measured.
    let costs: [ArtTask: DrawingCost]

    /// Differences below 0.005 dB are ignored.
    private static let equal = 0.005

    /// Checks all measured results.
    func check(_ report: inout Report) {
        let tasks = BlockSet.allCases.flatMap { blocks in
            ColorDepth.allCases.map { depth in
                results.filter {
                    $0.task.blocks == blocks && $0.task.depth == depth && !$0.task.isDefault
                }
            }
        }
        for sizes in tasks.filter({ !$0.isEmpty }) {
            checkNearness(sizes, &report)
        }
        for results in results where !results.task.isDefault { checkLight(results, &report) }
        checkDefault(&report)
        checkHalf(&report)
        checkCost(&report)
    }

    /// Checks that what a terminal gets that does not answer is at least as good as from chafa.
    private func checkDefault(_ report: inout Report) {
        for results in results where results.task.isDefault {
            guard let own = results.ownChoice("halftone"), let peer = results.ownChoice("chafa")
            else { continue }
            let title = "default \(results.task.size.columns)×\(results.task.size.rows)"
            report.check(
                "\(title): over chafa's", own.psnr - peer.psnr, atLeast: -Self.equal, unit: " dB")
            report.line("\(title): SSIM over chafa's", fixed(own.ssim - peer.ssim, 3))
        }
    }

    /// Checks one block set and depth in both sizes.
    private func checkNearness(_ sizes: [ArtResults], _ report: inout Report) {
        let task = sizes[0].task
        // Thin dark lines match neither reading of the reference; the contrast they keep is checked instead.
        let leads = sizes.flatMap { $0.lead(over: "chafa", \.psnr) }
            .filter { !$0.kind.hasThinLines }
        guard let worst = leads.min(by: { $0.lead < $1.lead }) else { return }
        report.check(
            "\(task.title): over chafa, \(worst.kind.rawValue)", worst.lead, atLeast: -Self.equal,
            unit: " dB")
        let isToLead =
            task.blocks == .quadrant || task.blocks == .sextant || task.depth == .palette256
            || task.depth == .palette16
        if isToLead {
            report.check(
                "\(task.title): over chafa, mean", meanLead(sizes, \.psnr), atLeast: 1, unit: " dB")
            if let room = headroom(sizes) {
                report.line("\(task.title): the optimum over chafa", "\(room.short) dB")
            }
        }
        if task.depth != .truecolor {
            report.line(
                "\(task.title): blurred, mean", "\(meanLead(sizes, \.softPSNR).short) dB")
        }
    }

    /// Checks accuracy near and from afar in linear light, the purpose of palettes, and the details kept by shrinking.
    private func checkLight(_ results: ArtResults, _ report: inout Report) {
        let task = results.task
        let title = "\(task.title) \(task.size.columns)×\(task.size.rows)"
        if task.blocks == .half && task.depth == .truecolor {
            for (kind, limit) in [(TestPicture.Kind.lineArt, 0.75), (.text, 0.75), (.night, 0.88)] {
                guard let kept = results.mean("halftone", of: kind)?.contrast else { continue }
                report.check("\(title): contrast kept, \(kind.rawValue)", kept, atLeast: limit)
            }
        }
        guard task.blocks == .half || task.blocks == .quadrant,
            [.palette256, .palette16, .mono].contains(task.depth),
            let best = results.mean("halftone"), let auto = results.ownChoice("halftone"),
            let peer = results.mean("chafa")
        else { return }
        for (name, figure) in [("near", \ArtScore.near), ("afar", \.afar)] {
            report.check(
                "\(title): in light, \(name), over chafa, mean",
                best[keyPath: figure] - peer[keyPath: figure], atLeast: 0, unit: " dB")
            report.check(
                "\(title): in light, \(name), pictures at least as good",
                results.wins(over: "chafa", \.score) { $0[keyPath: figure] } ?? 0, atLeast: 0.6)
            let lead = auto[keyPath: figure] - peer[keyPath: figure]
            let wins = results.wins(over: "chafa", \.ownChoice) { $0[keyPath: figure] } ?? 0
            let words = "\(title): in light, \(name), as it comes"
            // In mono the best match for text and maps is blank paper; see MonoArt.
            guard task.depth != .mono || name == "afar" else {
                report.line(words, "\(lead.short) dB, \(wins.short) of the pictures")
                continue
            }
            report.check("\(words), mean", lead, atLeast: 0, unit: " dB")
            report.check("\(words), pictures at least as good", wins, atLeast: 0.6)
        }
    }

    /// Returns chafa's distance from the optimum without dithering, which bounds the possible lead.
    private func headroom(_ sizes: [ArtResults]) -> Double? {
        let rooms = sizes.filter { !$0.optimum.isEmpty }.compactMap { results in
            results.mean("chafa").map { ArtScore.mean(results.optimum).psnr - $0.psnr }
        }
        return rooms.isEmpty ? nil : rooms.reduce(0, +) / Double(rooms.count)
    }

    private func meanLead(_ sizes: [ArtResults], _ figure: (ArtScore) -> Double) -> Double {
        let leads = sizes.compactMap { results in
            results.mean("chafa").flatMap { peer in
                results.mean("halftone").map { figure($0) - figure(peer) }
            }
        }
        return leads.reduce(0, +) / Double(max(leads.count, 1))
    }

    private func checkHalf(_ report: inout Report) {
        let half = results.filter { $0.task.blocks == .half && $0.task.depth == .truecolor }
        for results in half {
            guard let own = results.programs["halftone"] else { continue }
            let places = own.indices.filter { !results.kinds[$0].hasThinLines }
            report.check(
                "half truecolor \(results.task.size.columns)×\(results.task.size.rows): to the optimum",
                ArtScore.mean(places.map { results.optimum[$0] }).psnr
                    - ArtScore.mean(places.map { own[$0].score }).psnr, atMost: 0.05, unit: " dB")
        }
    }

    private func checkCost(_ report: inout Report) {
        for (task, cost) in costs.sorted(by: { $0.key.title < $1.key.title }) {
            guard let own = cost.perCell["halftone"] else { continue }
            if let peer = cost.perCell["chafa"] {
                report.check("\(task.title): CPU a cell / chafa's", own / peer, atMost: 1)
            }
            if task.depth == .truecolor, task.blocks == .sextant || task.blocks == .octant {
                report.check("\(task.title): CPU a cell", own, atMost: 1, unit: " µs")
            }
        }
    }
}
