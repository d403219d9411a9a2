import Basics
import CSandbox

/// Forks the helper processes; a new zygote is started if it dies or does not reply.
final class Zygote: Sendable {
    private struct Processes {
        var zygote: halftone_zygote
        /// Whether the start has shown that there is room for a helper beside the program's threads.
        let hasRoom: Bool
        var helperCount = 0
    }

    /// Locked while the zygote replies: a millisecond, or tens of them while it loads a library, or seconds if it is stopped.
    private let processes: Locked<Processes>

    /// Nil if sandboxes are not supported.
    init?(_ work: halftone_sandbox_work, now: Bool) {
        var process = halftone_zygote()
        guard halftone_zygote_start(work, now, &process) else { return nil }
        processes = Locked(Processes(zygote: process, hasRoom: process.is_asked))
    }

    deinit {
        // Its helpers end with it.
        processes.withLock { halftone_zygote_end(&$0.zygote) }
    }

    /// Forks a helper; nil if there is no room for one and the threads that the program may still start.
    func fork(_ abilities: UInt32) -> halftone_helper? {
        processes.withLock { processes in
            var helper = halftone_helper()
            let isForked = halftone_helper_start(&processes.zygote, abilities, &helper)
            if isForked, processes.hasRoom && processes.helperCount == 0 || halftone_has_room(1) {
                processes.helperCount += 1
                return helper
            }
            if isForked { _ = halftone_helper_end(&processes.zygote, helper) }
            // It may be taking the place of one of those threads.
            if processes.helperCount == 0 { halftone_zygote_end(&processes.zygote) }
            return nil
        }
    }

    func end(_ helper: halftone_helper) -> halftone_ending {
        processes.withLock { processes in
            processes.helperCount -= 1
            return halftone_helper_end(&processes.zygote, helper)
        }
    }
}
