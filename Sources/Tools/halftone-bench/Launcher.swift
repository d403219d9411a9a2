import Glibc
import Raster
import TestSupport

/// Starts the release build and its peers, each in its own terminal.
struct Launcher {
    /// The folder of the release builds.
    let products: String

    /// The path of the program.
    var program: String { products + "/halftone" }

    /// Starts the program on `sources` in a truecolor terminal of `size`, without reading or writing any of the user's files.
    ///
    /// - Parameter cache: The folder of the disk cache; nil for none.
    func open(
        _ sources: [String], options: [String] = [], cache: String? = nil, size: CellSize,
        answers: TerminalAnswers? = nil
    ) throws -> PtyProcess {
        try open(
            program,
            arguments: ["--no-config", "--no-state"]
                + (cache.map { ["--cache", $0] } ?? ["--no-cache"]) + options
                + sources, size: size, answers: answers)
    }

    /// Starts any program by its path.
    func open(
        _ path: String, arguments: [String], size: CellSize, answers: TerminalAnswers? = nil
    ) throws -> PtyProcess {
        try PtyProcess(
            path, arguments: arguments, environment: environment, size: size, answers: answers)
    }

    let environment: [String: String] = [
        "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8",
        "HOME": "/nonexistent",
        "HALFTONE_RESOURCES": getenv("HALFTONE_RESOURCES").map { String(cString: $0) }
            ?? "Resources",
        "PATH": "/usr/bin:/bin",
    ]
}

/// A process's resource usage as reported by the kernel.
struct ProcessState {
    /// The resident memory, in bytes.
    let resident: Int
    /// The peak resident memory, in bytes.
    let peak: Int
    /// The CPU time of all threads so far, in milliseconds.
    let cpu: Double

    /// Reads the state of `process` from `/proc`.
    init(of process: pid_t) {
        let status = readText("/proc/\(process)/status")
        resident = Self.kilobytes("VmRSS:", in: status) << 10
        peak = Self.kilobytes("VmHWM:", in: status) << 10
        cpu = Self.cpuTime(of: process)
    }

    /// Returns the time of the process's CPU clock, which includes ended threads.
    private static func cpuTime(of process: pid_t) -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            return 0
        }
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }

    private static func kilobytes(_ label: String, in text: String) -> Int {
        let line = text.split(separator: "\n").first { $0.hasPrefix(label) }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
            ?? 0
    }
}
