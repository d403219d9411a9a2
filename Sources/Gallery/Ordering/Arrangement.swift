import Basics

/// The places at which growing pictures are shown under an order.
///
/// In page order without a filter it is one number. Else it costs four bytes for a picture that is shown, eight if sorted; a page
/// that arrives is sorted by itself and merged: what is there is not compared again.
public struct Arrangement: Sendable {
    /// The order.
    public let order: PictureOrder
    /// How many pictures there are, shown or not.
    public private(set) var total = 0
    /// The pictures shown, by their number of arrival; empty in page order, where all are.
    private var numbers: [UInt32] = []
    /// Where each picture is shown, by its number of arrival; empty unless sorted, as `numbers` then grow.
    private var places: [UInt32] = []
    private let filter: PictureQuery

    private static let nowhere = UInt32.max

    /// An arrangement of no pictures yet.
    public init(_ order: PictureOrder) {
        self.order = order
        filter = PictureQuery(order.filter)
    }

    /// An arrangement of `pictures`; blocks for up to two microseconds a picture where they are sorted.
    ///
    /// `previous`, an arrangement of the first of them, saves work where its filter shows all that this one does.
    public init(
        _ order: PictureOrder, of pictures: PictureList, narrowing previous: Arrangement? = nil
    ) {
        self.init(order)
        if let previous, previous.canBeNarrowed(to: order) {
            numbers = pictures.all(of: previous.numbers.lazy.map(Int.init), holding: filter)
            total = previous.total
            notePlaces()
        }
        append(pictures)
    }

    private func canBeNarrowed(to order: PictureOrder) -> Bool {
        !self.order.isPageOrder && !order.isPageOrder && self.order.key == order.key
            && self.order.isReversed == order.isReversed
            && PictureQuery(order.filter).narrows(filter)
    }

    /// How many are shown.
    public var count: Int { order.isPageOrder ? total : numbers.count }

    /// The numbers of arrival of the pictures shown, in order.
    public var shown: [Int] { (0..<count).map(number) }

    /// The number of arrival of the picture shown at `place`, which must be below `count`.
    public func number(at place: Int) -> Int { order.isPageOrder ? place : Int(numbers[place]) }

    /// Where the picture with this number of arrival is shown; nil if it is not.
    public func place(of number: Int) -> Int? {
        guard number >= 0, number < total else { return nil }
        if order.isPageOrder { return number }
        guard order.needsAll else {
            let place = numbers.partitioningIndex { $0 >= number }
            return place < numbers.count && numbers[place] == number ? place : nil
        }
        return places[number] == Self.nowhere ? nil : Int(places[number])
    }

    /// Takes those of `pictures` that have arrived after the ones it knows, which come first in them.
    public mutating func append(_ pictures: PictureList) {
        let arrived = total..<pictures.count
        total = pictures.count
        guard !order.isPageOrder, !arrived.isEmpty else { return }
        let new = pictures.all(of: arrived, holding: filter)
        if order.needsAll {
            merge(sorted(new, in: pictures), of: pictures)
        } else {
            numbers += new
        }
    }

    private func sorted(_ new: [UInt32], in pictures: PictureList) -> [UInt32] {
        let keyed = new.map { (number: $0, key: order.sortKey(of: pictures[Int($0)])) }
        return keyed.sorted { left, right in
            order.precedes(left.key, right.key) ?? comesFirst(left.number, right.number)
        }.map(\.number)
    }

    /// Equal pictures stay as they are on the page: a total order, so that it does not matter in which portions they arrive.
    private func comesFirst(_ left: UInt32, _ right: UInt32) -> Bool {
        order.isReversed ? right < left : left < right
    }

    /// Puts sorted new numbers in: each finds its place by bisection, as a key is made anew for each comparison.
    private mutating func merge(_ new: [UInt32], of pictures: PictureList) {
        var merged: [UInt32] = []
        merged.reserveCapacity(numbers.count + new.count)
        var rest = numbers[...]
        for number in new {
            let key = order.sortKey(of: pictures[Int(number)])
            let end = rest.partitioningIndex { other in
                let otherKey = order.sortKey(of: pictures[Int(other)])
                return !(order.precedes(otherKey, key) ?? comesFirst(other, number))
            }
            merged += rest[..<end]
            merged.append(number)
            rest = rest[end...]
        }
        numbers = merged + rest
        notePlaces()
    }

    private mutating func notePlaces() {
        guard order.needsAll else { return }
        places = Array(repeating: Self.nowhere, count: total)
        for (place, number) in numbers.enumerated() { places[Int(number)] = UInt32(place) }
    }
}
