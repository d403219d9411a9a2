/// A growing array of plain values in memory of its own: an append costs a comparison and a store.
///
/// Whoever has the last copy calls `release` or hands the memory over.
struct Arena<Element: BitwiseCopyable> {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        base = .allocate(capacity: self.capacity)
    }

    mutating func append(_ element: Element) {
        if count == capacity { grow(by: 1) }
        (base + count).initialize(to: element)
        count += 1
    }

    mutating func append(_ elements: UnsafePointer<Element>, count added: Int) {
        if count + added > capacity { grow(by: added) }
        (base + count).initialize(from: elements, count: added)
        count += added
    }

    mutating func removeLast() -> Element {
        count -= 1
        return base[count]
    }

    /// The memory with what was appended; the arena must not be used afterwards.
    func finish() -> UnsafeBufferPointer<Element> {
        UnsafeBufferPointer(start: base, count: count)
    }

    func release() { base.deallocate() }

    @inline(never)
    private mutating func grow(by added: Int) {
        capacity = max(capacity * 2, count + added)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
    }
}
