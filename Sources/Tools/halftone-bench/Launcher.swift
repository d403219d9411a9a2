import Glibc
import Raster
import TestSupport

/// Starts programs in terminals of their own: the release build, and its peers.
struct Launcher {
    /// The folder the release builds are in.
    let products: String

    /// The program.
    var program: String { products + "/halftone" }

    /// Starts the program on `sources` in a truecolor terminal of `size`; of the user's, nothing is read or written.
    ///
    /// - Parameter cache: The folder of the disk cache; nil for none.
    func open(
        _ sources: [String], options: [String] = [], cache: String? = nil, size: CellSize
    ) throws -> PtyProcess {
        try open(
            program,
            arguments: ["--no-config"] + (cache.map { ["--cache", $0] } ?? ["--no-cache"]) + options
                + sources, size: size)
    }

    /// Starts any program there, by its path.
    func open(_ path: String, arguments: [String], size: CellSize) throws -> PtyProcess {
        try PtyProcess(path, arguments: arguments, environment: environment, size: size)
    }

    let environment: [String: String] = [
        "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8",
        "HOME": "/nonexistent",
        "HALFTONE_RESOURCES": getenv("HALFTONE_RESOURCES").map { String(cString: $0) }
            ?? "Resources",
        "PATH": "/usr/bin:/bin",
    ]
}

/// What the kernel says of a process.
struct ProcessState {
    /// Memory in use, in bytes.
    let resident: Int
    /// The most memory ever in use, in bytes.
    let peak: Int
    /// CPU time of all threads so far, in milliseconds.
    let cpu: Double

    /// Reads `/proc` for `process`.
    init(of process: pid_t) {
        let status = readText("/proc/\(process)/status")
        resident = Self.kilobytes("VmRSS:", in: status) << 10
        peak = Self.kilobytes("VmHWM:", in: status) << 10
        cpu = Self.cpuTime(of: process)
    }

    /// By the process's own clock, which counts ended threads too.
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
