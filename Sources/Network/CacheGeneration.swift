import Synchronization

/// How recent an answer must be: an ever-growing number of this run of the program.
///
/// What was fetched from its server, or confirmed by it, for a generation answers requests of that generation and
/// earlier ones; what is older does not. A reload takes the next generation for everything it asks for, so that its
/// parts share their transfers and each is fetched once.
public struct CacheGeneration: Hashable, Comparable, Sendable {
    /// Whatever HTTP's freshness allows.
    public static let any = CacheGeneration(number: 0)

    private static let last = Atomic<Int>(0)

    private let number: Int

    /// A generation later than all before it; any thread.
    public static func next() -> CacheGeneration {
        CacheGeneration(number: last.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// Earlier ones come first.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
