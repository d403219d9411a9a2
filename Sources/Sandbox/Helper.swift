import Basics
import CSandbox
import Glibc
import Pipeline

/// The program's handle of a helper process, used by one thread at a time; releasing it ends the process.
public final class Helper: Sendable {
    /// Why there is no answer.
    public enum Failure: Error {
        /// The helper exited, or its answer was malformed.
        case crashed
        case tooMuchMemory
        case tooSlow
        case cancelled
    }

    /// A request and its CPU time limit.
    struct Request<Question: BitwiseCopyable>: BitwiseCopyable {
        var seconds: Double
        var question: Question
    }

    /// The largest answer in bytes: more than the pixels for the largest screen.
    private static let maxBytes = 64 << 20
    /// Milliseconds between checks for cancellation and timeout: longer than most decodes.
    private static let pollInterval: Int32 = 20
    /// Milliseconds within which a helper must have locked itself down.
    private static let startTimeout: Int32 = 5000

    let abilities: UInt32
    let protections: Sandbox.Protections
    private let channel: Channel
    private let zygote: Zygote
    private let process: Locked<halftone_helper?>

    init?(_ abilities: UInt32, of zygote: Zygote) {
        guard let process = zygote.fork(abilities) else { return nil }
        self.abilities = abilities
        self.zygote = zygote
        self.process = Locked(process)
        channel = Channel(socket: process.socket, memory: process.memory)
        // The helper reports its restrictions once it has dropped its privileges, before it reads anything.
        guard channel.isReady(in: Self.startTimeout),
            let greeting = channel.receive(UInt32.self, atMost: 0)
        else {
            _ = zygote.end(process)
            return nil
        }
        protections = Sandbox.Protections(rawValue: greeting.value)
    }

    deinit { _ = end() }

    /// Whether the helper is idle: it has sent nothing unrequested and, above all, has not exited.
    var isWaiting: Bool { !channel.isReady(in: 0) }

    /// Sends a request to the helper and waits for the answer; after a failure the helper is unusable.
    ///
    /// - Parameter file: A file that begins with `bytes`, which are then read from it instead of being sent.
    /// - Parameter seconds: The limit on CPU time; three times as much wall-clock time is allowed, in case the helper hangs.
    public func answer<Question: BitwiseCopyable, Answer: BitwiseCopyable>(
        to question: Question, _ bytes: [UInt8], in file: Int32? = nil, as: Answer.Type,
        seconds: Double, isCancelled: () -> Bool = { false }
    ) throws(Failure) -> (value: Answer, bytes: [UInt8]) {
        let start = SteadyClock.now
        let request = Request(seconds: seconds, question: question)
        let isSent =
            file.map { channel.send(request, count: bytes.count, of: $0) }
            ?? channel.send(request, bytes)
        guard isSent else { throw end() }
        while !channel.isReady(in: Self.pollInterval) {
            if isCancelled() { throw .cancelled }
            if SteadyClock.now - start > seconds * 3 { throw .tooSlow }
        }
        guard let answer = channel.receive(Answer.self, atMost: Self.maxBytes) else { throw end() }
        channel.giveBack()
        return answer
    }

    /// Ends the helper and returns why it failed.
    private func end() -> Failure {
        let process = process.withLock { process in
            defer { process = nil }
            return process
        }
        guard let process else { return .crashed }
        let ending = zygote.end(process)
        // Few helpers report that they ran out of memory: most libraries abort.
        if ending.signal != 0, ending.memory > halftone_helper_memory / 4 { return .tooMuchMemory }
        return ending.signal == SIGPROF ? .tooSlow : .crashed
    }
}

/// Forks the helper processes; a new zygote is started if it dies.
final class Zygote: Sendable {
    /// Locked while the zygote replies: a millisecond, or tens of them while it loads a library.
    private let process: Locked<halftone_zygote>

    init?(_ work: halftone_sandbox_work) {
        var process = halftone_zygote()
        guard halftone_zygote_start(work, &process) else { return nil }
        self.process = Locked(process)
    }

    deinit {
        // The zygote exits when its socket is closed, and its helpers with it.
        process.withLock { _ = close($0.socket) }
    }

    func fork(_ abilities: UInt32) -> halftone_helper? {
        process.withLock { process in
            var helper = halftone_helper()
            let isTold =
                halftone_helper_start(&process, abilities, &helper)
                || halftone_zygote_restart(&process)
                    && halftone_helper_start(&process, abilities, &helper)
            return isTold && helper.process > 0 ? helper : nil
        }
    }

    func end(_ helper: halftone_helper) -> halftone_ending {
        process.withLock { halftone_helper_end($0, helper) }
    }
}
