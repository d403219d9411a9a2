import Glibc
import Raster

/// The figures as text, one line per task.
struct ArtTable {
    private static let programs = ["halftone", "direct", "chafa", "timg"]

    /// Prints the heading of `row`.
    static func heading() {
        print("")
        print(
            String(repeating: " ", count: 30) + "PSNR, dB".padded(36)
                + "PSNR blurred, dB".padded(36)
                + "SSIM".padded(29) + "ΔE2000".padded(29) + "KB")
        let names = ["half", "direct", "chafa", "timg"].map { pad($0, 7) }.joined()
        let ratios = names + pad("best", 7) + " "
        print(
            String(repeating: " ", count: 28) + ratios + ratios
                + String(repeating: names + " ", count: 3))
    }

    /// Prints every program's mean over all pictures.
    static func row(_ results: ArtResults) {
        let means = programs.map { results.mean($0) }
        let optimum = results.optimum.isEmpty ? nil : ArtScore.mean(results.optimum)
        func group(_ digits: Int, _ figure: (ArtScore) -> Double) -> String {
            means.map { number($0.map(figure), digits) }.joined()
        }
        let size = results.task.size
        let label = "\(results.task.title) \(size.columns)×\(size.rows)"
        print(
            label + String(repeating: " ", count: max(0, 28 - label.count))
                + group(2, \.psnr) + number(optimum?.psnr, 2) + " "
                + group(2, \.softPSNR) + number(optimum?.softPSNR, 2) + " "
                + group(3, \.ssim) + " " + group(2, \.deltaE) + " "
                + group(1) { $0.bytes / 1000 })
        fflush(nil)
    }

    /// Prints one figure for each picture.
    static func pictures(_ results: ArtResults, _ collection: PictureCollection) {
        for (index, picture) in collection.pictures.enumerated() {
            let own = programs.map { results.programs[$0]?[index].score.psnr }
            let best = results.optimum.isEmpty ? nil : results.optimum[index].psnr
            print(
                "    " + picture.name.padded(24)
                    + (own + [best]).map { number($0, 2) }.joined())
        }
        fflush(nil)
    }

    /// Prints Halftone's lead over `peer` in each class; `figure` in decibels.
    static func classes(
        _ title: String, _ all: [ArtResults], over peer: String,
        _ figure: (ArtScore) -> Double
    ) {
        let relevant = all.filter { $0.programs[peer] != nil }
        guard !relevant.isEmpty else { return }
        print("\n\(title)")
        let kinds = TestPicture.Kind.allCases
        print(
            String(repeating: " ", count: 28)
                + kinds.map { pad(String($0.rawValue.prefix(8)), 9) }.joined() + pad("mean", 9))
        for results in relevant {
            let leads = results.lead(over: peer, figure)
            let size = results.task.size
            let label = "\(results.task.title) \(size.columns)×\(size.rows)"
            let mean =
                figure(results.mean("halftone") ?? ArtScore())
                - figure(results.mean(peer) ?? ArtScore())
            print(
                label + String(repeating: " ", count: max(0, 28 - label.count))
                    + kinds.map { kind in
                        pad(fixed(leads.first { $0.kind == kind }?.lead ?? 0, 2), 9)
                    }.joined() + pad(fixed(mean, 2), 9))
        }
        fflush(nil)
    }

    /// Prints every task in linear light, near and from afar: the one reading that is the same for all.
    static func light(_ all: [ArtResults]) {
        print(
            "\nPSNR in light, near and blurred by a cell, dB; contrast of details kept, as it comes"
        )
        let names = ["as it comes", "best", "chafa", "timg"]
        print(
            String(repeating: " ", count: 28)
                + ["near: ", "afar: "].flatMap { group in names.map { pad(group + $0, 18) } }
                .joined() + TestPicture.Kind.contrasted.map { pad($0.rawValue, 10) }.joined())
        for results in all {
            let scores = results.inLight
            let label =
                "\(results.task.title) \(results.task.size.columns)×\(results.task.size.rows)"
            print(
                label.padded(28)
                    + [\ArtScore.near, \.afar].flatMap { figure in
                        scores.map { pad($0.map { fixed($0[keyPath: figure], 2) } ?? "–", 18) }
                    }.joined()
                    + TestPicture.Kind.contrasted.map { kind in
                        let kept = results.mean("halftone", of: kind)?.contrast
                        return pad(kept.map { fixed($0, 2) } ?? "–", 10)
                    }.joined())
        }
        fflush(nil)
    }

    /// Prints the heading of `cost`.
    static func costHeading() {
        print(
            "\nCPU time of one thread, µs a cell: whole way; art: from pixels on the grid to cells")
        print(
            String(repeating: " ", count: 28)
                + ["halftone", "art", "chafa", "timg"].map { pad($0, 10) }.joined())
    }

    /// Prints the cost per cell.
    static func cost(_ cost: DrawingCost, of task: ArtTask) {
        let values = [
            cost.perCell["halftone"], cost.artPerCell, cost.perCell["chafa"], cost.perCell["timg"],
        ]
        print(
            task.title.padded(28)
                + values.map { pad($0.map { fixed($0, 3) } ?? "–", 10) }.joined())
        fflush(nil)
    }

    private static func number(_ value: Double?, _ digits: Int) -> String {
        pad(value.map { fixed($0, digits) } ?? "–", 7)
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }
}

/// Formats a number with `digits` fractional digits.
func fixed(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite else { return "\(value)" }
    let scale = pow(10, Double(digits))
    let whole = Int((abs(value) * scale).rounded())
    let sign = value < 0 && whole > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let fraction = String(whole % Int(scale))
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(sign)\(whole / Int(scale)).\(zeros)\(fraction)"
}

extension String {
    fileprivate func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
