public import Network

/// A list of up to millions of pictures.
///
/// They are in batches, so that appending to a long list moves nothing, and changing one that is shared copies little.
public struct PictureList: Sendable {
    /// A power of two, so that finding a picture is a shift.
    private static let batchSize = 256

    /// The batches, all full except the last.
    private var batches: [[Picture]] = []

    /// Creates an empty list.
    public init() {}

    /// Returns the index of the picture whose largest size is at `address`, looked for from `start` outwards: about 0.1 µs a picture.
    public func index(of address: Address, near start: Int = 0) -> Int? {
        for distance in 0...Swift.max(start, count) {
            for index in [start + distance, start - distance]
            where indices.contains(index) && self[index].image == address {
                return index
            }
        }
        return nil
    }

    /// The index of the picture with the latest date, or of the last one of these; nil if no date is known.
    public var indexOfNewest: Int? {
        indices.lazy.compactMap { index in self[index].date.map { ($0, index) } }.max(by: <)?.1
    }

    /// Returns the first picture whose title or file name is `name`: about 1 µs a picture.
    public func index(called name: String) -> Int? {
        firstIndex { $0.title == name || $0.image.lastPathComponent == name }
    }

    /// Returns the pictures whose largest size is not in `seen`, albums that are not, and pictures that a record tells apart, and adds them to it.
    package func unseen(by seen: inout AddressSet) -> PictureList {
        let new = indices.filter { index in
            let picture = self[index]
            // Albums may share a cover.
            let isAlbum = picture.kind == .album && seen.insert(picture.place)
            return seen.insert(picture.image) || isAlbum || !picture.others.isEmpty
        }
        return new.count == count ? self : PictureList(new.lazy.map { self[$0] })
    }
}

extension PictureList: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of pictures.
    public var endIndex: Int {
        batches.last.map { (batches.count - 1) * Self.batchSize + $0.count } ?? 0
    }

    /// The picture at an index.
    public subscript(index: Int) -> Picture {
        get { batches[index / Self.batchSize][index % Self.batchSize] }
        set { batches[index / Self.batchSize][index % Self.batchSize] = newValue }
    }

    /// Appends a picture.
    public mutating func append(_ picture: Picture) {
        if batches.last.map({ $0.count == Self.batchSize }) ?? true { batches.append([]) }
        batches[batches.count - 1].append(picture)
    }

    /// Appends pictures; appending a whole list to an empty one costs nothing.
    public mutating func append(contentsOf pictures: some Sequence<Picture>) {
        if isEmpty, let list = pictures as? PictureList {
            self = list
        } else {
            for picture in pictures { append(picture) }
        }
    }

    /// Replaces a range, copying the whole list.
    public mutating func replaceSubrange(
        _ range: Range<Int>, with pictures: some Collection<Picture>
    ) {
        var all = Array(self)
        all.replaceSubrange(range, with: pictures)
        self = PictureList()
        append(contentsOf: all)
    }
}
