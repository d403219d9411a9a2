import Network

/// The places at which growing pictures are shown under an order.
///
/// In page order without a filter it is two numbers. Else it keeps a line of text a picture, and a page that arrives
/// is sorted by itself and merged: what is there is not compared again.
public struct Arrangement: Sendable {
    /// The order.
    public let order: PictureOrder
    /// How many pictures there are, shown or not.
    public private(set) var total = 0
    /// The pictures shown, by their number of arrival; empty in page order, where all are.
    private var numbers: [Int] = []
    /// Where each picture is shown, by its number of arrival; -1 for those that are not.
    private var places: [Int] = []
    /// What is compared, by number of arrival.
    private var keys: [String] = []
    private let filter: FoldedText

    /// An arrangement of no pictures yet.
    public init(_ order: PictureOrder) {
        self.order = order
        filter = FoldedText(order.filter)
    }

    /// How many are shown.
    public var count: Int { order.isPageOrder ? total : numbers.count }

    /// The numbers of arrival of the pictures shown, in order.
    public var shown: [Int] { order.isPageOrder ? Array(0..<total) : numbers }

    /// The number of arrival of the picture shown at `place`, which must be below `count`.
    public func number(at place: Int) -> Int { order.isPageOrder ? place : numbers[place] }

    /// Where the picture with this number of arrival is shown; nil if it is not.
    public func place(of number: Int) -> Int? {
        guard number >= 0, number < total else { return nil }
        if order.isPageOrder { return number }
        return places[number] < 0 ? nil : places[number]
    }

    /// Takes the pictures that have arrived after those before.
    public mutating func append(_ pictures: ArraySlice<Picture>) {
        let first = total
        total += pictures.count
        guard !order.isPageOrder else { return }
        keys += pictures.map(key)
        var new: [Int] = []
        for (number, picture) in zip(first..., pictures)
        where order.filter.isEmpty || FoldedText(picture).contains(filter) {
            new.append(number)
        }
        merge(new.sorted(by: precedes))
    }

    private func key(_ picture: Picture) -> String {
        switch order.key {
        case .page: ""
        case .title:
            FoldedText(picture.title.isEmpty ? picture.image.lastPathComponent : picture.title).text
        case .date: picture.date ?? ""
        }
    }

    /// A total order, so that it does not matter in which portions pictures arrive.
    private func precedes(_ left: Int, _ right: Int) -> Bool {
        let (first, second) = (keys[left], keys[right])
        if first != second {
            // Without a date they come last, whichever way round.
            if order.key == .date, first.isEmpty || second.isEmpty { return second.isEmpty }
            if NaturalOrder.precedes(first, second) { return !order.isReversed }
            if NaturalOrder.precedes(second, first) { return order.isReversed }
        }
        return order.isReversed ? right < left : left < right
    }

    private mutating func merge(_ new: [Int]) {
        var merged: [Int] = []
        merged.reserveCapacity(numbers.count + new.count)
        var old = numbers[...]
        for number in new {
            while let next = old.first, precedes(next, number) {
                merged.append(next)
                old.removeFirst()
            }
            merged.append(number)
        }
        numbers = merged + old
        places = Array(repeating: -1, count: total)
        for (place, number) in numbers.enumerated() {
            places[number] = place
        }
    }
}
