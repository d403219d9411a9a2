import CSandbox
import Pipeline

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

    /// The ability to read fonts; the meaning of the other bits is up to the caller.
    public static let fonts = UInt32(HALFTONE_FONTS)

    private let zygote: Zygote
    /// The least recently used first.
    private let idle = Locked<[Helper]>([])
    private let maxIdle: Int
    private let first = Locked(FirstHelper.untried)

    /// The result of starting the first helper.
    private enum FirstHelper {
        case untried
        case failed
        case started(Protections)
    }

    /// Starts the zygote, before the program has threads or has read anything; nil on failure.
    ///
    /// A first helper is forked in the background.
    /// - Parameter prepare: Loads the libraries that abilities require, which helpers then share.
    /// - Parameter serve: The main function of a helper, with its socket, its memory and the restrictions in force: calls `serve`.
    /// - Parameter maxIdle: The maximum number of idle helpers kept.
    public static func start(
        preparing prepare: @escaping @convention(c) (UInt32) -> Void,
        serving serve: @escaping @convention(c) (Int32, Int32, UInt32) -> Void, maxIdle: Int
    ) -> Sandbox? {
        Zygote(halftone_sandbox_work(prepare: prepare, serve: serve))
            .map { Sandbox($0, maxIdle: maxIdle) }
    }

    private init(_ zygote: Zygote, maxIdle: Int) {
        self.zygote = zygote
        self.maxIdle = maxIdle
    }

    /// The restrictions in force in helpers, as reported by the first one, which is waited for; nil if none can be started.
    public var protections: Protections? {
        first.withLock { first in
            switch first {
            case .failed: return nil
            case .started(let protections): return protections
            case .untried:
                guard let helper = Helper(0, of: zygote) else {
                    first = .failed
                    return nil
                }
                keep(helper)
                first = .started(helper.protections)
                return helper.protections
            }
        }
    }

    /// Returns an idle helper with these abilities; nil if none can be started.
    ///
    /// The process ends with the last reference to the helper, unless it is passed to `keep`.
    public func helper(_ abilities: UInt32 = 0) -> Helper? {
        guard protections != nil else { return nil }
        while let helper = idle.withLock({ idle in
            idle.lastIndex { $0.abilities == abilities }.map { idle.remove(at: $0) }
        }) {
            if helper.isWaiting { return helper }
        }
        return Helper(abilities, of: zygote)
    }

    /// Keeps a helper for later, unrelated requests.
    public func keep(_ helper: Helper) {
        // The surplus helper is released outside the lock, as ending it may take a while.
        let surplus = idle.withLock { idle in
            idle.append(helper)
            return idle.count > maxIdle ? idle.removeFirst() : nil
        }
        _ = surplus
    }

    /// Runs in a helper: answers requests until the program closes the socket; a request's bytes stay in place until it is answered.
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
