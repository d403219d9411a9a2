/// Pictures in little memory: packed into bytes, and unpacked when asked for one by one.
///
/// A `Picture` with its strings costs some 600 bytes in a dozen allocations, a packed one about 30 beyond its text,
/// which is what a gallery of a million needs. Reading one takes about a microsecond. Copies share what they have in
/// common.
public struct PictureList: Sendable {
    /// Pictures packed together: a power of two, so that finding one is a shift; small, so that appending to a list that
    /// somebody else holds a copy of copies little.
    static let batchSize = 256

    /// All full but the last.
    private var batches: [PictureBatch] = []

    /// No pictures.
    public init() {}

    /// The bytes of the pictures' packed form, without the capacity held ready in the last batch.
    public var byteCount: Int { batches.reduce(0) { $0 + $1.byteCount } }

    /// Replaces `text` by what the picture at `index` is found by: its title, a line feed, and the address of its largest
    /// size; where the address starts is returned.
    ///
    /// For searching many: makes no string.
    @discardableResult
    func readSearchText(at index: Int, into text: inout [UInt8]) -> Int {
        batches[index / Self.batchSize].readSearchText(at: index % Self.batchSize, into: &text)
    }

    /// The pictures whose largest size is not in `seen`, to which they are added.
    func unseen(by seen: inout AddressSet) -> PictureList {
        var scratch: [UInt8] = []
        var known: [Int] = []
        for index in indices {
            let start = readSearchText(at: index, into: &scratch)
            let isNew = scratch.withUnsafeBufferPointer { text in
                seen.insert(UnsafeBufferPointer(rebasing: text[start...]))
            }
            if !isNew { known.append(index) }
        }
        guard !known.isEmpty else { return self }
        var isKnown = known[...]
        var unseen = PictureList()
        for index in indices {
            if index == isKnown.first { isKnown.removeFirst() } else { unseen.append(self[index]) }
        }
        return unseen
    }
}

extension PictureList: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// 0.
    public var startIndex: Int { 0 }

    /// How many there are.
    public var endIndex: Int {
        guard let last = batches.last else { return 0 }
        return (batches.count - 1) * Self.batchSize + last.count
    }

    /// Reading unpacks the picture; writing packs its whole batch anew.
    public subscript(index: Int) -> Picture {
        get { batches[index / Self.batchSize][index % Self.batchSize] }
        set {
            let place = index / Self.batchSize
            var pictures = batches[place].pictures
            pictures[index % Self.batchSize] = newValue
            batches[place] = PictureBatch(pictures)
        }
    }

    /// Adds a picture at the end.
    public mutating func append(_ picture: Picture) {
        makeRoom()
        batches[batches.count - 1].append(picture)
    }

    /// Packs drafts.
    init(_ drafts: PictureDrafts, _ addresses: AddressNumbers) {
        for draft in drafts.drafts {
            makeRoom()
            batches[batches.count - 1].append(on: drafts.page) { writer, page in
                drafts.write(draft, to: &writer, page: page, addresses)
            }
        }
    }

    private mutating func makeRoom() {
        if batches.last.map({ $0.count == Self.batchSize }) ?? true {
            if !batches.isEmpty { batches[batches.count - 1].trim() }
            batches.append(PictureBatch())
        }
    }

    /// Adds pictures at the end; a whole list to an empty one at no cost.
    public mutating func append(contentsOf pictures: some Sequence<Picture>) {
        if isEmpty, let list = pictures as? PictureList {
            self = list
        } else {
            for picture in pictures { append(picture) }
        }
    }

    /// Takes the time of everything behind the range.
    public mutating func replaceSubrange(
        _ range: Range<Int>, with pictures: some Collection<Picture>
    ) {
        let tail = Array(self[range.upperBound...])
        let first = range.lowerBound / Self.batchSize
        let kept = Array(self[first * Self.batchSize..<range.lowerBound])
        batches.removeSubrange(first...)
        append(contentsOf: kept)
        append(contentsOf: pictures)
        append(contentsOf: tail)
    }
}

extension PictureList: ExpressibleByArrayLiteral {
    /// Packs pictures.
    public init(arrayLiteral pictures: Picture...) {
        self.init(pictures)
    }
}
