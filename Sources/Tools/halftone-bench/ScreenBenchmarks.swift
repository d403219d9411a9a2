import Glibc
import Raster
import TestSupport

/// The cost of terminal output: repaints, scrolling, the first frame, idling.
struct ScreenBenchmarks {
    /// Starts the programs.
    let launcher: Launcher
    /// A wide screen full of pictures.
    private static let wide = CellSize(columns: 200, rows: 60)

    /// Measures CPU time and bytes of a full repaint and a one-row scroll, relative to a writer without a library.
    func repaint(_ report: inout Report) throws {
        report.heading(
            "Drawing 200×60 truecolor cells, against the fewest bytes a writer could send")
        try makeFolder("/tmp/halftone-bench-\(getpid())")
        let path = "/tmp/halftone-bench-\(getpid())/repaint"
        let probe = try launcher.open(
            launcher.products + "/curses-probe", arguments: ["measure", "truecolor", path],
            size: Self.wide)
        _ = probe.waitForExit(seconds: 60)
        // One line per kind: "repaint: 18.2 ms CPU, 469000 bytes, minimum 450000, ratio 1.04".
        for text in readText(path).split(separator: "\n") {
            let words = text.split(separator: " ")
            guard words.count > 8, let cost = Double(words[1]),
                let ratio = Double(words[words.count - 1])
            else { continue }
            let isScroll = words[0] == "scroll:"
            let name = isScroll ? "one-row scroll" : "full repaint"
            report.check("\(name), CPU", cost, atMost: isScroll ? 1 : 4, unit: " ms")
            report.check("\(name), bytes / minimum", ratio, atMost: 1.05)
        }
    }

    /// Measures the time from exec to the first frame with the bundled gallery.
    func firstFrame(_ report: inout Report) throws {
        report.heading("From exec to the first frame, 120×40, the bundled gallery")
        var times: [Double] = []
        for _ in 0..<20 {
            let start = now()
            let process = try launcher.open([], size: CellSize(columns: 120, rows: 40))
            let isDrawn = process.wait { $0.shows("? help") }
            times.append(isDrawn ? now() - start : .infinity)
        }
        report.check("median of 20", times.median, atMost: 60, unit: " ms")
        report.line("slowest", "\(times.quantile(1).short) ms")
    }

    /// Measures the cost of the program while no key is pressed and everything is loaded.
    func idle(_ report: inout Report) throws {
        report.heading("Idle for 5 seconds, everything loaded")
        let process = try launcher.open([], size: Self.wide)
        _ = process.wait { $0.shows("? help") }
        // Dispatch ends its idle worker threads after 5 seconds.
        process.waitForSilence(seconds: 8)
        let before = ProcessState(of: process.identifier).cpu
        let bytes = process.waitForSilence(seconds: 5)
        let cpu = ProcessState(of: process.identifier).cpu - before
        report.check("bytes written", Double(bytes), atMost: 0)
        // libdispatch checks its thread pools once a second as long as the process lives, at 0.05 ms each time.
        report.check("CPU", cpu / 5000 * 100, atMost: 0.05, unit: " %")
    }
}
