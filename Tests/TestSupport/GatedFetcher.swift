import Basics
import Dispatch
public import Network
public import Pipeline

/// A fetcher that gives prepared answers when the test releases them, and counts everything.
///
/// Equal pending requests share one answer. All methods may be called from any thread.
public final class GatedFetcher: Fetching {
    fileprivate struct Waiting {
        var id: Int
        var request: Request
        /// The priorities of all subscribers, by number.
        var priorities: [Int: Priority]
        var completions: [Int: @PipelineActor @Sendable (Result<Response, FetchError>) -> Void]
        var priority: Priority { priorities.values.max() ?? .idle }

        @PipelineActor func complete(_ result: Result<Response, FetchError>) {
            for number in completions.keys.sorted() { completions[number]?(result) }
        }
    }

    fileprivate struct State {
        var isOpen: Bool
        var held: Set<Address> = []
        var answers: [Address: Result<[UInt8], FetchError>] = [:]
        var waiting: [Waiting] = []
        var requests: [Request] = []
        var cancelled: [Address] = []
        var nextID = 0
    }

    private let state: Locked<State>
    private let asked = DispatchSemaphore(value: 0)

    /// Creates a fetcher that answers on the pipeline's queue, immediately if it `isOpen`.
    ///
    /// An address without a prepared answer is a 404.
    public init(isOpen: Bool = true) {
        state = Locked(State(isOpen: isOpen))
    }

    // MARK: - For tests

    /// Sets the bytes that `address` answers from now on.
    public func answer(_ address: Address, with bytes: [UInt8]) {
        state.withLock { $0.answers[address] = .success(bytes) }
    }

    /// Sets the error with which `address` fails from now on.
    public func fail(_ address: Address, with error: FetchError) {
        state.withLock { $0.answers[address] = .failure(error) }
    }

    /// Returns the size of the prepared answer of `address`, in bytes; 0 if it fails.
    public func answerCount(_ address: Address) -> Int {
        state.withLock { (try? $0.answers[address]?.get().count) ?? 0 }
    }

    /// Holds the answers of `address` back until `release`, even if the fetcher is open.
    public func hold(_ address: Address) {
        state.withLock { _ = $0.held.insert(address) }
    }

    /// Releases the requests for `address`, with its current answer.
    public func release(_ address: Address) {
        finish { state in
            state.held.remove(address)
            let released = state.waiting.filter { $0.request.address == address }
            state.waiting.removeAll { $0.request.address == address }
            return released
        }
    }

    /// Answers one pending request, by its index in the order requested, with `bytes`.
    public func answerWaiting(_ index: Int, with bytes: [UInt8]) {
        let waiting = state.withLock { $0.waiting.remove(at: index) }
        let response = Response(address: waiting.request.address, body: bytes, origin: .network)
        PipelineActor.perform { waiting.complete(.success(response)) }
    }

    /// Holds every answer back from now on.
    public func close() {
        state.withLock { $0.isOpen = false }
    }

    /// Answers all pending requests in the order requested, except held ones, and answers immediately from now on.
    public func open() {
        finish { state in
            state.isOpen = true
            let held = state.held
            let released = state.waiting.filter { !held.contains($0.request.address) }
            state.waiting.removeAll { !held.contains($0.request.address) }
            return released
        }
    }

    /// Every request so far, in order.
    public var requests: [Request] { state.withLock(\.requests) }

    /// Waits until `count` requests have been made in total; returns false after a generous timeout.
    public func waitForRequests(_ count: Int) -> Bool {
        while requests.count < count {
            guard asked.wait(timeout: .testDeadline) == .success else { return false }
        }
        return true
    }

    /// The addresses of requests that were cancelled before they were answered.
    public var cancelled: [Address] { state.withLock(\.cancelled) }

    /// The pending requests with their current priorities.
    public var waiting: [(address: Address, priority: Priority)] {
        state.withLock { $0.waiting.map { ($0.request.address, $0.priority) } }
    }

    // MARK: - Fetching

    /// Answers as prepared.
    public func fetch(
        _ request: Request, priority: Priority,
        completion: @escaping @PipelineActor @Sendable (Result<Response, FetchError>) -> Void
    ) -> Subscription {
        let (id, number) = state.withLock { state in
            state.nextID += 1
            let number = state.nextID
            if let index = state.waiting.firstIndex(where: { $0.request == request }) {
                state.waiting[index].priorities[number] = priority
                state.waiting[index].completions[number] = completion
                return (state.waiting[index].id, number)
            }
            state.requests.append(request)
            state.waiting.append(
                Waiting(
                    id: number, request: request, priorities: [number: priority],
                    completions: [number: completion]))
            return (number, number)
        }
        asked.signal()
        finish { state in
            guard state.isOpen, !state.held.contains(request.address) else { return [] }
            return state.take(id).map { [$0] } ?? []
        }
        return Subscription(
            onCancel: { self.cancel(number, of: id) },
            onPriority: { priority in self.setPriority(priority, of: number, in: id) })
    }

    private func cancel(_ number: Int, of id: Int) {
        let completion = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
                return nil as (@PipelineActor @Sendable (Result<Response, FetchError>) -> Void)?
            }
            state.waiting[index].priorities[number] = nil
            let completion = state.waiting[index].completions.removeValue(forKey: number)
            if state.waiting[index].completions.isEmpty {
                state.cancelled.append(state.waiting.remove(at: index).request.address)
            }
            return completion
        }
        guard let completion else { return }
        PipelineActor.perform { completion(.failure(.cancelled)) }
    }

    private func setPriority(_ priority: Priority, of number: Int, in id: Int) {
        state.withLock { state in
            if let index = state.waiting.firstIndex(where: { $0.id == id }) {
                state.waiting[index].priorities[number] = priority
            }
        }
    }

    private func finish(_ choose: (inout State) -> [Waiting]) {
        // Looked up with the lock held: ThreadSanitizer does not see that the copy of a dictionary has been released elsewhere.
        let chosen = state.withLock { state in
            choose(&state).map { ($0, state.answers[$0.request.address] ?? .failure(.status(404))) }
        }
        for (waiting, answer) in chosen {
            let result = answer.map {
                Response(address: waiting.request.address, body: $0, origin: .network)
            }
            PipelineActor.perform { waiting.complete(result) }
        }
    }
}

extension GatedFetcher.State {
    fileprivate mutating func take(_ id: Int) -> GatedFetcher.Waiting? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
        return waiting.remove(at: index)
    }
}
