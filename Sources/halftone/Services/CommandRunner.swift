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

    func run(
        _ call: ProgramCall, input: Int32, output: Int32, completion: @escaping Receiver<Void>
    ) {
        DispatchQueue(label: "halftone.run").asyncGuarded { completion(run(call, input, output)) }
    }

    private func run(_ call: ProgramCall, _ input: Int32, _ output: Int32) {
        guard call.isPaged else {
            return awaitEnter(
                started(call, [input, output, output]).outcome.text, input,
                output)
        }
        guard let (reader, writer) = ChildProcess.channel() else { return }
        let reading = ChildProcess(pager, [reader, output, output], isDetached: false)
        let run = started(call, [nil, writer, writer])
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

    func start(_ call: ProgramCall, completion: @escaping Receiver<String?>) {
        let words = OpenFile(temporaryIn: temporaryFolder)
        let run = started(call, [nil, nil, words?.descriptor], isDetached: true)
        // Serial queues have threads of their own, however long the programs run.
        DispatchQueue(label: "halftone.run").asyncGuarded {
            completion(run.failure(saying: words))
        }
    }

    private func started(
        _ call: ProgramCall, _ descriptors: [Int32?], isDetached: Bool = false
    ) -> ChildProcess {
        ChildProcess(
            call.words, descriptors, isDetached: isDetached,
            variables: call.variables.merging(variables) { $1 })
    }

    /// Blocks until a line has been read or the terminal is gone.
    private func awaitEnter(_ text: String, _ input: Int32, _ output: Int32) {
        _ = writeAll("\r\nhalftone: \(text); Enter goes back\r\n".bytes, to: output)
        var byte: UInt8 = 0
        while true {
            let count = read(input, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != "\n", byte != "\r" else { return }
        }
    }
}
