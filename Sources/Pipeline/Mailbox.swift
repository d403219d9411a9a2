/// The way back to the main thread for results that were worked out elsewhere.
public protocol MainScheduling: Sendable {
    /// Runs `work` on the main thread soon, in the order posted; callable from any thread, never blocks.
    func post(_ work: @escaping @MainActor @Sendable () -> Void)
}

/// Work for the main thread, kept until its run loop drains it.
///
/// The main thread waits in `poll()`, not in Dispatch's main queue, where a resize would arrive only with the next key; so it needs a
/// mailbox of its own and something that wakes it.
public final class Mailbox: MainScheduling {
    private let letters = Locked<[@MainActor @Sendable () -> Void]>([])
    private let wake: @Sendable () -> Void

    /// Makes an empty mailbox; `wake` is called, on the poster's thread, when it stops being empty.
    public init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Adds `work` and wakes the main thread if the mailbox was empty.
    public func post(_ work: @escaping @MainActor @Sendable () -> Void) {
        let wasEmpty = letters.withLock { letters in
            letters.append(work)
            return letters.count == 1
        }
        if wasEmpty { wake() }
    }

    /// Runs everything posted before the call; what is posted meanwhile waits for the next.
    @MainActor public func drain() {
        let batch = letters.withLock { letters in
            let batch = letters
            letters = []
            return batch
        }
        for letter in batch { letter() }
    }
}
