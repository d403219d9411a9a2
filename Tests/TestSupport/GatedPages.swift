import Basics
public import Gallery
public import Network
public import Pipeline

/// A page loader whose answers wait until the test releases them.
public final class GatedPages: PageLoading {
    /// A requested load.
    public struct Load: Hashable, Sendable {
        /// The page.
        public var address: Address
        /// Whether the load bypasses the cache.
        public var isReload: Bool

        /// Creates a load to compare with.
        public init(address: Address, isReload: Bool) {
            self.address = address
            self.isReload = isReload
        }
    }

    private struct Waiting {
        var number: Int
        var load: Load
        var complete: @Sendable (Result<Page, PageError>) -> Void
    }

    private struct State {
        var pages: [Address: Result<Page, PageError>] = [:]
        var waiting: [Waiting] = []
        var loads: [Load] = []
        var isOpen = false
    }
    private let state = Locked(State())

    /// Creates a loader without pages.
    public init() {}

    /// Sets the answer of `address` from now on.
    public func set(_ result: Result<Page, PageError>, at address: Address) {
        state.withLock { $0.pages[address] = result }
    }

    /// Answers everything pending, and answers immediately from now on.
    public func open() {
        state.withLock { $0.isOpen = true }
        releaseAll()
    }

    /// Holds loads back again.
    public func close() {
        state.withLock { $0.isOpen = false }
    }

    /// Every load requested so far, in order.
    public var loads: [Load] { state.withLock(\.loads) }

    /// The pages of pending loads, in the order requested.
    public var waiting: [Address] { state.withLock { $0.waiting.map(\.load.address) } }

    /// Answers the oldest pending load of `address`; returns false if there is none.
    @discardableResult
    public func release(_ address: Address) -> Bool {
        let found = state.withLock { state -> Waiting? in
            guard let place = state.waiting.firstIndex(where: { $0.load.address == address })
            else { return nil }
            return state.waiting.remove(at: place)
        }
        guard let found else { return false }
        found.complete(answer(address))
        return true
    }

    /// Passes a part of a page on to the oldest pending load of `address`, which stays pending.
    public func pass(_ part: Page, to address: Address) {
        let found = state.withLock { state in
            state.waiting.first { $0.load.address == address }
        }
        found?.complete(.success(part))
    }

    /// Answers all pending loads in the order requested.
    public func releaseAll() {
        for address in waiting {
            release(address)
        }
    }

    /// Records the load and keeps its completion until it is released or cancelled.
    public func load(
        _ request: Request, completion: @escaping @Sendable (Result<Page, PageError>) -> Void
    ) -> Subscription {
        let address = request.address
        let load = Load(address: address, isReload: request.generation > .any)
        let (number, isOpen) = state.withLock { state in
            state.loads.append(load)
            let number = state.loads.count
            if !state.isOpen {
                state.waiting.append(Waiting(number: number, load: load, complete: completion))
            }
            return (number, state.isOpen)
        }
        if isOpen {
            completion(answer(address))
        }
        return Subscription(onCancel: { [weak self] in self?.cancel(number) }, onPriority: { _ in })
    }

    private func answer(_ address: Address) -> Result<Page, PageError> {
        state.withLock { $0.pages[address] } ?? .failure(.fetch(.status(404)))
    }

    private func cancel(_ number: Int) {
        let found = state.withLock { state -> Waiting? in
            guard let place = state.waiting.firstIndex(where: { $0.number == number })
            else { return nil }
            return state.waiting.remove(at: place)
        }
        found?.complete(.failure(.cancelled))
    }
}
