import Pipeline

/// The orders for one host: those that wait, most urgent first, and how many are with the server.
struct Lane {
    /// A place in the line: the more urgent first, then the older.
    struct Place: Comparable {
        var priority: Priority
        var number: Int

        /// A later place is less.
        static func < (left: Place, right: Place) -> Bool {
            left.priority == right.priority
                ? left.number > right.number : left.priority < right.priority
        }
    }

    /// Requests with the server.
    var runningCount = 0

    /// Ascending, so that the next one to go is at the end, where taking it costs nothing.
    private var places: [Place] = []

    /// Whose turn is next.
    var next: Place? { places.last }

    var isEmpty: Bool { places.isEmpty }

    mutating func insert(_ place: Place) {
        places.insert(place, at: position(of: place))
    }

    mutating func remove(_ place: Place) {
        let at = position(of: place)
        if at < places.count, places[at] == place {
            places.remove(at: at)
        }
    }

    mutating func takeNext() -> Place? { places.popLast() }

    /// By bisection: thousands of thumbnails may wait.
    private func position(of place: Place) -> Int {
        var low = 0
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
