import Basics
public import Network

/// A compact list of pictures: packed into bytes and unpacked one by one on access.
///
/// Needed for `make bench`'s limit of 300 MB for a million pictures: a `Picture` with its strings costs some 600 bytes in a dozen
/// allocations, a packed one about 30 beyond its text. Reading one takes about a microsecond. Copies share storage.
public struct PictureList: Sendable {
    /// Pictures per batch: a power of two, so that finding one is a shift; small, so that appending to a list that is shared copies little.
    private static let batchSize = 256

    /// The batches, all full except the last.
    private(set) var batches: [PictureBatch] = []

    /// Creates an empty list.
    public init() {}

    /// Packs the drafts of one page.
    init(_ drafts: [PictureDraft], on page: Address, _ addresses: AddressNumbers) {
        addresses.withTexts { texts in
            // Taking a draft out of the array would copy it.
            for index in drafts.indices {
                append(on: page) { $0.write(drafts[index], page: $1, texts) }
            }
        }
    }

    /// Replaces `text` with the picture's title, file name and caption, one per line.
    func readWords(at index: Int, into text: inout [UInt8]) {
        read(index) { $0.readWords(into: &text) }
    }

    /// Whether the picture is new, without unpacking it.
    public func isNew(at index: Int) -> Bool {
        read(index) { PictureFlags(rawValue: $0.readNumber()).contains(.isNew) }
    }

    /// Returns the index of the picture whose largest size is at `address`, looked for from `start` outwards: about 0.1 µs a picture.
    public func index(of address: Address, near start: Int = 0) -> Int? {
        let wanted = Array(address.text.utf8)
        var text: [UInt8] = []
        for distance in 0...Swift.max(start, count) {
            for index in distance == 0 ? [start] : [start + distance, start - distance]
            where indices.contains(index) {
                let from = read(index) { $0.readTitleAndAddress(into: &text).start }
                if text[from...].elementsEqual(wanted) { return index }
            }
        }
        return nil
    }

    /// The index of the picture with the latest date, or of the last one of these; nil if no date is known.
    public var indexOfNewest: Int? {
        let dated = indices.lazy.compactMap { index in self[index].date.map { (index, $0) } }
        return dated.max { $0.1 < $1.1 || $0.1 == $1.1 && $0.0 < $1.0 }?.0
    }

    /// Returns the first picture whose title or file name is `name`: about 0.2 µs a picture.
    public func index(called name: String) -> Int? {
        let wanted = Array(name.utf8)
        var text: [UInt8] = []
        return indices.first { index in
            readWords(at: index, into: &text)
            return text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
                .prefix(2).contains { $0.elementsEqual(wanted) }
        }
    }

    /// Returns the pictures whose largest size is not in `seen`, and adds them to it.
    func unseen(by seen: inout AddressSet) -> PictureList {
        var text: [UInt8] = []
        let new = indices.filter { index in
            let start = read(index) { $0.readTitleAndAddress(into: &text).start }
            return text.withUnsafeBufferPointer {
                seen.insert(UnsafeBufferPointer(rebasing: $0[start...]))
            }
        }
        return new.count == count ? self : PictureList(new.lazy.map { self[$0] })
    }

    private func read<Answer>(_ index: Int, _ body: (inout PictureReader) -> Answer) -> Answer {
        batches[index / Self.batchSize].read(index % Self.batchSize, body)
    }

    private mutating func append(on page: Address, _ write: (inout PictureWriter, Int) -> Void) {
        if batches.last.map({ $0.count == Self.batchSize }) ?? true {
            if !batches.isEmpty { batches[batches.count - 1].trim() }
            batches.append(PictureBatch())
        }
        batches[batches.count - 1].append(on: page, write)
    }
}

extension PictureList: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of pictures.
    public var endIndex: Int {
        guard let last = batches.last else { return 0 }
        return (batches.count - 1) * Self.batchSize + last.count
    }

    /// Reading unpacks the picture; writing repacks its whole batch.
    public subscript(index: Int) -> Picture {
        get { read(index) { $0.picture() } }
        set { update([index]) { $1 = newValue } }
    }

    /// Changes the pictures at `indices` by calling `change` for each; every affected batch is repacked once.
    public mutating func update(
        _ indices: some Sequence<Int>, _ change: (Int, inout Picture) -> Void
    ) {
        for (place, changed) in Dictionary(grouping: indices, by: { $0 / Self.batchSize }) {
            let changed = Set(changed)
            var batch = PictureBatch()
            for other in 0..<batches[place].count {
                let index = place * Self.batchSize + other
                var picture = self[index]
                if changed.contains(index) { change(index, &picture) }
                batch.append(on: picture.page) { $0.write(picture, page: $1) }
            }
            batches[place] = batch
        }
    }

    /// Appends a picture.
    public mutating func append(_ picture: Picture) {
        append(on: picture.page) { $0.write(picture, page: $1) }
    }

    /// Appends pictures; appending a whole list to an empty one costs nothing.
    public mutating func append(contentsOf pictures: some Sequence<Picture>) {
        if isEmpty, let list = pictures as? PictureList {
            self = list
        } else {
            for picture in pictures { append(picture) }
        }
    }

    /// Replaces a range, repacking the whole list.
    public mutating func replaceSubrange(
        _ range: Range<Int>, with pictures: some Collection<Picture>
    ) {
        var all = Array(self)
        all.replaceSubrange(range, with: pictures)
        self = PictureList()
        append(contentsOf: all)
    }
}

/// Pictures packed one after another into one byte array.
struct PictureBatch: Sendable {
    private var writer = PictureWriter()
    private(set) var ends: [UInt32] = []
    /// The pages that the pictures were found on; few, since a page has many pictures.
    private var pages: [Address] = []

    var count: Int { ends.count }

    /// Appends a picture found on `address`, packed by `write`, which receives the page's number.
    mutating func append(on address: Address, _ write: (inout PictureWriter, Int) -> Void) {
        let page = pages.lastIndex(of: address) ?? pages.count
        if page == pages.count { pages.append(address) }
        writer.begin(on: address)
        write(&writer, page)
        ends.append(UInt32(writer.bytes.count))
    }

    mutating func trim() {
        writer.trim()
        ends = ends.withUnsafeBufferPointer { Array($0) }
    }

    func read<Answer>(_ index: Int, _ body: (inout PictureReader) -> Answer) -> Answer {
        precondition(index >= 0 && index < ends.count, "a picture of the list")
        return writer.bytes.withUnsafeBufferPointer { bytes in
            let start = index == 0 ? 0 : Int(ends[index - 1])
            var reader = PictureReader(bytes, at: start, pages: pages)
            return body(&reader)
        }
    }
}

/// A picture before packing, when its title may still lose the part that all titles of the page share.
///
/// Addresses are numbers and never become `Address` values: scraping's limit in `make bench` leaves no time for that.
struct PictureDraft {
    var variants: [Candidate.Offer]
    /// The number of the linked address.
    var link: Int?
    var flags: PictureFlags
    var title: String
    var summary: String?
    var date: String?
    var width: Pixels?
    var height: Pixels?
}
