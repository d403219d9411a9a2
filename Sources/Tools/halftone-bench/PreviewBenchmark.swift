import Glibc
import ImageEncoders
import Raster

/// The time of a preview, as fzf or a file manager runs it for each file: whole processes in a pipe, compared with chafa.
struct PreviewBenchmark {
    let program: String

    private static let rounds = 15
    private static let columns = 60
    private static let rows = 30
    /// Milliseconds for a folder, which chafa does not draw: hardly perceived as waiting.
    private static let folderLimit = 100.0

    /// Runs the comparison for each kind of file, with an empty disk cache, with a warm one and without any, and prints the results.
    func run(_ report: inout Report) throws {
        // What halftone leaves running becomes a child of this process, so that its CPU time counts.
        guard Self.adoptOrphans(true) else { throw SystemFailure(subject: "prctl") }
        defer { _ = Self.adoptOrphans(false) }
        report.heading("A preview of \(Self.columns)×\(Self.rows) cells, medians")
        for (name, path) in try files() {
            try compare(name, path, to: &report)
        }
        let folder = try Photographs(
            count: 69, size: PixelSize(width: 1200, height: 800), name: "preview-folder"
        ).folder
        let (cold, warm) = (try preview(folder, "--no-cache"), try warmed(folder))
        var runs: [[Run]] = [[], []]
        for _ in 0..<Self.rounds {
            for (index, command) in [cold, warm].enumerated() {
                runs[index].append(try whole(command))
            }
        }
        for (words, runs) in zip(["without cache", "warm"], runs) {
            report.check(
                "a folder of 69, \(words)", runs.map(\.wall).median, atMost: Self.folderLimit,
                unit: " ms")
            report.line("  its CPU time", "\(runs.map(\.cpu).median.short) ms")
        }
    }

    /// Sets whether processes whose parents have ended become children of this one (PR_SET_CHILD_SUBREAPER).
    private static func adoptOrphans(_ isWanted: Bool) -> Bool {
        // Variadic functions are not imported; this one reads its arguments like any other.
        typealias Function = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        guard let symbol = dlsym(nil, "prctl") else { return false }
        return unsafeBitCast(symbol, to: Function.self)(36, isWanted ? 1 : 0, 0, 0, 0) == 0
    }

    private func files() throws -> [(name: String, path: String)] {
        let folder = "/tmp/halftone-bench-\(getpid())/preview"
        try makeFolder(folder)
        func photograph(_ width: Int, _ height: Int, _ seed: UInt64 = 1) -> PixelBuffer {
            Photographs.pixels(PixelSize(width: width, height: height), seed: seed)
        }
        let files = [
            ("12-megapixel JPEG", "12mp.jpg", try ImageEncoder.jpeg(photograph(4000, 3000))),
            ("1200-pixel JPEG", "1200.jpg", try ImageEncoder.jpeg(photograph(1200, 800))),
            ("400-pixel PNG", "400.png", try ImageEncoder.png(photograph(400, 300))),
            (
                "GIF of 20 frames", "frames.gif",
                try ImageEncoder.gif(animating: (1...20).map { photograph(400, 300, $0) })
            ),
        ]
        return try files.map { name, file, bytes in
            try writeFile(bytes, to: folder + "/" + file)
            return (name, folder + "/" + file)
        }
    }

    private func compare(_ name: String, _ path: String, to report: inout Report) throws {
        let size = "--size=\(Self.columns)x\(Self.rows)"
        let chafa = [
            "chafa", "--format=symbols", "--symbols=quad", "--colors=full", "--animate=off", size,
            path,
        ]
        let (none, warm) = (try preview(path, "--no-cache"), try warmed(path))
        var runs: [[Run]] = [[], [], [], []]
        for round in 0..<Self.rounds {
            let fresh = try preview(path, "--cache=\(path)-cache-\(round)")
            for (index, command) in [chafa, none, fresh, warm].enumerated() {
                runs[index].append(try whole(command))
            }
        }
        for (words, runs) in zip(["chafa", "without cache", "empty cache", "warm"], runs) {
            report.line(
                "\(name), \(words)",
                "\(runs.map(\.wall).median.short) ms, CPU \(runs.map(\.cpu).median.short) ms")
        }
        for (words, own) in zip(["without cache", "empty cache", "warm"], runs.dropFirst()) {
            // Pair by pair, so that a machine that slows down affects both.
            let (walls, times) = (
                zip(own, runs[0]).map { $0.wall / $1.wall },
                zip(own, runs[0]).map { $0.cpu / $1.cpu }
            )
            report.check("  \(words) / chafa", walls.median, atMost: 1)
            report.check("  \(words) / chafa, CPU", times.median, atMost: 1)
        }
    }

    private func preview(_ path: String, _ cache: String) throws -> [String] {
        [
            program, "--print", "--no-config", cache, "--colors=truecolor", "--blocks=quadrant",
            "--size=\(Self.columns)x\(Self.rows)", path,
        ]
    }

    /// Returns the command for a preview that has been drawn before.
    private func warmed(_ path: String) throws -> [String] {
        let command = try preview(path, "--cache=\(path)-cache")
        _ = try whole(command)
        return command
    }

    /// Runs a command, and waits for the processes that it has left to end by themselves.
    private func whole(_ command: [String]) throws -> Run {
        var run = try Run.of(command)
        var usage = rusage()
        while wait4(-1, nil, 0, &usage) > 0 { run.cpu += Run.cpu(of: usage) }
        return run
    }
}
