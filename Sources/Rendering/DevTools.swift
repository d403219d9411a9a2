import Basics
import Dispatch
import Glibc
import Network
import Pipeline

/// A browser without a window that is told what to do over a pipe by the DevTools protocol: JSON texts, each ended by a NUL
/// (https://chromedevtools.github.io/devtools-protocol/).
///
/// Usable from any thread. Whatever runs there may say anything: its messages are bounded in bytes, depth, values and number, and one that
/// is none ends it.
final class DevTools: Sendable {
    /// What the browser tells of its own accord.
    struct Event {
        let method: String
        let parameters: LooseValue
        /// The session that it is about.
        let session: String

        subscript(key: String) -> LooseValue? { parameters[key] }
    }

    private struct State {
        var isOver = false
        /// The number of commands, and of messages.
        var commands = 0, messages = 0
        var waiting: [Int: Receiver<LooseValue?>] = [:]
        var listeners: [String: Receiver<Event>] = [:]
    }

    private let state = Locked(State())
    private let process: ChildProcess
    private let leash: ChildProcess.Leash
    private let pipe: Int32
    private let patience: Double
    private let writing = Locked(())

    /// A page of 16 million characters, each of which may take six bytes in JSON.
    private static let maxBytes = 100 << 20
    /// Hours of scrolling take some hundred thousand.
    private static let maxMessages = 5_000_000
    /// Commands without an answer; a page that loads has a few dozen.
    private static let maxWaiting = 10_000

    /// Starts a browser, a program and its arguments, with `folder` for all that it writes, which is removed when it ends; nil if it cannot be
    /// started.
    ///
    /// It ends with this program, however that does. What it neither answers nor reads for `patience` seconds, it never will.
    init?(_ words: [String], in folder: String, patience: Double) {
        guard let (own, its) = ChildProcess.channel() else { return nil }
        var limit = timeval(tv_sec: Int(patience) + 1, tv_usec: 0)
        setsockopt(own, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        pipe = own
        self.patience = patience
        process = ChildProcess(
            words, [nil, nil, nil, its, its], variables: ["TMPDIR": folder, "HOME": folder])
        close(its)
        leash = process.leash(removing: folder)
        guard process.process != nil else {
            close(own)
            return nil
        }
        // Serial queues have threads of their own.
        DispatchQueue(label: "halftone.browser").asyncGuarded { [self] in
            listen()
            end()
            leash.release(ends: true)
            _ = process.outcome
            close(pipe)
        }
    }

    /// Whether it has ended, or is about to.
    var isOver: Bool { state.current.isOver }

    /// Ends it and everything that it has started; what waits for an answer gets none.
    func end() {
        let waiting = state.withLock { state in
            defer { state = State(isOver: true) }
            return state.waiting.values
        }
        waiting.forEach { $0(nil) }
        shutdown(pipe, Int32(SHUT_RDWR))
    }

    /// Has the events of a session handled by `receive`, which must not wait, until the session ends.
    func listen(to session: String, _ receive: @escaping Receiver<Event>) {
        state.withLock { if !$0.isOver { $0.listeners[session] = receive } }
    }

    /// Gives a command and waits for its answer, at most until `deadline` (of `SteadyClock`).
    func call(
        _ method: String, _ parameters: LooseValue = [:], in session: String = "",
        until deadline: Double = .infinity
    ) throws(FetchError) -> LooseValue {
        let answer = Locked<LooseValue?>(nil)
        let done = DispatchSemaphore(value: 0)
        send(method, parameters, in: session) { result in
            _ = answer.exchange(result)
            done.signal()
        }
        let seconds = max(0, min(deadline - SteadyClock.now, patience))
        guard done.wait(timeout: .now() + seconds) == .success else {
            // Without a session it does not depend on a page.
            if session.isEmpty { end() }
            throw .other("the page's scripts, or the browser, never rest")
        }
        guard let answer = answer.current else { throw .other("the browser has ended") }
        if let reason = answer["error"]?["message"]?.text {
            throw .other("the browser says: \(reason.oneLine(limit: 200))")
        }
        return answer["result"] ?? .null
    }

    /// Gives a command; `receive` gets its answer, or nil if there will be none.
    func send(
        _ method: String, _ parameters: LooseValue = [:], in session: String = "",
        receive: Receiver<LooseValue?>? = nil
    ) {
        let number = state.withLock { state in
            guard !state.isOver, state.waiting.count < Self.maxWaiting else { return Int?.none }
            state.commands += 1
            state.waiting[state.commands] = receive
            return state.commands
        }
        guard let number else { return receive?(nil) ?? () }
        let command: LooseValue = [
            "id": .number(Double(number)), "method": "\(method)", "params": parameters,
        ]
        let recipient: LooseValue = session.isEmpty ? [:] : ["sessionId": "\(session)"]
        let bytes = "\(LooseValue.object(command.members + recipient.members).json)\0".bytes
        let error = writing.withLock { _ in writeAll(bytes, to: pipe, patience: 0) }
        if error != 0 { end() }
    }

    /// Handles all that it says until it ends or breaks the bounds.
    private func listen() {
        var message: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(pipe, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            var rest = chunk[..<count]
            while let end = rest.firstIndex(of: 0) {
                guard take(message + rest[..<end]) else { return }
                message = []
                rest = rest[(end + 1)...]
            }
            message += rest
            guard message.count <= Self.maxBytes else { return }
        }
    }

    /// Handles a message; false if it breaks the bounds.
    func take(_ message: [UInt8]) -> Bool {
        guard let value = try? LooseParser.document(message), value.isContainer else {
            return false
        }
        if let number = value["id"]?.integer {
            let receive = state.withLock { $0.waiting.removeValue(forKey: number) }
            receive?(value)
        } else if let method = value["method"]?.text {
            let event = Event(
                method: method, parameters: value["params"] ?? .null,
                session: value["sessionId"]?.text ?? "")
            let listener = state.withLock { state in
                if method == "Target.detachedFromTarget" {
                    state.listeners[event["sessionId"]?.text ?? ""] = nil
                }
                return state.listeners[event.session]
            }
            listener?(event)
        }
        return state.withLock { state in
            state.messages += 1
            return state.messages < Self.maxMessages
        }
    }
}
