import Glibc
import ImageEncoders
import Raster
import TestSupport

/// The cost of a long gallery, and the response time of keys while it loads.
struct ScrollBenchmarks {
    /// Starts the program.
    let launcher: Launcher
    private static let wide = CellSize(columns: 200, rows: 60)

    /// Measures memory after each of 10,000 pictures has been on the screen.
    func memory(_ report: inout Report) throws {
        report.heading("Memory after scrolling through 10,000 pictures, 200×60")
        let folder = try manyPictures(10_000)
        let process = try launcher.open([folder], size: Self.wide)
        guard process.wait(seconds: 60, until: { $0.shows("/10000") }) else {
            return report.check("the folder opened", 1, atMost: 0)
        }
        process.waitForSilence(seconds: 0.5)
        let start = now()
        var pages = 0
        var place: Substring = ""
        while place != position(process.screen) {
            place = position(process.screen)
            process.send(" ")
            process.waitForSilence(seconds: 0.05)
            pages += 1
        }
        let state = ProcessState(of: process.identifier)
        report.line("screens", "\(pages) in \(((now() - start) / 1000).short) s")
        report.check("in use at the end", Double(state.resident) / 1e6, atMost: 150, unit: " MB")
        report.check("the most at any time", Double(state.peak) / 1e6, atMost: 150, unit: " MB")
    }

    /// Measures the time from a key to 20,000 sorted pictures, while 12-megapixel pictures are decoded and while nothing is.
    func sorting(_ report: inout Report) throws {
        report.heading(
            "Sorting 20,000 pictures by title while 12-megapixel pictures are decoded, 200×60")
        let photographs = try Photographs(
            count: 12, size: PixelSize(width: 4000, height: 3000), name: "4000x3000")
        let folder = "/tmp/halftone-bench-\(getpid())/sorted"
        try link(photographs.paths, count: 20_000, into: folder)
        var times: [(idle: Double, busy: Double)] = []
        for _ in 0..<9 {
            times.append((try sort(folder, isIdle: true), try sort(folder, isIdle: false)))
        }
        report.line("while nothing is decoded", "\(times.map(\.idle).median.short) ms")
        report.line("while pictures are decoded", "\(times.map(\.busy).median.short) ms")
        report.check(
            "while decoding / idle", times.map { $0.busy / $0.idle }.median, atMost: 1.2)
    }

    private func sort(_ folder: String, isIdle: Bool) throws -> Double {
        let process = try launcher.open([folder], size: Self.wide)
        guard process.wait(seconds: 60, until: { $0.shows("/20000") }) else { return .infinity }
        if isIdle { process.waitForSilence(seconds: 1.5) }
        let start = now()
        process.send("S")
        var end = Double.infinity
        process.replay(silence: 0.5, limit: 5) { arrival, screen in
            guard end == .infinity, screen.shows("sorted by"), !screen.shows(", sorting") else {
                return
            }
            end = arrival.time * 1000 - start
        }
        return end
    }

    /// Measures the time from a key to the last byte of the changed bottom line, while pictures arrive and are decoded.
    func keyLatency(_ report: inout Report) throws {
        report.heading("From a key to its answer while 12-megapixel pictures load, 200×60")
        let photographs = try Photographs(
            count: 12, size: PixelSize(width: 4000, height: 3000), name: "4000x3000")
        let folder = "/tmp/halftone-bench-\(getpid())/large"
        try link(photographs.paths, count: 600, into: folder)
        let process = try launcher.open([folder], size: Self.wide)
        guard process.wait(seconds: 30, until: { $0.shows("/600") }) else {
            return report.check("the folder opened", 1, atMost: 0)
        }
        var random = SplitMix(state: 1)
        var times: [Double] = []
        for number in 0..<300 {
            let before = position(process.screen)
            // Mostly sideways moves; an occasional page down keeps the decoders busy.
            let key = number % 25 == 24 ? " " : number % 2 == 0 ? "l" : "h"
            let start = now()
            process.send(key)
            var answer = 5000.0
            // There is no silence while pictures arrive; if the answer has not come after half a second, there is none.
            process.replay(silence: 0.06 + random.unit() * 0.02, limit: 0.5) { arrival, screen in
                if answer == 5000, position(screen) != before {
                    answer = arrival.time * 1000 - start
                }
            }
            times.append(answer)
        }
        report.line("median", "\(times.median.short) ms")
        report.check("99th percentile of 300", times.quantile(0.99), atMost: 50, unit: " ms")
    }

    /// Returns the position on the bottom line, such as "12/240".
    func position(_ screen: ScreenEmulator) -> Substring {
        screen.text(row: screen.size.rows - 1).split(separator: " ").first ?? ""
    }

    func manyPictures(_ count: Int) throws -> String {
        let small = try Photographs(
            count: 100, size: PixelSize(width: 300, height: 200), name: "300x200")
        let folder = "/tmp/halftone-bench-\(getpid())/many-\(count)"
        try link(small.paths, count: count, into: folder)
        return folder
    }

    /// Fills `folder` with `count` hard links to `files`; to the program, each is a separate file.
    func link(_ files: [String], count: Int, into folder: String) throws {
        try makeFolder(folder)
        for number in 0..<count {
            let name = "\(folder)/\(number + 1).jpg"
            guard Glibc.link(files[number % files.count], name) == 0 || errno == EEXIST else {
                throw SystemFailure(subject: name)
            }
        }
    }
}
