import Basics
public import Gallery
public import Network
public import Pipeline

/// A loader of detail pages whose answers wait until the test releases them.
public final class GatedDetails: DetailLoading {
    /// A pending load.
    public struct Load: Sendable {
        /// The page.
        public var link: Address
        /// The rule to try first.
        public var rule: DetailRule?
        /// The cache generation of the request.
        public var generation: CacheGeneration
        /// The current priority.
        public var priority: Priority
        fileprivate var complete: @Sendable (Result<Detail, PageError>) -> Void
    }

    private struct State {
        var waiting: [Int: Load] = [:]
        var asked: [Address] = []
        var cancelled: [Address] = []
    }
    private let state = Locked(State())

    /// Creates a loader without requests.
    public init() {}

    /// Every page ever requested, in order.
    public var asked: [Address] { state.withLock(\.asked) }
    /// The pages whose loads were cancelled.
    public var cancelled: [Address] { state.withLock(\.cancelled) }
    /// The loads in flight, in the order requested.
    public var waiting: [Load] {
        state.withLock { $0.waiting.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Answers every load of `link`; returns false if there is none.
    @discardableResult
    public func release(_ link: Address, _ result: Result<Detail, PageError>) -> Bool {
        let loads = state.withLock { state in
            let found = state.waiting.filter { $0.value.link == link }
            for number in found.keys { state.waiting[number] = nil }
            return found.map(\.value)
        }
        loads.forEach { $0.complete(result) }
        return !loads.isEmpty
    }

    /// Records the load and keeps its completion until it is released or cancelled.
    public func loadDetail(
        of picture: Picture, rule: DetailRule?, generation: CacheGeneration, priority: Priority,
        completion: @escaping @Sendable (Result<Detail, PageError>) -> Void
    ) -> Subscription {
        let link = picture.link ?? picture.page
        let number = state.withLock { state in
            state.asked.append(link)
            state.waiting[state.asked.count] = Load(
                link: link, rule: rule, generation: generation, priority: priority,
                complete: completion)
            return state.asked.count
        }
        return Subscription(
            onCancel: { [weak self] in self?.cancel(number) },
            onPriority: { [weak self] priority in
                self?.state.withLock { $0.waiting[number]?.priority = priority }
            })
    }

    private func cancel(_ number: Int) {
        let load = state.withLock { state in
            let load = state.waiting.removeValue(forKey: number)
            if let load { state.cancelled.append(load.link) }
            return load
        }
        load?.complete(.failure(.cancelled))
    }
}
