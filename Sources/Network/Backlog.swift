import Basics
import Pipeline

/// Back pressure: counts the bytes of fetched pictures waiting to be decoded; usable from any thread.
///
/// Prefetched pictures leave most of the room to those on the screen, and the selected one never waits.
public final class Backlog: Sendable {
    /// Limits in bytes: some dozen photographs, and a screen of them.
    private static let maxAhead = 32 << 20
    private static let most = 128 << 20

    private struct State {
        var bytes = 0
        var onRoom: Action = {}
    }

    private let state = Locked(State())

    /// Creates an empty backlog.
    public init() {}

    /// The number of bytes waiting.
    public var bytes: Int { state.withLock(\.bytes) }

    /// Adds waiting bytes, or removes them if negative.
    public func add(_ bytes: Int) {
        let onRoom = state.withLock { state -> Action? in
            let before = state.bytes
            state.bytes += bytes
            let isRoom = [Self.maxAhead, Self.most].contains { before >= $0 && state.bytes < $0 }
            return isRoom ? state.onRoom : nil
        }
        onRoom?()
    }

    /// Returns whether a transfer of that priority level may start now.
    func admits(_ level: Priority.Level) -> Bool {
        switch level {
        case .idle, .prefetch: bytes < Self.maxAhead
        case .visible: bytes < Self.most
        case .urgent: true
        }
    }

    /// Calls `action` whenever a level is admitted again.
    func whenRoom(_ action: @escaping Action) {
        state.withLock { $0.onRoom = action }
    }
}
