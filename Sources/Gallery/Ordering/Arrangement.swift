import Basics

/// The positions of a growing list of pictures in an order.
///
/// In page order without a filter it is a single number. Otherwise it takes four bytes per picture shown, eight if sorted; a new page is
/// sorted on its own and merged, so that pictures already there are not compared again.
public struct Arrangement: Sendable {
    /// The order and filter.
    public let order: PictureOrder
    /// The number of pictures, shown or not.
    public private(set) var total = 0
    /// The number of pictures, shown or not, whose size in pixels is unknown; 0 unless they are sorted or filtered by it.
    public private(set) var unknownSizes = 0
    /// The arrival numbers of the pictures shown; empty in page order, where all are.
    private var numbers: [UInt32] = []
    /// The position of each picture by its arrival number; empty unless sorted, since `numbers` is ascending then.
    private var places: [UInt32] = []
    private let filter: PictureQuery
    /// The headings above the pictures shown, and how many are below each; empty without grouping.
    public private(set) var groups: [(heading: String, count: Int)] = []

    private static let nowhere = UInt32.max

    /// Creates an arrangement without pictures.
    public init(_ order: PictureOrder) {
        self.order = order
        filter = PictureQuery(order.filter)
    }

    /// Creates an arrangement of `pictures`; blocks for up to two microseconds per picture if they are sorted.
    ///
    /// `previous`, an arrangement of a prefix of `pictures`, saves work if its filter includes everything that this one does.
    public init(
        _ order: PictureOrder, of pictures: PictureList, narrowing previous: Arrangement? = nil
    ) {
        self.init(order)
        if let previous, previous.canBeNarrowed(to: order) {
            numbers = pictures.all(of: previous.numbers.lazy.map(Int.init), holding: filter)
            total = previous.total
            unknownSizes = unknownSizes(among: 0..<total, of: pictures)
            notePlaces(of: pictures)
        }
        append(pictures)
    }

    private func canBeNarrowed(to order: PictureOrder) -> Bool {
        var wider = order
        wider.filter = self.order.filter
        return wider == self.order && !wider.isPageOrder && !order.isPageOrder
            && PictureQuery(order.filter).narrows(filter)
    }

    /// The number of pictures shown.
    public var count: Int { order.isPageOrder ? total : numbers.count }

    /// The arrival numbers of the pictures shown, in order.
    public var shown: [Int] { (0..<count).map(number) }

    /// Returns the arrival number of the picture shown at `place`, which must be below `count`.
    public func number(at place: Int) -> Int { order.isPageOrder ? place : Int(numbers[place]) }

    /// Returns the position of the picture with this arrival number; nil if it is not shown.
    public func place(of number: Int) -> Int? {
        guard number >= 0, number < total else { return nil }
        if order.isPageOrder { return number }
        guard order.needsAll else {
            let place = numbers.partitioningIndex { $0 >= number }
            return place < numbers.count && numbers[place] == number ? place : nil
        }
        return places[number] == Self.nowhere ? nil : Int(places[number])
    }

    /// Adds the new pictures of `pictures`, which starts with those already arranged.
    public mutating func append(_ pictures: PictureList) {
        let arrived = total..<pictures.count
        total = pictures.count
        guard !order.isPageOrder, !arrived.isEmpty else { return }
        unknownSizes += unknownSizes(among: arrived, of: pictures)
        let new = pictures.all(of: arrived, holding: filter)
        if order.needsAll {
            merge(sorted(new, in: pictures), of: pictures)
        } else {
            numbers += new
        }
    }

    private func unknownSizes(among range: Range<Int>, of pictures: PictureList) -> Int {
        order.needsSizes ? range.count { pictures[$0].isSizeUnknown } : 0
    }

    private func sorted(_ new: [UInt32], in pictures: PictureList) -> [UInt32] {
        new.map { (number: $0, key: order.sortKey(of: pictures[Int($0)])) }.sorted { left, right in
            order.precedes(left.key, right.key) ?? comesFirst(left.number, right.number)
        }.map(\.number)
    }

    /// Whether `left` precedes an equal `right` by page order: a total order, independent of the portions in which they arrive.
    private func comesFirst(_ left: UInt32, _ right: UInt32) -> Bool {
        order.isReversed ? right < left : left < right
    }

    /// Merges sorted new numbers; each is located by bisection, since every comparison has to create a key.
    private mutating func merge(_ new: [UInt32], of pictures: PictureList) {
        var merged: [UInt32] = []
        merged.reserveCapacity(numbers.count + new.count)
        var rest = numbers[...]
        for number in new {
            let key = order.sortKey(of: pictures[Int(number)])
            let end = rest.partitioningIndex { other in
                !(order.precedes(order.sortKey(of: pictures[Int(other)]), key)
                    ?? comesFirst(other, number))
            }
            merged += rest[..<end]
            merged.append(number)
            rest = rest[end...]
        }
        numbers = merged + rest
        notePlaces(of: pictures)
    }

    private mutating func notePlaces(of pictures: PictureList) {
        guard order.needsAll else { return }
        groups = []
        for number in order.grouping == .none ? [] : numbers {
            let heading = order.heading(of: pictures[Int(number)])
            if groups.last?.heading != heading { groups.append((heading, 0)) }
            groups[groups.count - 1].count += 1
        }
        places = Array(repeating: Self.nowhere, count: total)
        for (place, number) in numbers.enumerated() { places[Int(number)] = UInt32(place) }
    }
}
