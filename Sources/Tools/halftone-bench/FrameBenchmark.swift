import Glibc
import Raster
import TestSupport

/// Frame times while all cores decode: the trace of paging through a gallery.
struct FrameBenchmark {
    /// Starts the program.
    let launcher: Launcher

    private static let pages = 60

    /// Pages through large photographs faster than they can be decoded, and measures every frame.
    func run(_ report: inout Report) throws {
        report.heading("Frames while 12-megapixel pictures are decoded, 200×60, a page each 0.3 s")
        let photographs = try Photographs(
            count: 12, size: PixelSize(width: 4000, height: 3000), name: "4000x3000")
        let base = "/tmp/halftone-bench-\(getpid())"
        try ScrollBenchmarks(launcher: launcher).link(
            photographs.paths, count: 3000, into: base + "/frames")
        let path = base + "/frames.json"
        let process = try launcher.open(
            [base + "/frames"], options: ["--trace", path],
            size: CellSize(columns: 200, rows: 60))
        guard process.wait(seconds: 30, until: { $0.shows("/3000") }) else {
            return report.check("the folder opened", 1, atMost: 0)
        }
        for _ in 0..<Self.pages {
            process.send(" ")
            process.replay(silence: 0.3, limit: 0.3) { _, _ in }
        }
        process.send("q")
        _ = process.waitForExit()
        try show(TraceEvent.read(path), &report)
    }

    private func show(_ events: [TraceEvent], _ report: inout Report) {
        let frames = events.filter { $0.name == "frame" }
        let times = frames.map { ($0.end - $0.start) / 1000 }
        let decodes = events.filter { $0.name == "decode" }
        let busy = frames.filter { frame in
            decodes.filter { $0.start < frame.end && $0.end > frame.start }.count >= 2
        }
        let bytes = events.filter { $0.name == "bytes" }.compactMap(\.value)
        report.line(
            "frames", "\(frames.count), \(busy.count) of them while two pictures were decoded")
        report.line("pictures decoded", "\(decodes.count)")
        report.line("median", "\(times.median.short) ms, \((bytes.median / 1000).short) KB")
        report.check("99th percentile", times.quantile(0.99), atMost: 16, unit: " ms")
        report.line("slowest", "\(times.quantile(1).short) ms")
    }
}
