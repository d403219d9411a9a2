import Basics
import Browser
import Dispatch
import Glibc
import Pipeline

/// Runs other programs for `!` lines.
struct CommandRunner: CommandRunning {
    /// The words of `$PAGER`.
    private let pager: [String]
    /// Added to each program's environment.
    private let variables: [String: String]

    /// Creates the runner; `socket` is where this program can be controlled.
    init(variables: [String: String], socket: String?) {
        self.variables = socket.map { ["HALFTONE_SOCKET": $0] } ?? [:]
        let words = (variables["PAGER"] ?? "").split(separator: " ").map(String.init)
        pager = words.isEmpty ? ["less", "-R"] : words
    }

    func run(_ call: ProgramCall, input: Int32, output: Int32) {
        guard call.isPaged else {
            let run = Run(call, [input, output, output], isDetached: false, variables)
            return awaitEnter(run.outcome.text, input, output)
        }
        guard let (reader, writer) = ChildProcess.channel() else { return }
        let reading = Run(ProgramCall(words: pager), [reader, output, output], isDetached: false)
        let run = Run(call, [nil, writer, writer], isDetached: false, variables)
        close(reader)
        close(writer)
        let read = reading.outcome
        // It may have more to say than was read, and then ends as it would at its next write.
        run.process.map { _ = kill($0, SIGPIPE) }
        let outcome = run.outcome
        if read.status != 0 {
            awaitEnter(read.text, input, output)
        } else if outcome.status != 0, outcome.status != 128 + SIGPIPE {
            awaitEnter(outcome.text, input, output)
        }
    }

    func start(
        _ call: ProgramCall, completion: @escaping @Sendable (_ failure: String?) -> Void
    ) -> Subscription {
        let words = OpenFile(temporaryIn: temporaryFolder)
        let run = Run(call, [nil, nil, words?.descriptor], variables)
        // Serial queues have threads of their own, however long the programs run.
        DispatchQueue(label: "halftone.run").asyncGuarded {
            completion(run.failure(saying: words))
        }
        return .ended
    }

    /// A program that has been started, or could not be.
    struct Run {
        let process: pid_t?
        private let error: Int32
        private let name: String

        init(
            _ call: ProgramCall, _ descriptors: [Int32?], isDetached: Bool = true,
            _ variables: [String: String] = [:]
        ) {
            name = call.words[0].oneLine(limit: 60)
            (process, error) = ChildProcess.start(
                call.words, descriptors: descriptors, isDetached: isDetached,
                variables: call.variables.merging(variables) { $1 })
        }

        /// Its exit status, which is -1 if it could not be started, and one line about it; blocks until it ends.
        var outcome: (status: Int32, text: String) {
            guard let process else {
                let reason =
                    error == E2BIG
                    ? "these are more names than the system takes"
                    : systemReason(error)
                return (-1, "\(name): \(reason)")
            }
            let status = ChildProcess.wait(for: process)
            return (status, status == 0 ? "\(name) has ended" : "\(name) ended with \(status)")
        }

        /// Returns one line about its failure, with the last of `words`, which it has written; nil if it succeeds.
        ///
        /// Blocks until it ends.
        func failure(saying words: OpenFile?) -> String? {
            let (status, text) = outcome
            guard status != 0 else { return nil }
            let last = words.map { words in
                words.piece(at: max(0, Int(lseek(words.descriptor, 0, SEEK_END)) - 4096))
            }
            let lines = String(utf8: last ?? []).split(whereSeparator: \.isNewline)
            return lines.last.map { "\(text): \(String($0).oneLine(limit: 200))" } ?? text
        }
    }

    /// Blocks until a line has been read or the terminal is gone.
    private func awaitEnter(_ text: String, _ input: Int32, _ output: Int32) {
        _ = writeAll(Array("\r\nhalftone: \(text); Enter goes back\r\n".utf8), to: output)
        var byte: UInt8 = 0
        while true {
            let count = read(input, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != "\n", byte != "\r" else { return }
        }
    }
}
