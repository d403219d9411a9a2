public import Gallery
public import Network
public import Pipeline

/// A loader of detail pages whose answers wait until the test releases them.
public final class GatedDetails: DetailLoading {
    /// A page that was asked for.
    public struct Load: Sendable {
        /// The page.
        public var link: Address
        /// What was to be tried first.
        public var rule: DetailRule?
        /// What the cache may answer with.
        public var generation: CacheGeneration
        /// How urgently, at this moment.
        public var priority: Priority
        fileprivate var complete: @Sendable (Result<Detail, PageError>) -> Void
    }

    private struct State {
        var waiting: [Int: Load] = [:]
        var asked: [Address] = []
        var cancelled: [Address] = []
    }
    private let state = Locked(State())

    /// Makes a loader that was asked for nothing.
    public init() {}

    /// Every page ever asked for, in order.
    public var asked: [Address] { state.withLock(\.asked) }
    /// Those given up.
    public var cancelled: [Address] { state.withLock(\.cancelled) }
    /// Those under way, in the order asked.
    public var waiting: [Load] {
        state.withLock { $0.waiting.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Answers every load of `link`; false if none waits.
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

    /// Notes the load and keeps its completion until it is released or cancelled.
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
