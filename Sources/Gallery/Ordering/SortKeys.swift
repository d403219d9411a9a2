import Network

/// What pictures are sorted by, packed into one row of bytes: a million strings would each be an allocation.
struct SortKeys {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private let order: PictureOrder

    /// No keys yet.
    init(_ order: PictureOrder) {
        self.order = order
    }

    /// Adds the key of a picture.
    mutating func append(_ picture: Picture) {
        switch order.key {
        case .page: break
        case .title:
            let title = picture.title.isEmpty ? picture.image.lastPathComponent : picture.title
            bytes.append(contentsOf: FoldedText(title).text.utf8)
        case .date: bytes.append(contentsOf: (picture.date ?? "").utf8)
        }
        ends.append(bytes.count)
    }

    /// Whether the key added as number `left` says that its picture comes before that of `right`; nil if they are equal.
    func precedes(_ left: Int, _ right: Int) -> Bool? {
        bytes.withUnsafeBufferPointer { bytes in
            let (first, second) = (bytes[range(left)], bytes[range(right)])
            // Without a date they come last, whichever way round.
            if order.key == .date, first.isEmpty != second.isEmpty { return second.isEmpty }
            let comparison = NaturalOrder.compare(first, second)
            return comparison == 0 ? nil : (comparison < 0) != order.isReversed
        }
    }

    private func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }
}
