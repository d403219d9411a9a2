import Glibc
import ImageEncoders
import Raster
import TestSupport

/// The effect of a slow picture, a missing one and a slow section on the others, from the trace of one run.
struct IndependenceBenchmark {
    /// Starts the program.
    let launcher: Launcher

    private static let slowPicture = 3
    private static let failingPicture = 5
    private static let pictureCount = 12

    /// Browses a gallery whose third picture takes 2 s and whose fifth is missing, beside one whose page takes 3 s.
    func run(_ report: inout Report) throws {
        report.heading(
            "One picture takes 2 s, one is missing, another section takes 3 s: the trace")
        let server = try site()
        defer { server.stop() }
        try makeFolder("/tmp/halftone-bench-\(getpid())")
        let path = "/tmp/halftone-bench-\(getpid())/trace.json"
        let process = try launcher.open(
            [server.url("/slow"), server.url("/gallery")], options: ["--trace", path],
            size: CellSize(columns: 120, rows: 60))
        _ = process.wait(seconds: 15) { $0.shows("Slow section") }
        process.waitForSilence(seconds: 1)
        process.send("q")
        _ = process.waitForExit()
        let events = try TraceEvent.read(path)
        let fetches = events.filter { $0.name == "fetch" && $0.detail.contains("/p") }
            .sorted { $0.end < $1.end }
        for fetch in fetches {
            let name = fetch.detail.split(separator: "/").last.map(String.init) ?? fetch.detail
            report.line(
                "fetch \(name)",
                "\((fetch.start / 1000).short) to \((fetch.end / 1000).short) ms  \(fetch.outcome)")
        }
        for page in events.filter({ $0.name == "page" }) {
            report.line("page \(page.detail.suffix(8))", "until \((page.end / 1000).short) ms")
        }
        let slow = fetches.filter { $0.detail.hasSuffix("p\(Self.slowPicture).jpg") }.map(\.end)
            .max()
        let others = fetches.filter { !$0.detail.hasSuffix("p\(Self.slowPicture).jpg") }
        report.check(
            "pictures held back", Double(Self.pictureCount - 1 - others.count), atMost: 0)
        report.check(
            "last other picture / slow picture",
            (others.map(\.end).max() ?? .infinity) / (slow ?? 1),
            atMost: 0.25)
    }

    /// Opens a folder of three drawings that a renderer would be busy with for minutes, and one photograph.
    func hostileFolder(_ report: inout Report) throws {
        report.heading("A photograph beside three drawings that take minutes: the trace")
        let folder = "/tmp/halftone-bench-\(getpid())/hostile"
        try makeFolder(folder)
        let blurred = String(
            repeating: "<rect width='100' height='100' filter='url(#f)'/>", count: 20_000)
        let drawing =
            "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='200'>"
            + "<filter id='f'><feGaussianBlur stdDeviation='9'/></filter>\(blurred)</svg>"
        for number in 1...3 {
            try writeFile(Array((drawing + "<!--\(number)-->").utf8), to: "\(folder)/\(number).svg")
        }
        let pixels = Photographs.pixels(PixelSize(width: 1200, height: 800), seed: 1)
        try writeFile(try ImageEncoder.jpeg(pixels), to: folder + "/photo.jpg")
        let trace = folder + ".json"
        let process = try launcher.open(
            [folder], options: ["--trace", trace], size: CellSize(columns: 120, rows: 60))
        process.waitForSilence(seconds: 6)
        process.send("q")
        _ = process.waitForExit()
        let events = try TraceEvent.read(trace)
        for event in events where event.name == "decode" {
            let file = event.detail.split(separator: "/").last.map(String.init) ?? ""
            report.line(
                "decode \(file)",
                "\((event.start / 1000).short) to \((event.end / 1000).short) ms  \(event.outcome)")
        }
        let tile = events.first { $0.name == "draw" && $0.detail.hasSuffix("photo.jpg") }
        report.check("the photograph's tile, seconds", (tile?.end ?? .infinity) / 1e6, atMost: 2)
    }

    private func site() throws -> LoopbackServer {
        let server = try LoopbackServer()
        let pixels = Photographs.pixels(PixelSize(width: 300, height: 200), seed: 1)
        let jpeg = try ImageEncoder.jpeg(pixels)
        let figures = (1...Self.pictureCount).map {
            "<figure><img src=p\($0).jpg width=300 height=200><figcaption>Picture \($0)</figcaption></figure>"
        }
        server.route("/gallery") { _ in .html("<title>Gallery</title>" + figures.joined()) }
        server.route("/slow") { _ in
            .html("<title>Slow section</title><figure><img src=q.jpg width=300></figure>")
                .delayed(milliseconds: 3000)
        }
        server.route(below: "/") { request in
            switch request.path {
            case "/p\(Self.failingPicture).jpg": .status(404)
            case "/p\(Self.slowPicture).jpg":
                .bytes(jpeg, type: "image/jpeg").delayed(milliseconds: 2000)
            default: .bytes(jpeg, type: "image/jpeg")
            }
        }
        return server
    }
}
