import CCurl
import Pipeline
import Synchronization

/// What any thread may tell the transfer thread.
enum TransferCommand: Sendable {
    /// Puts an order in line; the number names it afterwards.
    case start(Int, TransferOrder, Priority, Transfers.Completion)
    /// Gives an order up.
    case cancel(Int)
    /// Changes an order's priority.
    case prioritise(Int, Priority)
    /// Tells who watches an address what has come of it.
    case show(Address)
    /// Cancels everything and ends the thread.
    case end
}

/// The way into the transfer thread: commands under a lock, and a wake-up through libcurl.
final class TransferQueue: Sendable {
    private struct State {
        var commands: [TransferCommand] = []
        /// The multi handle that sleeps in poll, as an address; libcurl allows waking it from every thread while it exists.
        var sleeper: UInt?
        var isStarted = false
        var isClosed = false
    }

    private let state = Locked(State())
    private let lastNumber = Atomic<Int>(0)
    private let inFlight = Atomic<Int>(0)

    var inFlightCount: Int { inFlight.load(ordering: .relaxed) }

    func setInFlightCount(_ count: Int) { inFlight.store(count, ordering: .relaxed) }

    func nextNumber() -> Int { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Adds a command and wakes the thread; true if there is none yet and the caller has to start it.
    @discardableResult
    func add(_ command: TransferCommand) -> Bool {
        let (rejected, startsThread) = state.withLock { state -> (TransferCommand?, Bool) in
            guard !state.isClosed else { return (command, false) }
            if !state.isStarted, case .start = command {
            } else if !state.isStarted {
                // Nothing to cancel, move, show or end before the first order.
                return (nil, false)
            }
            let isFirst = !state.isStarted
            state.isStarted = true
            state.commands.append(command)
            // One wake-up a batch is enough.
            if state.commands.count == 1, let sleeper = state.sleeper {
                curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: sleeper))
            }
            return (nil, isFirst)
        }
        if case .start(_, _, _, let completion) = rejected {
            completion(.failure(.other("the transfer thread has ended")))
        }
        return startsThread
    }

    /// Everything added since the last call.
    func take() -> [TransferCommand] {
        state.withLock { state in
            let commands = state.commands
            state.commands = []
            return commands
        }
    }

    /// Names the handle to wake; nil before it is destroyed.
    func setSleeper(_ multi: UnsafeMutableRawPointer?) {
        state.withLock { $0.sleeper = multi.map { UInt(bitPattern: $0) } }
    }

    /// Refuses all further orders and fails those that were never looked at.
    func close(_ reason: FetchError = .cancelled) {
        let left = state.withLock { state in
            state.isClosed = true
            let left = state.commands
            state.commands = []
            return left
        }
        for case .start(_, _, _, let completion) in left {
            completion(.failure(reason))
        }
    }
}
