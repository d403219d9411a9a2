import CSandbox
import Pipeline

/// Processes that do work on what strangers sent: each can compute, and answer, and nothing else.
///
/// One that crashes, hangs, or takes too much of time or memory costs the request it was working on. Any thread; requests block.
public final class Sandbox: Sendable {
    /// What is known about a helper when it has lost its rights.
    public struct Protections: OptionSet, Sendable, CustomStringConvertible {
        /// What the kernel's interface calls it.
        public let rawValue: UInt32
        /// Bounds of memory, files and descriptors.
        public static let limits = Protections(rawValue: UInt32(HALFTONE_RLIMITS))
        /// A filter of system calls.
        public static let seccomp = Protections(rawValue: UInt32(HALFTONE_SECCOMP))
        /// No files.
        public static let landlock = Protections(rawValue: UInt32(HALFTONE_LANDLOCK))

        /// Wraps a value of the kernel's interface.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Their names in a row.
        public var description: String {
            [(Self.seccomp, "seccomp"), (.landlock, "Landlock"), (.limits, "rlimits")]
                .filter { contains($0.0) }.map(\.1).joined(separator: ", ")
        }
    }

    /// What gives a helper the right to read fonts; the other bits of its abilities have a meaning of the caller's own.
    public static let fonts = UInt32(HALFTONE_FONTS)

    private let zygote: Zygote
    /// Least recently used first.
    private let idle = Locked<[Helper]>([])
    private let mostIdle: Int
    /// Nil until the first helper has been waited for.
    private let known = Locked<Protections??>(nil)

    /// Starts what forks helpers, before the program has threads or has read anything; nil where that cannot be.
    ///
    /// A first helper is made meanwhile.
    /// - Parameter prepare: Loads the libraries that abilities stand for, which helpers then share.
    /// - Parameter serve: The work of a helper, with its socket, its memory and what is in force: calls `serve`.
    /// - Parameter mostIdle: Helpers that are kept while there is nothing for them to do.
    public static func start(
        preparing prepare: @escaping @convention(c) (UInt32) -> Void,
        serving serve: @escaping @convention(c) (Int32, Int32, UInt32) -> Void, mostIdle: Int
    ) -> Sandbox? {
        Zygote(halftone_sandbox_work(prepare: prepare, serve: serve))
            .map { Sandbox($0, mostIdle: mostIdle) }
    }

    private init(_ zygote: Zygote, mostIdle: Int) {
        self.zygote = zygote
        self.mostIdle = mostIdle
    }

    /// What is in force in helpers, which is known when the first one has said so; nil if none can be started.
    public var protections: Protections? {
        known.withLock { known in
            if let known { return known }
            let first = Helper(0, of: zygote)
            if let first { keep(first) }
            known = .some(first?.protections)
            return first?.protections
        }
    }

    /// A helper with these abilities that has nothing to do; nil if none can be started.
    ///
    /// It ends with the last reference to it, unless it is kept.
    public func helper(_ abilities: UInt32 = 0) -> Helper? {
        guard protections != nil else { return nil }
        while let helper = idle.withLock({ idle in
            idle.lastIndex { $0.abilities == abilities }.map { idle.remove(at: $0) }
        }) {
            if helper.isWaiting { return helper }
        }
        return Helper(abilities, of: zygote)
    }

    /// Keeps a helper for a later request that has nothing to do with the one it answered.
    public func keep(_ helper: Helper) {
        // Ends out of the lock, which may take a while.
        let surplus = idle.withLock { idle in
            idle.append(helper)
            return idle.count > mostIdle ? idle.removeFirst() : nil
        }
        _ = surplus
    }

    /// Answers requests, in a helper, as long as there are any; their bytes lie there until the answer is given.
    public static func serve<Question: BitwiseCopyable, Answer: BitwiseCopyable>(
        _ socket: Int32, _ memory: Int32, _ protections: UInt32,
        answer: (Question, UnsafeBufferPointer<UInt8>) -> (Answer, [UInt8])
    ) {
        let channel = Channel(socket: socket, memory: memory)
        guard channel.send(protections) else { return }
        var view = MemoryView(memory)
        while true {
            do {
                guard let asked = channel.receive(Helper.Request<Question>.self, in: &view) else {
                    return
                }
                halftone_allow_seconds(asked.value.seconds)
                let (value, bytes) = answer(asked.value.question, asked.bytes)
                guard channel.send(value, bytes) else { return }
            }
            view.release()
            halftone_give_back()
        }
    }
}
