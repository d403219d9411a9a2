public import Basics
import CSandbox
import Glibc

/// Helper processes for work on untrusted data: each can compute and answer, and nothing else.
///
/// One that crashes, hangs, or exceeds its time or memory costs only the request it was working on. Usable from any thread; requests block.
public final class Sandbox: Sendable {
    /// The restrictions in force in a helper after it has dropped its privileges.
    public struct Protections: OptionSet, Sendable, CustomStringConvertible {
        /// The bits as reported by CSandbox.
        public let rawValue: UInt32
        /// Limits on memory, files and descriptors.
        public static let limits = Protections(rawValue: UInt32(HALFTONE_RLIMITS))
        /// A system-call filter.
        public static let seccomp = Protections(rawValue: UInt32(HALFTONE_SECCOMP))
        /// No access to files.
        public static let landlock = Protections(rawValue: UInt32(HALFTONE_LANDLOCK))

        /// Creates a set from the bits reported by CSandbox.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The names, separated by commas.
        public var description: String {
            [(Self.seccomp, "seccomp"), (.landlock, "Landlock"), (.limits, "rlimits")]
                .filter { contains($0.0) }.map(\.1).joined(separator: ", ")
        }
    }

    /// The abilities to read fonts and to start threads; the meaning of the other bits is up to the caller.
    public static let (fonts, workers) = (UInt32(HALFTONE_FONTS), UInt32(HALFTONE_WORKERS))

    private let zygote: Zygote
    /// Those that wait for a request, and the origin of what they have worked on, if anything; the least recently used first.
    private let idle = Locked<[(helper: HelperProcess, origin: String?)]>([])
    private let maxIdle: Int
    private let starts = Locked(Starts())

    /// The attempts to start a helper.
    private struct Starts {
        /// The failures after which a request no longer waits for another attempt.
        private static let maxFailures = 5

        /// The restrictions in force in the helper started last.
        var protections: Protections?
        private var failures = 0
        private var next = 0.0

        /// The seconds until the next attempt; nil if it is not worth waiting for.
        var pause: Double? {
            let pause = next - SteadyClock.now
            return failures >= Self.maxFailures && pause > 0 ? nil : pause
        }

        mutating func note(_ helper: HelperProcess?) {
            protections = helper?.protections ?? protections
            failures = helper == nil ? min(failures + 1, 2 * Self.maxFailures) : 0
            // 0.2 to 10 s.
            next = failures == 0 ? 0 : SteadyClock.now + min(0.1 * Double(1 << failures), 10)
        }
    }

    /// Whether the program has room for its threads, without which it would wait for ever for Dispatch to start them; to be asked before
    /// any is started.
    public static var hasRoomForThreads: Bool { halftone_has_room(Int32(HALFTONE_THREADS)) }

    /// Starts the zygote, before the program has threads or has read anything; nil if sandboxes are not supported.
    ///
    /// A first helper is forked in the background. Where the zygote cannot be started, or leaves no room for the program's threads, it is
    /// tried again with the first request.
    /// - Parameter prepare: Loads the libraries that abilities require, which helpers then share.
    /// - Parameter serve: The main function of a helper, with its socket, its memory and the restrictions in force: calls `serve`.
    /// - Parameter maxIdle: The maximum number of idle helpers kept.
    /// - Parameter now: Whether to fork now; else the first request runs the program anew as the zygote.
    public static func start(
        preparing prepare: @escaping @convention(c) (UInt32) -> Void,
        serving serve: @escaping @convention(c) (Int32, Int32, UInt32) -> Void, maxIdle: Int,
        now: Bool = true
    ) -> Sandbox? {
        Zygote(halftone_sandbox_work(prepare: prepare, serve: serve), now: now)
            .map { Sandbox($0, maxIdle: maxIdle) }
    }

    private init(_ zygote: Zygote, maxIdle: Int) {
        self.zygote = zygote
        self.maxIdle = maxIdle
    }

    /// The restrictions in force in helpers, as reported by the last one started, or else a first one, which is waited for; nil if none can
    /// be started.
    public var protections: Protections? {
        if let known = starts.current.protections { return known }
        if let helper = helper() { keep(helper, for: nil) }
        return starts.current.protections
    }

    /// Returns an idle helper with these abilities that has worked for `origin` only, or starts one; nil if none can be started, or
    /// `isCancelled` returns true.
    ///
    /// A start that fails is repeated, after growing pauses of 3 seconds in all; after that, requests fail at once, and one every ten
    /// seconds tries again. The process ends with the last reference to the helper, unless it is passed to `keep`.
    public func helper(
        _ abilities: UInt32 = 0, for origin: String = "", isCancelled: () -> Bool = { false }
    ) -> HelperProcess? {
        while !isCancelled() {
            while let helper = idle.withLock({ idle in
                idle.lastIndex {
                    $0.helper.abilities == abilities && $0.origin ?? origin == origin
                }.map { idle.remove(at: $0).helper }
            }) {
                if helper.isWaiting { return helper }
            }
            guard let pause = starts.current.pause else { return nil }
            if pause > 0 {
                poll(nil, 0, Int32(min(pause * 1000 + 1, 20)))
                continue
            }
            // The first, which has been asked for at the start of the program, has no abilities.
            let isFirst = starts.current.protections == nil
            let helper = HelperProcess(isFirst ? 0 : abilities, of: zygote)
            starts.withLock { $0.note(helper) }
            if let helper {
                if helper.abilities == abilities { return helper }
                keep(helper, for: nil)
                continue
            }
            // Those that wait for other origins may take up what the user may have.
            _ = idle.exchange([])
        }
        return nil
    }

    /// Keeps a helper for later requests of the origin that it was started for; nil if it has not been used yet.
    public func keep(_ helper: HelperProcess, for origin: String? = "") {
        // The surplus helper is released outside the lock, as ending it may take a while.
        _ = idle.withLock { idle in
            idle.append((helper, origin))
            return idle.count > maxIdle ? idle.removeFirst().helper : nil
        }
    }

    /// Runs in a helper: answers requests until the program closes the socket; a request's bytes stay in place until it is answered.
    ///
    /// `answer` also receives the file that begins with these bytes, or a negative number.
    public static func serve<Question: BitwiseCopyable, Answer: BitwiseCopyable>(
        _ socket: Int32, _ memory: Int32, _ protections: UInt32,
        answer: (Question, Bytes, Int32) -> (Answer, [UInt8])
    ) {
        let channel = Channel(socket: socket, memory: memory)
        guard channel.send(protections) else { return }
        var view = MemoryView(memory)
        while true {
            do {
                guard let asked = channel.receive(HelperProcess.Request<Question>.self, in: &view)
                else {
                    return
                }
                halftone_allow_seconds(asked.value.seconds)
                let (value, bytes) = answer(asked.value.question, asked.bytes, view.descriptor)
                guard channel.send(value, bytes) else { return }
            }
            view.release()
            halftone_give_back()
        }
    }
}
