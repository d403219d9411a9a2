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

    private var line = Line()
    /// The pages that are counted, which may have to wait while the others go on.
    private var pages = Line()

    /// Whose turn is next; `pages`: whether one of those that are counted may be it.
    func next(pages mayBePage: Bool) -> Place? {
        guard mayBePage, let page = pages.last else { return line.last }
        return line.last.map { max($0, page) } ?? page
    }

    var isEmpty: Bool { line.isEmpty && pages.isEmpty }

    mutating func insert(_ place: Place, isPaced: Bool) {
        if isPaced { pages.insert(place) } else { line.insert(place) }
    }

    mutating func remove(_ place: Place) {
        line.remove(place)
        pages.remove(place)
    }
}

/// Places in order, ascending, so that the next one to go is at the end, where taking it costs nothing.
private struct Line {
    private var places: [Lane.Place] = []

    var last: Lane.Place? { places.last }
    var isEmpty: Bool { places.isEmpty }

    mutating func insert(_ place: Lane.Place) {
        places.insert(place, at: position(of: place))
    }

    mutating func remove(_ place: Lane.Place) {
        let at = position(of: place)
        if at < places.count, places[at] == place {
            places.remove(at: at)
        }
    }

    /// By bisection: thousands of thumbnails may wait.
    private func position(of place: Lane.Place) -> Int {
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
