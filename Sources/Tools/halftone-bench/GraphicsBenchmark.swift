import ArtMetrics
import Glibc
import Raster
import TestSupport

/// The cost of a screen of pixels, compared with blocks and with the peers using the same protocol.
struct GraphicsBenchmark {
    /// Starts the program.
    let launcher: Launcher

    private static let size = CellSize(columns: 110, rows: 45)
    /// A frame's budget plus one picture, which may be started with little of the budget left.
    private static let maxFrameKilobytes = 700.0

    /// Shows twelve pictures in each protocol, then flings through many.
    func run(_ report: inout Report) throws {
        gradient(&report)
        try wholeScreen(&report)
        report.heading("Twelve pictures as pixels, 24×9 cells of 10×20 each, whole processes")
        let photographs = try Photographs(
            count: 12, size: PixelSize(width: 1200, height: 800), name: "graphics")
        for graphics in Graphics.allCases {
            let process = try launcher.open(
                [photographs.folder], options: ["--graphics", graphics.rawValue], size: Self.size)
            process.replay(silence: 1, limit: 20) { _, _ in }
            line(
                "halftone", graphics, process.output.count,
                ProcessState(of: process.identifier).cpu, report)
            process.send("q")
            _ = process.waitForExit()
        }
        let path = photographs.folder + ".out"
        let geometry = ["--grid=4x3", "-g99x39"]
        for (graphics, timg, chafa) in [
            (Graphics.none, "-pq", "symbols"), (.kitty, "-pk", "kitty"), (.sixel, "-ps", "sixels"),
            (.iterm, "-pi", "iterm"),
        ] {
            // timg falls back from sixels to blocks if there is no terminal to query for its pixel size.
            for command in [
                ["timg", timg] + geometry + photographs.paths,
                ["chafa", "-f", chafa, "-s", "24x9"] + photographs.paths,
            ] {
                let cpu = try Run.of(command, output: path).cpu
                var state = stat()
                stat(path, &state)
                line(command[0], graphics, Int(state.st_size), cpu, report)
            }
        }
        try fling(photographs, &report)
    }

    /// Draws a photograph again and again on a whole screen in 4K, for a terminal that reads shared memory.
    private func wholeScreen(_ report: inout Report) throws {
        report.heading("A photograph on 240×67 cells of 16×32 pixels, in kitty on this machine")
        let photographs = try Photographs(
            count: 1, size: PixelSize(width: 3840, height: 2144), name: "whole-screen")
        var answers = TerminalAnswers(cellSize: PixelSize(width: 16, height: 32))
        answers.others = [
            "_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA": "_Gi=31;OK", "[>q": "P>|kitty(0.36.0)",
        ]
        answers.readsSharedMemory = true
        let process = try launcher.open(
            photographs.paths, size: CellSize(columns: 240, rows: 67), answers: answers)
        var sent = 0
        func waitForPicture() {
            guard process.wait(seconds: 30, until: { $0.graphics.sharedCount > sent }) else {
                return report.line("no picture", "in 30 s")
            }
            sent = process.screen.graphics.sharedCount
        }
        waitForPicture()
        process.replay(silence: 1, limit: 5) { _, _ in }
        sent = process.screen.graphics.sharedCount
        let before = (cpu: ProcessState(of: process.identifier).cpu, bytes: process.output.count)
        let redraws = 10
        for _ in 0..<redraws {
            process.send("\u{0C}")
            waitForPicture()
        }
        let cpu = ProcessState(of: process.identifier).cpu - before.cpu
        let bytes = process.output.count - before.bytes
        report.check("CPU of a redraw", cpu / Double(redraws), atMost: 60, unit: " ms")
        report.check(
            "through the line, placeholders", Double(bytes) / 1000 / Double(redraws), atMost: 200,
            unit: " KB")
        process.send("q")
        _ = process.waitForExit()
    }

    /// A gradient of more colours than a palette has, seen from afar.
    private func gradient(_ report: inout Report) {
        report.heading("A gradient of hue and lightness as sixels of 256 colours")
        var whole = Canvas(size: PixelSize(width: 240, height: 171))
        var bands = whole
        for place in whole.pixels.indices {
            let (y, x) = place.quotientAndRemainder(dividingBy: whole.size.width)
            let hue = Painting.Color(
                hue: Double(x) / 240.2, saturation: 1, brightness: 1)
            let light = 0.2 + 0.6 * Double(y) / 171
            let color = light < 0.5 ? hue * (2 * light) : 1 - (1 - hue) * (2 - 2 * light)
            whole.pixels[place] = SIMD3(Float(color.x), Float(color.y), Float(color.z))
        }
        let found = PalettePicture(whole.buffer, colors: 256)
        bands.pixels = found.indices.map { SIMD3(found.colors[Int($0)]) }
        let blur = Gaussian(x: 2, y: 2)
        report.check(
            "from afar",
            PeakSignalToNoise.of(
                blur.blurred(bands, as: .encoded), against: blur.blurred(whole, as: .encoded)),
            atLeast: 38, unit: " dB")
        let bytes = SixelWriter.bytes(found, columns: 0..<240, rows: 0..<171).count
        report.line("size", "\((Double(bytes) / 1000).short) KB")
    }

    private func line(
        _ name: String, _ graphics: Graphics, _ bytes: Int, _ cpu: Double, _ report: Report
    ) {
        report.line(
            "\(name), \(graphics.rawValue)", "\((Double(bytes) / 1000).short) KB, \(cpu.short) ms")
    }

    /// Pages faster than pictures can be sent, and checks that each frame stays within its budget.
    private func fling(_ photographs: Photographs, _ report: inout Report) throws {
        let base = "/tmp/halftone-bench-\(getpid())"
        try ScrollBenchmarks(launcher: launcher).link(
            photographs.paths, count: 600, into: base + "/fling-graphics")
        for graphics in Graphics.allCases where graphics != .none {
            let trace = base + "/graphics.json"
            let process = try launcher.open(
                [base + "/fling-graphics"],
                options: ["--trace", trace, "--graphics", graphics.rawValue], size: Self.size)
            guard process.wait(seconds: 30, until: { $0.shows("/600") }) else { continue }
            for _ in 0..<30 {
                process.send(" ")
                process.replay(silence: 0.1, limit: 0.1) { _, _ in }
            }
            process.send("q")
            _ = process.waitForExit()
            let events = try TraceEvent.read(trace)
            let times = events.filter { $0.name == "frame" }.map { ($0.end - $0.start) / 1000 }
            let bytes = events.filter { $0.name == "bytes" }.compactMap(\.value)
            report.line("\(graphics.rawValue), frames of a fling", "\(times.count)")
            report.check("99th percentile", times.quantile(0.99), atMost: 16, unit: " ms")
            report.check(
                "largest", (bytes.max() ?? 0) / 1000, atMost: Self.maxFrameKilobytes, unit: " KB")
        }
    }
}
