import Basics
import Browser
import Glibc

/// Runs a command in the terminal, like `!` in vi.
struct CommandRunner: CommandRunning {
    func run(_ words: [String], input: Int32, output: Int32) {
        let (process, error) = ChildProcess.start(
            words, descriptors: [input, output, output], isDetached: false)
        let name = words[0].oneLine(limit: 60)
        let outcome: String
        if let process {
            let status = ChildProcess.wait(for: process)
            outcome = status == 0 ? "\(name) has ended" : "\(name) ended with \(status)"
        } else {
            outcome = "\(name): \(String(cString: strerror(error)))"
        }
        _ = writeAll(Array("\r\nhalftone: \(outcome); Enter goes back\r\n".utf8), to: output)
        awaitLine(input)
    }

    /// Blocks until a line has been read or the terminal is gone.
    private func awaitLine(_ input: Int32) {
        var byte: UInt8 = 0
        while true {
            let count = read(input, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != "\n", byte != "\r" else { return }
        }
    }
}
