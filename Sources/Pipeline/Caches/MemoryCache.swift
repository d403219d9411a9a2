import Basics

/// An in-memory cache with a budget in bytes; safe to use from any thread.
///
/// Evicts by CLOCK (second chance): a look-up only sets a mark, so the lock is held briefly; the oldest entry is evicted first unless it
/// was looked up since it was last considered. Pinned entries stay, up to half of the budget, so that there is always room for others.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    struct Entry {
        var value: Value
        var cost: Int
        var wasUsed = false
        var place: Int
    }

    struct State {
        var entries: [Key: Entry] = [:]
        /// The keys, the oldest first.
        var order = IndexedDeque<Key>()
        var cost = 0
        /// The keys that must not be evicted.
        var pinned: Set<Key> = []
        /// The budget in bytes.
        var capacity: Int

        mutating func remove(_ key: Key) -> Value? {
            guard let entry = entries.removeValue(forKey: key) else { return nil }
            order.remove(at: entry.place)
            cost -= entry.cost
            return entry.value
        }

        /// Evicts down to `bytes`; terminates because each pass clears used marks and pinned keys are out of the order meanwhile.
        mutating func trim(to bytes: Int) -> [Value] {
            var gone: [Value] = []
            var stayed: [Key] = []
            var room = capacity / 2
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

    let state: Locked<State>
    private let largestEntry: Int

    /// Creates an empty cache that keeps at most `capacity` bytes, or three of the largest entries it has been given, of which none costs
    /// more than `largestEntry`.
    public init(capacity: Int, largestEntry: Int = 0) {
        state = Locked(State(capacity: capacity))
        self.largestEntry = largestEntry
    }

    /// The total cost of all entries in bytes.
    public var cost: Int { state.withLock(\.cost) }

    /// Returns the value for `key` and marks it as recently used.
    public func value(for key: Key) -> Value? {
        state.withLock { state in
            guard let index = state.entries.index(forKey: key) else { return nil }
            state.entries.values[index].wasUsed = true
            return state.entries.values[index].value
        }
    }

    /// Stores `value`, which costs `cost` bytes, replacing an older one for `key`.
    ///
    /// A value that does not fit beside the pinned entries is not stored; the older one is removed all the same, as it is out of date.
    public func insert(_ value: Value, for key: Key, cost: Int) {
        // Evicted values are destroyed after the lock is released: freeing megabytes under it would delay a frame.
        _ = state.withLock { state -> [Value] in
            var gone = state.remove(key).map { [$0] } ?? []
            if cost <= largestEntry { state.capacity = max(state.capacity, 3 * cost) }
            guard cost <= state.capacity else { return gone }
            gone += state.trim(to: state.capacity - cost)
            guard state.cost + cost <= state.capacity else { return gone }
            let place = state.order.append(key)
            state.entries[key] = Entry(value: value, cost: cost, place: place)
            state.cost += cost
            return gone
        }
    }

    /// Removes the value for `key`.
    public func remove(_ key: Key) { _ = state.withLock { $0.remove(key) } }

    /// Makes `keys` the set of pinned keys, whether they have values yet or not; neither `insert` nor `trim` evicts those, up to half
    /// of the capacity.
    public func pin(_ keys: Set<Key>) {
        _ = state.withLock { state in
            defer { state.pinned = keys }
            return state.pinned
        }
    }

    /// Evicts the least recently used entries until at most `bytes` are left; pinned entries stay even beyond that.
    public func trim(to bytes: Int) {
        _ = state.withLock { $0.trim(to: bytes) }
    }
}

/// A queue whose elements can be removed from the middle.
///
/// Every operation is O(1), for `popFirst` amortised: each hole left by `remove` is skipped once.
struct IndexedDeque<Element> {
    /// The position of an element, valid until it is removed.
    private var elements: [Int: Element] = [:]
    private var front = 0
    private var back = 0

    mutating func append(_ element: Element) -> Int {
        defer { back += 1 }
        elements[back] = element
        return back
    }

    mutating func remove(at place: Int) { elements[place] = nil }

    mutating func popFirst() -> Element? {
        while front < back {
            defer { front += 1 }
            if let element = elements.removeValue(forKey: front) { return element }
        }
        return nil
    }
}
