import Glibc
import Raster
import TestSupport

/// The marginal cost of a picture: folders of 10³, 10⁴, 10⁵ and 10⁶ pictures.
struct GrowthBenchmark {
    /// Starts the program.
    let launcher: Launcher

    private struct Figures {
        let count: Int
        /// The time until the gallery is shown, in milliseconds.
        let opening: Double
        /// The CPU time of a frame after a key, in milliseconds.
        let frame: Double
        /// The time until a filter's result is on the screen, in milliseconds.
        let filter: Double
        /// The peak memory, in bytes.
        let peak: Int
    }

    /// Prints the growth, writes its plot, and checks that a frame with a million pictures costs no more than with a thousand.
    func run(_ report: inout Report) throws {
        report.heading("Galleries of a thousand to a million pictures, 200×60")
        var all: [Figures] = []
        for count in [1_000, 10_000, 100_000, 1_000_000] {
            let figures = try measure(count)
            all.append(figures)
            report.line(
                "\(count)",
                "there after \(figures.opening.short) ms, frame \(figures.frame.short) ms CPU, "
                    + "filtered in \(figures.filter.short) ms, "
                    + "at most \((Double(figures.peak) / 1e6).short) MB")
        }
        guard let first = all.first, let last = all.last else { return }
        report.check("frame of a million / of a thousand", last.frame / first.frame, atMost: 1.1)
        let rows = try [first.count, last.count].map { try measure($0, layout: "rows") }
        report.check(
            "frame of a million / of a thousand in rows", rows[1].frame / rows[0].frame, atMost: 1.1
        )
        report.line(
            "a million in rows",
            "there after \(rows[1].opening.short) ms, frame \(rows[1].frame.short) ms CPU, "
                + "at most \((Double(rows[1].peak) / 1e6).short) MB")
        report.check("memory of a million", Double(last.peak) / 1e6, atMost: 390, unit: " MB")
        report.line(
            "memory a picture",
            "\((Double(last.peak - first.peak) / Double(last.count - first.count)).short) bytes")
        mkdir("Resources/Reports", 0o755)
        try writeFile(Array(plot(all).utf8), to: "Resources/Reports/growth.svg")
        report.line("plot", "Resources/Reports/growth.svg")
    }

    private func measure(_ count: Int, layout: String = "grid") throws -> Figures {
        let scrolling = ScrollBenchmarks(launcher: launcher)
        let folder = try scrolling.manyPictures(count)
        defer { _ = try? Run.of(["rm", "-rf", folder]) }
        let start = now()
        let process = try launcher.open(
            ["--layout", layout, folder], size: CellSize(columns: 200, rows: 60))
        guard process.wait(seconds: 120, until: { $0.shows("/\(count)") }) else {
            throw SystemFailure(subject: folder)
        }
        let opening = now() - start
        let frame = frameCost(of: process, around: count / 2)
        let typed = now()
        process.send("f1234")
        _ = process.wait(seconds: 60) { $0.shows(" of \(count)") && !$0.shows("filtering") }
        let filter = now() - typed
        return Figures(
            count: count, opening: opening, frame: frame, filter: filter,
            peak: ProcessState(of: process.identifier).peak)
    }

    /// Returns the CPU time per key in the middle of the gallery, moving between rows whose pictures are all loaded: the minimum of several
    /// rounds, as disturbances only add.
    private func frameCost(of process: PtyProcess, around middle: Int) -> Double {
        process.send("\(middle)G")
        process.waitForSilence(seconds: 0.5)
        for _ in 0..<4 {
            process.send("\u{15}\u{4}")
            process.waitForSilence(seconds: 0.3)
        }
        let keys = 40
        return (0..<7).map { _ in
            let before = ProcessState(of: process.identifier).cpu
            for number in 0..<keys {
                process.send(number % 2 == 0 ? "\u{4}" : "\u{15}")
                process.waitForSilence(seconds: 0.03)
            }
            return (ProcessState(of: process.identifier).cpu - before) / Double(keys)
        }.min() ?? 0
    }

    // MARK: The plot

    /// Plots each figure against the number of pictures, both logarithmic, as multiples of the values for a thousand.
    private func plot(_ all: [Figures]) -> String {
        let lines: [(name: String, color: String, values: [Double])] = [
            ("until the gallery is there", "#7aa2f7", all.map(\.opening)),
            ("CPU of a frame", "#9ece6a", all.map(\.frame)),
            ("until it is filtered", "#e0af68", all.map(\.filter)),
            ("memory", "#f7768e", all.map { Double($0.peak) }),
        ]
        var svg = [
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 720 420' font-family='sans-serif' font-size='13'>",
            "<rect width='720' height='420' fill='#16161e'/>",
            "<text x='24' y='32' fill='#c0caf5' font-size='16'>What a gallery costs, against one of a thousand pictures</text>",
        ]
        for (place, name) in ["1,000", "10,000", "100,000", "1,000,000"].enumerated() {
            svg.append(
                "<text x='\(70 + place * 150)' y='400' fill='#565f89' text-anchor='middle'>\(name)</text>"
            )
        }
        for power in 0...3 {
            let y = height(of: pow(10, Double(power)))
            svg.append("<line x1='70' x2='520' y1='\(y)' y2='\(y)' stroke='#2a2e42'/>")
            svg.append(
                "<text x='60' y='\(y + 4)' fill='#565f89' text-anchor='end'>\(Int(pow(10, Double(power))))×</text>"
            )
        }
        for (number, line) in lines.enumerated() {
            let points = line.values.enumerated().map { place, value in
                "\(70 + place * 150),\(height(of: value / line.values[0]).short)"
            }.joined(separator: " ")
            svg.append(
                "<polyline points='\(points)' fill='none' stroke='\(line.color)' stroke-width='2.5'/>"
            )
            svg.append(
                "<text x='540' y='\(90 + number * 24)' fill='\(line.color)'>\(line.name)</text>")
        }
        return (svg + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private func height(of ratio: Double) -> Double {
        370 - log10(max(ratio, 0.5)) * 100
    }
}
