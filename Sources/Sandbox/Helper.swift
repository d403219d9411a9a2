import Basics
import CSandbox
import Glibc

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
    /// Seconds within which a helper that computes gets some CPU time, even on a busy machine: one that does not is stopped or sleeps.
    private static let maxStandstill = 5.0

    let abilities: UInt32
    let protections: Sandbox.Protections
    private let channel: Channel
    private let zygote: Zygote
    private let process: Locked<halftone_helper?>
    /// The clock of its CPU time.
    private let clock: clockid_t

    init?(_ abilities: UInt32, of zygote: Zygote) {
        guard let process = zygote.fork(abilities) else { return nil }
        self.abilities = abilities
        self.zygote = zygote
        self.process = Locked(process)
        var clock = clockid_t()
        clock_getcpuclockid(process.process, &clock)
        self.clock = clock
        channel = Channel(socket: process.socket, memory: process.memory)
        // The helper reports its restrictions once it has dropped its privileges, before it reads anything.
        guard isReadable(channel.socket, within: halftone_start_timeout),
            let greeting = channel.receive(UInt32.self, atMost: 0)
        else {
            _ = zygote.end(process)
            return nil
        }
        protections = Sandbox.Protections(rawValue: greeting.value)
    }

    deinit { _ = end() }

    /// Whether the helper is idle: it has sent nothing unrequested and, above all, has not exited.
    var isWaiting: Bool { !isReadable(channel.socket, within: 0) }

    /// Sends a request to the helper and waits for the answer; after a failure the helper is unusable.
    ///
    /// - Parameter file: A file that begins with `bytes`, which are then read from it instead of being sent.
    /// - Parameter seconds: The limit on CPU time; three times as much wall-clock time is allowed, less to a helper that does nothing.
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
        var (used, lastProgress) = (0.0, start)
        while !isReadable(channel.socket, within: Self.pollInterval) {
            if isCancelled() { throw .cancelled }
            let (now, total) = (SteadyClock.now, Double(reading(of: clock)) * 1e-9)
            if total > used { (used, lastProgress) = (total, now) }
            if now - start > seconds * 3 || now - lastProgress > Self.maxStandstill {
                throw .tooSlow
            }
        }
        guard let answer = channel.receive(Answer.self, atMost: Self.maxBytes) else { throw end() }
        channel.giveBack()
        return answer
    }

    /// Ends the helper and returns why it failed.
    private func end() -> Failure {
        guard let process = process.exchange(nil) else { return .crashed }
        let ending = zygote.end(process)
        // Few helpers report that they ran out of memory: most libraries abort.
        if ending.signal != 0, ending.memory > halftone_helper_memory / 4 { return .tooMuchMemory }
        return ending.signal == SIGPROF ? .tooSlow : .crashed
    }
}

/// Forks the helper processes; a new zygote is started if it dies or does not reply.
final class Zygote: Sendable {
    private struct State {
        var process: halftone_zygote
        /// Whether the start has shown that there is room for a helper beside the program's threads.
        let hasRoom: Bool
        var helperCount = 0
    }

    /// Locked while the zygote replies: a millisecond, or tens of them while it loads a library, or seconds if it is stopped.
    private let state: Locked<State>

    /// Nil if sandboxes are not supported.
    init?(_ work: halftone_sandbox_work, now: Bool) {
        var process = halftone_zygote()
        guard halftone_zygote_start(work, now, &process) else { return nil }
        state = Locked(State(process: process, hasRoom: process.is_asked))
    }

    deinit {
        // Its helpers end with it.
        state.withLock { halftone_zygote_end(&$0.process) }
    }

    /// Forks a helper; nil if there is no room for one and the threads that the program may still start.
    func fork(_ abilities: UInt32) -> halftone_helper? {
        state.withLock { state in
            var helper = halftone_helper()
            let isForked = halftone_helper_start(&state.process, abilities, &helper)
            if isForked, state.hasRoom && state.helperCount == 0 || halftone_has_room(1) {
                state.helperCount += 1
                return helper
            }
            if isForked { _ = halftone_helper_end(&state.process, helper) }
            // It may be taking the place of one of those threads.
            if state.helperCount == 0 { halftone_zygote_end(&state.process) }
            return nil
        }
    }

    func end(_ helper: halftone_helper) -> halftone_ending {
        state.withLock { state in
            state.helperCount -= 1
            return halftone_helper_end(&state.process, helper)
        }
    }
}
