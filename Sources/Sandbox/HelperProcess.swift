import Basics
import CSandbox
import Glibc

/// The program's handle of a helper process, used by one thread at a time; releasing it ends the process.
public final class HelperProcess: Sendable {
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
    /// - Parameter seconds: The limit on CPU time; `HelperTimeouts` says how much wall-clock time is allowed.
    public func answer<Question: BitwiseCopyable, Answer: BitwiseCopyable>(
        to question: Question, _ bytes: [UInt8], in file: Int32? = nil, as: Answer.Type,
        seconds: Double, isCancelled: () -> Bool = { false }
    ) throws(Failure) -> (value: Answer, bytes: [UInt8]) {
        let start = SteadyClock.now
        guard channel.send(Request(seconds: seconds, question: question), bytes, in: file) else {
            throw end()
        }
        var used = 0.0
        var lastProgress = start
        while !isReadable(channel.socket, within: HelperTimeouts.pollInterval) {
            if isCancelled() { throw .cancelled }
            let now = SteadyClock.now
            let total = Double(reading(of: clock)) * 1e-9
            if total > used {
                used = total
                lastProgress = now
            }
            if now - start > seconds * HelperTimeouts.wallSeconds
                || now - lastProgress > HelperTimeouts.standstill
            {
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
