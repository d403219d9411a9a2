/// A queue in which any element can be taken out of the middle.
///
/// Every operation is O(1); `popFirst` is so on average, as each hole left by `remove` is stepped over once.
struct Line<Element> {
    /// Where an element stands, until it leaves.
    typealias Place = Int

    private var elements: [Place: Element] = [:]
    private var front = 0
    private var back = 0

    var count: Int { elements.count }
    var isEmpty: Bool { elements.isEmpty }

    mutating func append(_ element: Element) -> Place {
        defer { back += 1 }
        elements[back] = element
        return back
    }

    mutating func prepend(_ element: Element) -> Place {
        front -= 1
        elements[front] = element
        return front
    }

    mutating func remove(at place: Place) {
        elements[place] = nil
    }

    mutating func popFirst() -> Element? {
        guard !elements.isEmpty else { return nil }
        while front < back {
            defer { front += 1 }
            if let element = elements.removeValue(forKey: front) {
                return element
            }
        }
        return nil
    }

    mutating func removeAll() {
        self = Line()
    }
}
