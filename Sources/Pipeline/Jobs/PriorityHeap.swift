/// Waiting work in the order in which it will start: a binary heap whose elements know where they stand.
///
/// Entering, leaving from the middle and moving take O(log n) exchanges, so a thousand pieces of work may all change
/// places while the user scrolls. (Cormen et al., "Introduction to Algorithms", chapter 6, priority queues with handles.)
struct PriorityHeap {
    private var works: [ScheduledWork] = []
    /// The orders given to the last and to the first among equals.
    private var back = 0
    private var front = 0

    var count: Int { works.count }
    var first: ScheduledWork? { works.first }

    /// The idle work that has waited longest; takes as long as there is work.
    var oldestIdle: ScheduledWork? {
        works.lazy.filter { $0.priority.level == .idle }.min { $0.order < $1.order }
    }

    /// Adds work behind its equals.
    mutating func append(_ work: ScheduledWork) {
        back += 1
        insert(work, order: back)
    }

    /// Adds work before its equals.
    mutating func prepend(_ work: ScheduledWork) {
        front -= 1
        insert(work, order: front)
    }

    mutating func remove(_ work: ScheduledWork) {
        guard let place = work.place else { return }
        works[place].place = nil
        let last = works.removeLast()
        guard place < works.count else { return }
        put(last, at: place)
        rise(from: place)
        sink(from: last.place ?? place)
    }

    private mutating func insert(_ work: ScheduledWork, order: Int) {
        work.order = order
        works.append(work)
        work.place = works.count - 1
        rise(from: works.count - 1)
    }

    private mutating func put(_ work: ScheduledWork, at place: Int) {
        works[place] = work
        work.place = place
    }

    private mutating func rise(from start: Int) {
        let work = works[start]
        var place = start
        while place > 0, work.startsBefore(works[(place - 1) / 2]) {
            put(works[(place - 1) / 2], at: place)
            place = (place - 1) / 2
        }
        put(work, at: place)
    }

    private mutating func sink(from start: Int) {
        let work = works[start]
        var place = start
        while case let child = firstChild(of: place), child < works.count,
            works[child].startsBefore(work)
        {
            put(works[child], at: place)
            place = child
        }
        put(work, at: place)
    }

    /// The one of its two children that starts first.
    private func firstChild(of place: Int) -> Int {
        let left = 2 * place + 1
        let hasRight = left + 1 < works.count
        return hasRight && works[left + 1].startsBefore(works[left]) ? left + 1 : left
    }
}
