import Basics
import CCurl
import CLazyLibraries
import Glibc
import Pipeline
import Synchronization
import Trace

/// Transfers from servers: libcurl on a thread of its own, the most urgent first, with a limit per host.
///
/// The thread starts with the first task and sleeps without wake-ups while there is nothing to do. Releasing the last reference cancels
/// everything and ends the thread. May be used from any thread.
final class Transfers: Sendable {
    /// Called once with the result, on the transfer thread; must not block.
    typealias Completion = Receiver<Result<TransferAnswer, FetchError>>

    struct Settings: Sendable {
        var options: NetworkOptions
        var retries = RetryPolicy()
        /// Triples `host:port:address` that override name resolution.
        var pinnedNames: [String] = []
        var pageLimits = TokenBucket.Limits()
        /// The seconds over which a body's rate is averaged.
        var rateSeconds = 30.0
        /// Decides whether an address is private.
        var isPrivate = isPrivateAddress
        /// Fetched pictures waiting to be decoded; new transfers wait while there are too many.
        var backlog = Backlog()
        var tracer: Tracer
        let observers = BodyObservers()
        /// Where servers responded from, in this run and when cached responses were fetched.
        let peers: KnownPeers
        /// What pages have set that a browser drew, as lines of a cookie file.
        let drawnCookies = Locked<[String]>([])

        /// The pinned names for libcurl, to be freed by the caller.
        var pinnedList: UnsafeMutablePointer<curl_slist>? {
            pinnedNames.reduce(nil) { curl_slist_append($0, $1) ?? $0 }
        }

        init(options: NetworkOptions, tracer: Tracer = .disabled) {
            self.options = options
            self.tracer = tracer
            peers = KnownPeers(sources: options.sourceOrigins)
        }
    }

    let settings: Settings
    private let commands = TransferCommands()

    init(_ settings: Settings) {
        self.settings = settings
        // libcurl will be needed, and loading it costs less while the program has one thread.
        if !settings.options.isOffline, settings.options.sources.contains(where: { !$0.isFile }) {
            _ = halftone_open_curl()
        }
        settings.backlog.whenRoom { [commands] in commands.add(.proceed) }
    }

    deinit { commands.add(.end) }

    /// The number of requests in flight, without those waiting for their turn.
    var inFlightCount: Int { commands.inFlightCount.load(ordering: .relaxed) }

    /// Queues a request with the validators of its cached response; `completion` receives `cancelled` if it is cancelled.
    func start(
        _ request: Request, conditions: HeaderFields = [], priority: Priority,
        flow: Flow = .none, completion: @escaping Completion
    ) -> Subscription {
        let task = TransferTask(
            number: commands.lastNumber.next(), request: request, conditions: conditions,
            priority: priority, flow: flow, completion: completion)
        if commands.add(.start(task)) { startThread() }
        return Subscription(
            onCancel: { [commands] in commands.add(.cancel(task.number)) },
            onPriority: { [commands] in commands.add(.prioritise(task.number, $0)) })
    }

    /// Reports a body as it arrives (see `BodyObservers`), and at once the part already received.
    func watch(_ address: Address, receive: @escaping BodyObservers.Receive) -> Subscription {
        let subscription = settings.observers.add(for: address, receive: receive)
        commands.add(.report(address))
        return subscription
    }

    private func startThread() {
        let isStarted = startDetachedThread { [commands, settings] in
            let loop = TransferLoop(commands: commands, settings: settings)
            loop?.run()
            commands.close(
                loop == nil ? .noLibcurl ?? .other("libcurl does not start") : .cancelled)
        }
        if !isStarted { commands.close(.other("the system has no thread left for transfers")) }
    }
}

/// A message from any thread to the transfer thread; orders are identified by number.
enum TransferCommand: Sendable {
    case start(TransferTask)
    case cancel(Int)
    case prioritise(Int, Priority)
    case report(Address)
    /// Starts whatever may start now.
    case proceed
    /// Cancels everything and ends the thread.
    case end
}

/// The transfer thread's command queue: commands under a lock, and a wake-up through libcurl.
final class TransferCommands: Sendable {
    private struct State {
        var commands: [TransferCommand] = []
        /// The address of the multi handle that waits in poll; libcurl allows any thread to wake it while it exists.
        var sleeper: UInt?
        var isStarted = false
        /// Why no more orders are accepted.
        var refusal: FetchError?
    }

    private let state = Locked(State())
    /// The number of the last task.
    let lastNumber = Atomic<Int>(0)
    let inFlightCount = Atomic<Int>(0)

    /// Adds a command and wakes the thread; true if there is no thread yet and the caller must start it.
    @discardableResult
    func add(_ command: TransferCommand) -> Bool {
        let (refusal, startsThread) = state.withLock { state -> (FetchError?, Bool) in
            if let refusal = state.refusal { return (refusal, false) }
            let isFirst = !state.isStarted
            if isFirst {
                // Before the first task, there is nothing for other commands to act on.
                guard case .start = command else { return (nil, false) }
            }
            state.isStarted = true
            state.commands.append(command)
            // One wake-up per batch is enough.
            if state.commands.count == 1, let sleeper = state.sleeper {
                curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: sleeper))
            }
            return (nil, isFirst)
        }
        if let refusal, case .start(let task) = command { task.completion(.failure(refusal)) }
        return startsThread
    }

    func take() -> [TransferCommand] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Sets the handle to wake; must be set to nil before the handle is destroyed.
    func setSleeper(_ multi: UnsafeMutableRawPointer?) {
        state.withLock { $0.sleeper = multi.map { UInt(bitPattern: $0) } }
    }

    /// Refuses all further orders and fails those still queued.
    func close(_ reason: FetchError) {
        state.withLock { $0.refusal = reason }
        for case .start(let task) in take() { task.completion(.failure(reason)) }
    }
}

private final class ThreadBody {
    let run: Action

    init(_ run: @escaping Action) { self.run = run }
}

/// Runs `body` on a detached thread that receives none of the program's signals; false if no thread can be created.
///
/// Not a Dispatch queue, as it waits in poll for the life of the program. Crash signals remain unblocked, so that the crash handler can
/// restore the terminal.
private func startDetachedThread(_ body: @escaping Action) -> Bool {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] { sigdelset(&all, signal) }
    // The new thread inherits the mask, so there is no moment at which it could receive a signal.
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
