import Dispatch
import Testing

@testable import Pipeline

@Suite struct MemoryCacheTests {
    /// Returns which of `keys` are cached, and marks those as used.
    func kept(_ cache: MemoryCache<String, Int>, of keys: [String]) -> [String] {
        keys.filter { cache.value(for: $0) != nil }
    }

    @Test("the oldest values are evicted first when the budget is exceeded")
    func evictsOldest() {
        let cache = MemoryCache<String, Int>(capacity: 30)
        for (value, key) in ["a", "b", "c", "d"].enumerated() {
            cache.insert(value, for: key, cost: 10)
        }
        #expect(kept(cache, of: ["a", "b", "c", "d"]) == ["b", "c", "d"])
        #expect(cache.cost == 30)
    }

    @Test("three of the largest values are kept, if none exceeds what may be")
    func large() {
        let cache = MemoryCache<String, Int>(capacity: 30, largestEntry: 40)
        for key in ["a", "b", "c", "d"] { cache.insert(0, for: key, cost: 40) }
        cache.insert(0, for: "e", cost: 121)
        cache.insert(0, for: "f", cost: 41)
        #expect(kept(cache, of: ["a", "b", "c", "d", "e", "f"]) == ["d", "f"])
        #expect(cache.capacity == 120)
    }

    @Test("a value that was looked up gets a single second chance")
    func secondChance() {
        let cache = MemoryCache<String, Int>(capacity: 30)
        for key in ["a", "b", "c"] {
            cache.insert(0, for: key, cost: 10)
        }
        _ = cache.value(for: "a")
        cache.insert(0, for: "d", cost: 10)
        // Having been given a second chance, a is now behind c, but ahead of d.
        cache.insert(0, for: "e", cost: 20)
        #expect(kept(cache, of: ["a", "b", "c", "d", "e"]) == ["d", "e"])
        let other = MemoryCache<String, Int>(capacity: 20)
        other.insert(0, for: "a", cost: 10)
        other.insert(0, for: "b", cost: 10)
        _ = other.value(for: "a")
        other.insert(0, for: "c", cost: 10)
        #expect(kept(other, of: ["a", "b", "c"]) == ["a", "c"])
    }

    @Test("pinned values are never evicted, by insertions or a trim, until unpinned")
    func pins() {
        let cache = MemoryCache<String, Int>(capacity: 100)
        // Pinned before insertion: what is on the screen may still be on its way.
        cache.pin(["a", "b"])
        for key in ["a", "b"] {
            cache.insert(0, for: key, cost: 10)
        }
        for number in 0..<100 {
            cache.insert(0, for: "\(number)", cost: 10)
            // Looked up again and again: used marks must not win over a pin either.
            _ = cache.value(for: "\(number)")
        }
        #expect(cache.cost == 100)
        #expect(kept(cache, of: ["a", "b"]) == ["a", "b"])
        cache.trim(to: 0)
        #expect(kept(cache, of: ["a", "b"]) == ["a", "b"])
        #expect(cache.count == 2)
        cache.pin([])
        cache.trim(to: 0)
        #expect(cache.count == 0)
    }

    @Test("pins hold at most half of the budget, which is never exceeded")
    func pinsAreBounded() {
        let cache = MemoryCache<Int, Int>(capacity: 100)
        cache.pin(Set(0..<20))
        for number in 0..<20 {
            cache.insert(0, for: number, cost: 10)
            #expect(cache.cost <= 100)
        }
        cache.trim(to: 0)
        #expect(cache.cost == 50)
        // There is no room beside the pinned ones: not stored, and the budget holds.
        cache.insert(0, for: 100, cost: 60)
        #expect(cache.value(for: 100) == nil)
        #expect(cache.cost == 50)
        cache.insert(0, for: 101, cost: 50)
        #expect(cache.cost == 100)
    }

    @Test("values looked up on every step survive a stream of others")
    func windowIsPinnedByUse() {
        let cache = MemoryCache<String, Int>(capacity: 100)
        let window = ["a", "b", "c"]
        for key in window {
            cache.insert(0, for: key, cost: 10)
        }
        for number in 0..<200 {
            #expect(kept(cache, of: window) == window)
            cache.insert(number, for: "\(number)", cost: 10)
        }
        #expect(cache.cost <= 100)
    }

    @Test("a new value replaces the old one and its cost")
    func replaces() {
        let cache = MemoryCache<String, Int>(capacity: 30)
        cache.insert(1, for: "a", cost: 20)
        cache.insert(2, for: "a", cost: 5)
        #expect(cache.value(for: "a") == 2)
        #expect(cache.cost == 5)
        #expect(cache.count == 1)
    }

    @Test("a value larger than the budget is not stored, and the outdated one is removed")
    func tooLarge() {
        let cache = MemoryCache<String, Int>(capacity: 30)
        cache.insert(1, for: "a", cost: 10)
        cache.insert(1, for: "b", cost: 10)
        cache.insert(2, for: "a", cost: 31)
        #expect(cache.value(for: "a") == nil)
        #expect(cache.value(for: "b") == 1)
        #expect(cache.cost == 10)
    }

    @Test("trimming and removing free the budget")
    func trims() {
        let cache = MemoryCache<String, Int>(capacity: 100)
        for number in 0..<10 {
            cache.insert(number, for: "\(number)", cost: 10)
        }
        cache.trim(to: 25)
        #expect(kept(cache, of: (0..<10).map(String.init)) == ["8", "9"])
        cache.remove("8")
        cache.remove("never there")
        #expect(cache.cost == 10)
        cache.trim(to: 0)
        #expect(cache.count == 0)
    }

    @Test("the cache may be used by several threads at once")
    func threads() {
        let cache = MemoryCache<Int, Int>(capacity: 500)
        DispatchQueue.concurrentPerform(iterations: 4_000) { number in
            cache.insert(number, for: number % 97, cost: number % 13)
            if let value = cache.value(for: (number + 1) % 97) {
                #expect(value % 97 == (number + 1) % 97)
            }
            if number.isMultiple(of: 50) {
                cache.trim(to: 100)
            }
        }
        #expect(cache.cost <= 500)
    }
}
