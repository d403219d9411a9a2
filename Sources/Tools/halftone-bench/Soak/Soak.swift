import Basics
import Glibc
import Raster
import TestSupport

/// make soak: hours of random keys and resizes in an endless gallery whose server fails half of the time.
///
/// After each failing period the server recovers, and nothing may be left spinning; memory, file descriptors, threads and the cache's size
/// must not grow after the first part of the run.
struct Soak {
    private let process: PtyProcess
    private let gallery: SoakGallery
    private let cache: String
    private let duration: Double
    private let start = SteadyClock.now
    private var random: SplitMix
    private var samples: [Sample] = []
    private var keys = 0
    private var rounds = 0
    private var stuck = 0

    /// The resources held by the program at a quiet moment.
    private struct Sample {
        let time: Double
        let memory: Double
        let descriptors: Double
        let threads: Double
        let cache: Double
    }

    /// The warm-up in seconds after which nothing may grow; at most a third of the run.
    private static let longestWarmUp = 600.0
    private static let cacheMegabytes = 20.0
    private static let size = CellSize(columns: 120, rows: 40)
    private static let environment = [
        "SWIFT_BACKTRACE": "enable=no",
        // The quarantine of freed memory is bounded, as it would count as growth.
        "ASAN_OPTIONS": "quarantine_size_mb=8:log_path=.build/soak-report",
        "TSAN_OPTIONS": "log_path=.build/soak-report",
    ]

    /// - Parameter program: The program's path.
    init(launcher: Launcher, program: String, minutes: Double, seed: UInt64) throws {
        gallery = try SoakGallery(seed: seed)
        random = SplitMix(state: seed)
        duration = minutes * 60
        let folder = "/tmp/halftone-bench-\(getpid())/soak"
        try makeFolder(folder + "/saved")
        cache = folder + "/cache"
        process = try PtyProcess(
            program,
            arguments: [
                "--no-config", "--cache", cache, "--cache-size", "\(Int(Self.cacheMegabytes))",
                "--timeout", "3", "--retries", "1", "--output", folder + "/saved",
                gallery.server.url("/page/0"),
            ], environment: launcher.environment.merging(Self.environment) { $1 },
            size: Self.size)
    }

    mutating func run(_ report: inout Report) throws {
        while SteadyClock.now < start + duration, isRunning {
            gallery.setFailing(rounds % 2 == 1)
            play(for: 10)
            gallery.setFailing(false)
            comeToRest()
            try samples.append(sample())
            rounds += 1
        }
        tell(&report)
    }

    private var isRunning: Bool { TestSupport.isRunning(process.identifier) }

    // MARK: - User input

    /// All keys except those that quit, suspend or start another program, select characters that look like a spinner, or save, since
    /// failing to save a picture makes the exit status 1.
    private static let keys: [String] =
        "hjklhjkl  bgGvnNSrRitmuMyP+-=/f?123456789[]".map(String.init) + [
            "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}[5~", "\u{1B}[6~", "\u{1B}[H",
            "\u{1B}[F", "\r", "\r", "\t", "\u{1B}", "\u{1B}", "\u{1B}", "\u{4}", "\u{15}",
            "\u{C}", "\u{7F}",
            "\u{1B}[<65;30;10M", "\u{1B}[<64;30;10M", "\u{1B}[<0;40;12M\u{1B}[<0;40;12m",
        ]

    private mutating func play(for seconds: Double) {
        let end = SteadyClock.now + seconds
        while SteadyClock.now < end, isRunning {
            for _ in 0...random.next() % 4 {
                process.send(Self.keys.randomElement(using: &random) ?? "j")
                keys += 1
            }
            if random.next() % 20 == 0 {
                process.resize(
                    to: CellSize(
                        columns: .random(in: 10...220, using: &random),
                        rows: .random(in: 4...70, using: &random)))
            }
            process.waitForSilence(seconds: Double(random.next() % 100) / 1000)
        }
    }

    /// Leaves prompts, dialogs and the viewer, and waits until everything on the screen is loaded.
    private mutating func comeToRest() {
        process.resize(to: Self.size)
        // The pauses keep successive escapes from being read as Alt.
        for _ in 0..<6 {
            process.send("\u{1B}")
            process.waitForSilence(seconds: 0.15)
        }
        let redraws = process.screen.clearCount
        process.send("\u{C}")
        let isAlive = process.wait(seconds: 30) { $0.clearCount > redraws }
        let isCalm = isAlive && process.wait(seconds: 60) { !$0.isSpinning }
        if isCalm { return }
        stuck += 1
        print(isAlive ? "  left spinning:" : "  no answer to a key:")
        print(process.screen.text)
    }

    // MARK: - Resource usage

    private func sample() throws -> Sample {
        let folder = "/proc/\(process.identifier)"
        let used = "/tmp/halftone-bench-\(getpid())/soak/used"
        _ = try? Run.of(["du", "-sm", cache], output: used)
        return Sample(
            time: SteadyClock.now - start,
            memory: Double(ProcessState(of: process.identifier).resident) / 1e6,
            descriptors: Double(fileNames(in: folder + "/fd", limit: 10_000)?.count ?? 0),
            threads: Double(fileNames(in: folder + "/task", limit: 10_000)?.count ?? 0),
            cache: Double(readText(used).split(separator: "\t").first ?? "") ?? 0)
    }

    private func tell(_ report: inout Report) {
        report.line("keys, rounds", "\(keys), \(rounds)")
        report.check("rounds that left something spinning", Double(stuck), atMost: 0)
        let warmUp = min(Self.longestWarmUp, duration / 3)
        let rest = samples.filter { $0.time > warmUp }
        let (early, late) = (rest.prefix((rest.count + 1) / 2), rest.suffix((rest.count + 1) / 2))
        for (label, value, limit, unit) in [
            ("memory", \Sample.memory, 12.0, " MB"), ("descriptors", \Sample.descriptors, 4.0, ""),
            ("threads", \Sample.threads, 4.0, ""),
        ] {
            let (before, after) = (
                early.map { $0[keyPath: value] }.median, late.map { $0[keyPath: value] }.median
            )
            report.line(label, "\(before.short)\(unit), then \(after.short)\(unit)")
            report.check("growth of \(label)", after - before, atMost: limit, unit: unit)
        }
        report.check(
            "cache on disk", samples.map(\.cache).max() ?? 0, atMost: 1.25 * Self.cacheMegabytes,
            unit: " MB")
        report.check("ends otherwise than by q with status 0", leave() ? 0 : 1, atMost: 0)
    }

    private func leave() -> Bool {
        for _ in 0..<5 {
            process.send("q")
            guard let exit = process.waitForExit(seconds: 20) else { continue }
            if exit != .code(0) { print("  ended with \(exit)") }
            return exit == .code(0)
        }
        print("  does not end:\n\(process.screen.text)")
        return false
    }
}

extension ScreenEmulator {
    /// Whether a tile or the top line shows a spinner.
    fileprivate var isSpinning: Bool {
        let signs = Set("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".unicodeScalars.map(\.value))
        return grid.cells.contains { signs.contains($0.glyph) }
    }
}
