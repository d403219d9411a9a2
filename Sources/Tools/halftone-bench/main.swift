import Glibc
import Raster

/// make bench: all benchmarks in one run; a keyword selects one (peers, preview, screen, frames, graphics, start, idle, keys, sort, memory, growth, trace,
/// scrape, net, save, fling).
///
/// make bench ARGS=alike: how well pictures are known by their look; it takes minutes.
///
/// make soak: the keywords `soak MINUTES [PROGRAM [SEED]]`.
///
/// make bench-art: the keyword `art`, narrowed down by further keywords (`half`, `256`, `40x20`, …); it takes minutes.
let executable = realpath("/proc/self/exe", nil).map { String(cString: $0) } ?? ""
let launcher = Launcher(
    products: String(
        executable.prefix(upTo: executable.lastIndex(of: "/") ?? executable.startIndex)))
let wanted = Set(CommandLine.arguments.dropFirst())
var report = Report()

@MainActor func block(_ name: String, _ run: (inout Report) throws -> Void) {
    guard wanted.isEmpty ? !["alike", "art", "soak"].contains(name) : wanted.contains(name) else {
        return
    }
    do {
        try run(&report)
    } catch {
        report.check("\(name) did not run: \(error)", 1, atMost: 0)
    }
}

block("peers") { report in
    try PeerComparison(
        title: "Time to the last tile of 12 pictures, 12-megapixel JPEG",
        size: PixelSize(width: 4000, height: 3000), limit: 0.6
    ).run(program: launcher.program, report: &report)
    try PeerComparison(
        title: "Time to the last tile of 12 pictures, 1200-pixel JPEG",
        size: PixelSize(width: 1200, height: 800), limit: 0.7
    ).run(program: launcher.program, report: &report)
    try PeerComparison(
        title: "Time to the last tile of 12 pictures, 12-megapixel JPEG with EXIF's thumbnail",
        size: PixelSize(width: 4000, height: 3000),
        thumbnail: PixelSize(width: 160, height: 120), limit: 0.2
    ).run(program: launcher.program, report: &report)
}
block("preview") { try PreviewBenchmark(program: launcher.program).run(&$0) }
block("screen") { try ScreenBenchmarks(launcher: launcher).repaint(&$0) }
block("frames") { try FrameBenchmark(launcher: launcher).run(&$0) }
block("graphics") { try GraphicsBenchmark(launcher: launcher).run(&$0) }
block("start") { report in
    try ScreenBenchmarks(launcher: launcher).firstFrame(&report)
    try StartBenchmark(launcher: launcher).run(&report)
}
block("idle") { try ScreenBenchmarks(launcher: launcher).idle(&$0) }
block("keys") { try ScrollBenchmarks(launcher: launcher).keyLatency(&$0) }
block("sort") { try ScrollBenchmarks(launcher: launcher).sorting(&$0) }
block("trace") { report in
    try IndependenceBenchmark(launcher: launcher).run(&report)
    try IndependenceBenchmark(launcher: launcher).hostileFolder(&report)
}
block("scrape") { try ScrapeBenchmark().run(&$0) }
block("memory") { try ScrollBenchmarks(launcher: launcher).memory(&$0) }
block("growth") { try GrowthBenchmark(launcher: launcher).run(&$0) }
block("net") { try NetBenchmark(launcher: launcher).run(&$0) }
block("alike") { try AlikeBenchmark().run(&$0) }
block("save") { try SaveBenchmark(program: launcher.program).run(&$0) }
block("fling") { try FlingBenchmark(launcher: launcher).run(&$0) }
block("soak") { report in
    let words = CommandLine.arguments.drop { $0 != "soak" }.dropFirst()
    let (minutes, seed) = (words.first.flatMap(Double.init) ?? 10, words.dropFirst(2).first)
    let chosen = seed.flatMap { UInt64($0) } ?? .random(in: 0..<100_000)
    report.heading("\(minutes.short) minutes of random keys, resizes and faults, seed \(chosen)")
    var soak = try Soak(
        launcher: launcher, program: words.dropFirst().first ?? launcher.program, minutes: minutes,
        seed: chosen)
    try soak.run(&report)
}
block("art") { report in
    try ArtBenchmark(
        words: wanted,
        resources: getenv("HALFTONE_RESOURCES").map { String(cString: $0) } ?? "Resources",
        folder: "/tmp/halftone-bench-\(getpid())/art"
    ).run(&report)
}

_ = try? Run.of(["rm", "-rf", "/tmp/halftone-bench-\(getpid())"])
exit(report.misses == 0 ? 0 : 1)
