/// A cache in memory with a budget in bytes; safe to use from every thread.
///
/// Evicts by CLOCK (second chance): a look-up only sets a mark, so the lock is held for that long; the oldest entry goes first unless it
/// was looked up since it was last considered. What is pinned stays, up to half of the budget: with more than that nothing else would find
/// room.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var cost: Int
        var wasUsed: Bool
        var place: IndexedDeque<Key>.Place
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The oldest first.
        var order = IndexedDeque<Key>()
        var cost = 0
        /// What must stay, the most important first.
        var pinned: Set<Key> = []

        mutating func remove(_ key: Key) -> Value? {
            guard let entry = entries.removeValue(forKey: key) else { return nil }
            order.remove(at: entry.place)
            cost -= entry.cost
            return entry.value
        }

        /// Terminates: each pass clears the used bit, and what is pinned is out of the order meanwhile.
        mutating func trim(to bytes: Int, pinning pinnedBytes: Int) -> [Value] {
            var gone: [Value] = []
            var stayed: [Key] = []
            var room = pinnedBytes
            while cost > bytes, let key = order.popFirst() {
                guard let index = entries.index(forKey: key) else { continue }
                let entry = entries.values[index]
                if pinned.contains(key), entry.cost <= room {
                    room -= entry.cost
                    stayed.append(key)
                } else if entry.wasUsed {
                    entries.values[index].wasUsed = false
                    entries.values[index].place = order.append(key)
                } else {
                    entries.remove(at: index)
                    cost -= entry.cost
                    gone.append(entry.value)
                }
            }
            for key in stayed { entries[key]?.place = order.append(key) }
            return gone
        }
    }

    private let state = Locked(State())

    /// The budget in bytes.
    public let capacity: Int

    /// Makes an empty cache that keeps at most `capacity` bytes.
    public init(capacity: Int) { self.capacity = capacity }

    /// The cost of everything kept, in bytes.
    public var cost: Int { state.withLock(\.cost) }

    /// The most bytes that pins hold.
    private var pinnedBytes: Int { capacity / 2 }

    /// How many values are kept.
    public var count: Int { state.withLock(\.entries.count) }

    /// The value for `key`, marked as recently used.
    public func value(for key: Key) -> Value? {
        state.withLock { state in
            guard let index = state.entries.index(forKey: key) else { return nil }
            state.entries.values[index].wasUsed = true
            return state.entries.values[index].value
        }
    }

    /// Keeps `value`, which costs `cost` bytes, in place of any older one for `key`.
    ///
    /// A value that costs more than the budget has beside what is pinned is not kept, and the older one is forgotten all the same: it is
    /// out of date.
    public func insert(_ value: Value, for key: Key, cost: Int) {
        // What leaves is destroyed after the lock is given back: freeing megabytes under it would hold a frame up.
        _ = state.withLock { state -> [Value] in
            var gone = state.remove(key).map { [$0] } ?? []
            guard cost <= capacity else { return gone }
            gone += state.trim(to: capacity - cost, pinning: pinnedBytes)
            guard state.cost + cost <= capacity else { return gone }
            let place = state.order.append(key)
            state.entries[key] = Entry(value: value, cost: cost, wasUsed: false, place: place)
            state.cost += cost
            return gone
        }
    }

    /// Forgets the value for `key`.
    public func remove(_ key: Key) { _ = state.withLock { $0.remove(key) } }

    /// Makes `keys` all that is pinned, whether there is something for them yet or not: neither `insert` nor `trim` evicts it.
    public func pin(_ keys: Set<Key>) {
        _ = state.withLock { state in
            defer { state.pinned = keys }
            return state.pinned
        }
    }

    /// Shrinks to at most `bytes`, the least recently used first; what is pinned stays beyond that.
    public func trim(to bytes: Int) {
        _ = state.withLock { $0.trim(to: bytes, pinning: pinnedBytes) }
    }
}

/// A queue in which any element can be taken out of the middle.
///
/// Every operation is O(1); `popFirst` is so on average, as each hole left by `remove` is stepped over once.
struct IndexedDeque<Element> {
    /// Where an element stands, until it leaves.
    typealias Place = Int

    private var elements: [Place: Element] = [:]
    private var front = 0
    private var back = 0

    mutating func append(_ element: Element) -> Place {
        defer { back += 1 }
        elements[back] = element
        return back
    }

    mutating func remove(at place: Place) { elements[place] = nil }

    mutating func popFirst() -> Element? {
        while front < back {
            defer { front += 1 }
            if let element = elements.removeValue(forKey: front) { return element }
        }
        return nil
    }
}
