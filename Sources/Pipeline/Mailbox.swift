import Basics

/// Delivers results computed elsewhere to the main thread.
public protocol MainScheduling: Sendable {
    /// Runs `work` on the main thread soon, in the order posted; callable from any thread, never blocks.
    func post(_ work: @escaping MainAction)
}

/// Work for the main thread, queued until its run loop drains it.
///
/// The main thread waits in `poll()`, not in Dispatch's main queue, where a resize would arrive only with the next key, so it needs a queue
/// of its own and a way to be woken.
public final class Mailbox: MainScheduling {
    private let pending = Locked<[MainAction]>([])
    private let wake: Action

    /// Creates an empty mailbox; `wake` is called on the poster's thread whenever it stops being empty.
    public init(wake: @escaping Action) { self.wake = wake }

    /// Adds `work` and wakes the main thread if the mailbox was empty.
    public func post(_ work: @escaping MainAction) {
        let wasEmpty = pending.withLock { pending in
            pending.append(work)
            return pending.count == 1
        }
        if wasEmpty { wake() }
    }

    /// Runs everything posted before the call; work posted meanwhile waits for the next call.
    @MainActor public func drain() {
        for work in pending.exchange([]) { work() }
    }
}
