import Basics
import CSandbox
import Glibc
import Pipeline

/// A helper process, as the program sees it, on one thread at a time; it ends with this.
public final class Helper: Sendable {
    /// Why there is no answer.
    public enum Failure: Error {
        /// It ended, or said what makes no sense.
        case crashed
        case tooMuchMemory
        case tooSlow
        case cancelled
    }

    /// What it is asked, and what that may cost.
    struct Request<Question: BitwiseCopyable>: BitwiseCopyable {
        var seconds: Double
        var question: Question
    }

    /// Bytes of the largest answer: more than pixels for the largest screen have.
    private static let mostBytes = 64 << 20
    /// Milliseconds after which it is looked at whether anything speaks against waiting longer: longer than most decodes.
    private static let pollInterval: Int32 = 20
    /// Milliseconds that a helper may take to lock itself in.
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
        // It says so when it has lost its rights, and before it has read anything.
        guard channel.isReady(in: Self.startTimeout),
            let greeting = channel.receive(UInt32.self, atMost: 0)
        else {
            _ = zygote.end(process)
            return nil
        }
        protections = Sandbox.Protections(rawValue: greeting.value)
    }

    deinit { _ = end() }

    /// Whether nothing has come from it that was not asked for, its end above all.
    var isWaiting: Bool { !channel.isReady(in: 0) }

    /// Has it answer; after a failure it answers no more.
    ///
    /// - Parameter file: A file that begins with `bytes`, which are then read there and not sent.
    /// - Parameter seconds: Of processor time; three times as many by the clock, for a helper that does nothing.
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
        guard let answer = channel.receive(Answer.self, atMost: Self.mostBytes) else { throw end() }
        channel.giveBack()
        return answer
    }

    /// Why it ended, if it had.
    private func end() -> Failure {
        let process = process.withLock { process in
            defer { process = nil }
            return process
        }
        guard let process else { return .crashed }
        let ending = zygote.end(process)
        // Few that run out of memory say so: most libraries abort.
        if ending.signal != 0, ending.memory > halftone_helper_memory / 4 { return .tooMuchMemory }
        return ending.signal == SIGPROF ? .tooSlow : .crashed
    }
}

/// What forks helpers; another is started once it is gone.
final class Zygote: Sendable {
    /// Held while it answers: a millisecond, tens of them while it loads a library.
    private let process: Locked<halftone_zygote>

    init?(_ work: halftone_sandbox_work) {
        var process = halftone_zygote()
        guard halftone_zygote_start(work, &process) else { return nil }
        self.process = Locked(process)
    }

    deinit {
        // It ends its helpers with itself.
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
