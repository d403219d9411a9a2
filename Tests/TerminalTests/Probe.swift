import Glibc
import Raster
import TestSupport

/// The probe program, which draws made-up screens and is built with the tests.
enum Probe {
    /// The path of the program, next to the test bundle.
    static var path: String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let executable = String(
            decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return executable.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
            + "/curses-probe"
    }

    /// Starts the program in a terminal called xterm-256color.
    static func start(
        _ arguments: String..., size: CellSize, isUnderShell: Bool = false
    ) throws -> PtyProcess {
        try PtyProcess(
            path, arguments: arguments,
            environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"],
            size: size, isUnderShell: isUnderShell)
    }
}
