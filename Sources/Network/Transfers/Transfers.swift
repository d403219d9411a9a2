import Basics
import CCurl
import CLazyLibraries
import Glibc
import Pipeline
import Synchronization
import Trace

/// Transfers from servers: libcurl on one thread of its own, most urgent first, so many at once to a host.
///
/// The thread starts with the first order and sleeps without waking while nothing is to do. Dropping the last reference cancels everything
/// and ends it. May be used from every thread.
final class Transfers: Sendable {
    /// Called with the result, once, on the transfer thread; must not block.
    typealias Completion = @Sendable (Result<TransferAnswer, FetchError>) -> Void

    struct Settings: Sendable {
        var options: NetworkOptions
        var retries: RetryPolicy
        /// `host:port:address` triples that go before name resolution.
        var pinnedNames: [String] = []
        var pageLimits = TokenBucket.Limits()
        /// Whether an address only means something nearby.
        var isPrivate = isPrivateAddress
        /// What was fetched and waits to be decoded; new transfers wait for it.
        var backlog = Backlog()
        var tracer: Tracer

        init(options: NetworkOptions, tracer: Tracer = .disabled) {
            self.options = options
            self.tracer = tracer
            retries = RetryPolicy(retries: options.retries)
        }
    }

    private let settings: Settings
    private let commands = TransferCommands()
    private let observers = BodyObservers()
    /// Where servers answered from, in this run and when what is kept was fetched.
    let peers: KnownPeers

    init(_ settings: Settings) {
        self.settings = settings
        peers = KnownPeers(sources: settings.options.sourceOrigins)
        // It will be needed, and opening it costs less while the program has one thread.
        if !settings.options.isOffline, settings.options.sources.contains(where: { !$0.isFile }) {
            _ = halftone_open_curl()
        }
        settings.backlog.whenRoom { [commands] in commands.add(.proceed) }
    }

    deinit { commands.add(.end) }

    /// Those that wait for their turn do not count.
    var inFlightCount: Int { commands.inFlightCount.load(ordering: .relaxed) }

    /// Queues a request, with the validators of what is kept of it; `completion` is told `cancelled` if it is given up.
    func start(
        _ request: Request, conditions: HeaderFields = [], priority: Priority,
        flow: Flow = .none, completion: @escaping Completion
    ) -> Subscription {
        let order = TransferOrder(
            number: commands.nextNumber(), request: request, conditions: conditions,
            priority: priority, flow: flow, completion: completion)
        if commands.add(.start(order)) { startThread() }
        return Subscription(
            onCancel: { [commands] in commands.add(.cancel(order.number)) },
            onPriority: { [commands] in commands.add(.prioritise(order.number, $0)) })
    }

    /// Tells of a body while it comes in, as `BodyObservers` does, and at once of what has come before.
    func watch(_ address: Address, receive: @escaping BodyObservers.Receive) -> Subscription {
        let subscription = observers.add(for: address, receive: receive)
        commands.add(.report(address))
        return subscription
    }

    var backlog: Backlog { settings.backlog }

    func progress(of address: Address) -> FetchProgress? { observers.progress(of: address) }

    private func startThread() {
        let isStarted = startDetachedThread { [commands, settings, observers, peers] in
            let loop = TransferLoop(
                commands: commands, settings: settings, observers: observers, peers: peers)
            loop?.run()
            commands.close(
                loop == nil ? .noLibcurl ?? .other("libcurl does not start") : .cancelled)
        }
        if !isStarted { commands.close(.other("the system has no thread left for transfers")) }
    }
}

/// What any thread may tell the transfer thread; an order is named by its number.
enum TransferCommand: Sendable {
    case start(TransferOrder)
    case cancel(Int)
    case prioritise(Int, Priority)
    case report(Address)
    /// Starts what may start now.
    case proceed
    /// Cancels everything and ends the thread.
    case end
}

/// The way into the transfer thread: commands under a lock, and a wake-up through libcurl.
final class TransferCommands: Sendable {
    private struct State {
        var commands: [TransferCommand] = []
        /// The multi handle that sleeps in poll, as an address; libcurl allows waking it from every thread while it exists.
        var sleeper: UInt?
        var isStarted = false
        /// Why no order is taken any more.
        var refusal: FetchError?
    }

    private let state = Locked(State())
    private let lastNumber = Atomic<Int>(0)
    let inFlightCount = Atomic<Int>(0)

    func nextNumber() -> Int { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Adds a command and wakes the thread; true if there is none yet and the caller has to start it.
    @discardableResult
    func add(_ command: TransferCommand) -> Bool {
        let (refusal, startsThread) = state.withLock { state -> (FetchError?, Bool) in
            if let refusal = state.refusal { return (refusal, false) }
            if !state.isStarted {
                // Nothing to cancel, move, report or end before the first order.
                guard case .start = command else { return (nil, false) }
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
        if let refusal, case .start(let order) = command { order.completion(.failure(refusal)) }
        return startsThread
    }

    func take() -> [TransferCommand] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Names the handle to wake; nil before it is destroyed.
    func setSleeper(_ multi: UnsafeMutableRawPointer?) {
        state.withLock { $0.sleeper = multi.map { UInt(bitPattern: $0) } }
    }

    /// Refuses all further orders and fails those that were not taken.
    func close(_ reason: FetchError) {
        state.withLock { $0.refusal = reason }
        for case .start(let order) in take() { order.completion(.failure(reason)) }
    }
}

private final class ThreadBody {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Runs `body` on a detached thread of its own, which takes none of the program's signals; false if the system has no thread left.
///
/// Not a Dispatch queue, as it waits in poll for as long as the program lives. The signals that mean a crash stay open, so that the crash
/// handler can give the terminal back.
private func startDetachedThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] { sigdelset(&all, signal) }
    // The new thread inherits the mask: no moment in which it could take a signal.
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let context = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    var thread = pthread_t()
    let failure = pthread_create(
        &thread, nil,
        { context in
            SignalStack.prepare()
            context.map { Unmanaged<ThreadBody>.fromOpaque($0).takeRetainedValue().run() }
            return nil
        }, context)
    guard failure == 0 else {
        Unmanaged<ThreadBody>.fromOpaque(context).release()
        return false
    }
    pthread_detach(thread)
    return true
}
