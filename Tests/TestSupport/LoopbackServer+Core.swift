import Basics
import Dispatch
import Glibc
import Pipeline

/// The state shared by a `LoopbackServer`'s threads; it does not reference the server, so that releasing the server stops it.
final class ServerCore: Sendable {
    struct Watcher: Sendable {
        var path: String?
        var count: Int
        var arrived: DispatchSemaphore
    }

    struct State {
        var routes: [String: LoopbackServer.Handler] = [:]
        var prefixes: [String: LoopbackServer.Handler] = [:]
        var log: [ServerRequest] = []
        var counts: [String: Int] = [:]
        var watchers: [Watcher] = []
        var concurrent = 0
        var maximumConcurrent = 0
        var connectionCount = 0
        var sockets: Set<Int32> = []
        var sleepers: [Int: DispatchSemaphore] = [:]
        var nextSleeper = 0
        var isStopped = false

        func arrivals(of path: String?) -> Int {
            path.map { counts[$0] ?? 0 } ?? log.count
        }
    }

    let state = Locked(State())
    private let listener: Int32
    private let threads = DispatchGroup()

    init(listener: Int32) {
        self.listener = listener
    }

    func startAccepting() {
        startThread { [self] in
            while let socket = acceptNext() {
                let number = state.withLock { state in
                    state.connectionCount += 1
                    return state.connectionCount
                }
                startThread { [self] in
                    var connection = ServerConnection(socket: socket, number: number, core: self)
                    connection.run()
                    state.withLock { _ = $0.sockets.remove(socket) }
                    close(socket)
                }
            }
            close(listener)
        }
    }

    /// Accepts the next connection; returns nil when the server is stopped.
    private func acceptNext() -> Int32? {
        while true {
            let socket = accept(listener, nil, nil)
            if socket < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                return nil
            }
            // Child processes must not keep the connection open.
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            let isWelcome = state.withLock { state in
                if !state.isStopped { state.sockets.insert(socket) }
                return !state.isStopped
            }
            if isWelcome { return socket }
            close(socket)
        }
    }

    /// Stops every thread and waits for them; a second call waits too.
    func stop() {
        state.withLock { state in
            if !state.isStopped {
                shutdown(listener, Int32(SHUT_RDWR))
            }
            state.isStopped = true
            state.sockets.forEach { shutdown($0, Int32(SHUT_RDWR)) }
            state.sleepers.values.forEach { $0.signal() }
            state.watchers.forEach { $0.arrived.signal() }
            state.watchers = []
        }
        threads.wait()
    }

    /// Logs the request and finds its handler.
    func admit(_ request: ServerRequest) -> (ServerRequest, LoopbackServer.Handler) {
        state.withLock { state in
            var request = request
            request.number = (state.counts[request.path] ?? 0) + 1
            state.counts[request.path] = request.number
            state.log.append(request)
            state.concurrent += 1
            state.maximumConcurrent = max(state.maximumConcurrent, state.concurrent)
            let ready = state.watchers.filter { state.arrivals(of: $0.path) >= $0.count }
            state.watchers.removeAll { watcher in ready.contains { $0.arrived === watcher.arrived }
            }
            ready.forEach { $0.arrived.signal() }
            let prefix = state.prefixes.keys.filter { request.path.hasPrefix($0) }.max {
                $0.count < $1.count
            }
            let handler = state.routes[request.path] ?? prefix.flatMap { state.prefixes[$0] }
            return (request, handler ?? { _ in .status(404) })
        }
    }

    func finishRequest() {
        state.withLock { $0.concurrent -= 1 }
    }

    /// Blocks until the time is over or the server stops.
    func sleep(milliseconds: Int) {
        guard milliseconds > 0 else { return }
        blocked { _ = $0.wait(timeout: .now() + .milliseconds(milliseconds)) }
    }

    /// Blocks until the gate opens or the server stops.
    func wait(for gate: Gate?) {
        guard let gate else { return }
        blocked { semaphore in
            gate.pass { semaphore.signal() }
            semaphore.wait()
        }
    }

    private func blocked(_ body: (DispatchSemaphore) -> Void) {
        let semaphore = DispatchSemaphore(value: 0)
        let ticket = state.withLock { state in
            state.nextSleeper += 1
            state.sleepers[state.nextSleeper] = semaphore
            if state.isStopped { semaphore.signal() }
            return state.nextSleeper
        }
        body(semaphore)
        state.withLock { _ = $0.sleepers.removeValue(forKey: ticket) }
    }

    /// Starts a dedicated thread: handlers may block, which would exhaust Dispatch's pool of 64.
    private func startThread(_ body: @escaping @Sendable () -> Void) {
        threads.enter()
        let context = Unmanaged.passRetained(ThreadBody(body: body, threads: threads)).toOpaque()
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let body = Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
                body.body()
                body.threads.leave()
                return nil
            }, context)
        precondition(failure == 0, "no more threads for the test server")
        pthread_detach(thread)
    }
}

private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void
    let threads: DispatchGroup

    init(body: @escaping @Sendable () -> Void, threads: DispatchGroup) {
        self.body = body
        self.threads = threads
    }
}
