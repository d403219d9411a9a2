import Network

/// Pictures in little memory: packed into bytes, and unpacked when asked for one by one.
///
/// Needed for `make bench`'s limit of 300 MB for a million pictures: a `Picture` with its strings costs some 600 bytes in a dozen
/// allocations, a packed one about 30 beyond its text. Reading one takes about a microsecond. Copies share what they have in common.
public struct PictureList: Sendable {
    /// Pictures packed together: a power of two, so that finding one is a shift; small, so that appending to a list of which
    /// a copy is held elsewhere copies little.
    private static let batchSize = 256

    /// All full but the last.
    private(set) var batches: [PictureBatch] = []

    /// No pictures.
    public init() {}

    /// Packs the pictures of one page.
    init(_ drafts: [PictureDraft], on page: Address, _ addresses: AddressNumbers) {
        var text = page.text
        text.withUTF8 { text in
            let start = PictureWriter.AddressText(bytes: text, pathStart: page.pathStart)
            addresses.withTexts { texts in
                // A draft taken out of the list would be copied.
                for index in drafts.indices {
                    append(on: page) { $0.write(drafts[index], page: $1, after: start, texts) }
                }
            }
        }
    }

    /// Replaces `text` by what the picture at `index` is found by: its title, a line feed, and the address of its largest
    /// size; where the address starts is returned.
    ///
    /// For searching many: makes no string.
    @discardableResult
    func readSearchText(at index: Int, into text: inout [UInt8]) -> Int {
        read(index) { $0.readSearchText(into: &text) }
    }

    /// Replaces `text` by the picture's title, the name of its file and its caption, a line each.
    func readWords(at index: Int, into text: inout [UInt8]) {
        read(index) { $0.readWords(into: &text) }
    }

    /// The pictures whose largest size is not in `seen`, to which they are added.
    func unseen(by seen: inout AddressSet) -> PictureList {
        var text: [UInt8] = []
        let known = indices.filter { index in
            let start = readSearchText(at: index, into: &text)
            return !text.withUnsafeBufferPointer {
                seen.insert(UnsafeBufferPointer(rebasing: $0[start...]))
            }
        }
        guard !known.isEmpty else { return self }
        let isKnown = Set(known)
        return PictureList(indices.lazy.filter { !isKnown.contains($0) }.map { self[$0] })
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
    /// 0.
    public var startIndex: Int { 0 }

    /// How many there are.
    public var endIndex: Int {
        guard let last = batches.last else { return 0 }
        return (batches.count - 1) * Self.batchSize + last.count
    }

    /// Reading unpacks the picture; writing packs its whole batch anew.
    public subscript(index: Int) -> Picture {
        get { read(index) { $0.picture() } }
        set { update([index]) { $1 = newValue } }
    }

    /// Changes the pictures with these indices, each of which `change` is handed; packs every batch of them anew, once.
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

    /// Adds a picture at the end.
    public mutating func append(_ picture: Picture) {
        append(on: picture.page) { $0.write(picture, page: $1) }
    }

    /// Adds pictures at the end; a whole list to an empty one at no cost.
    public mutating func append(contentsOf pictures: some Sequence<Picture>) {
        if isEmpty, let list = pictures as? PictureList {
            self = list
        } else {
            for picture in pictures { append(picture) }
        }
    }

    /// Packs the whole list anew.
    public mutating func replaceSubrange(
        _ range: Range<Int>, with pictures: some Collection<Picture>
    ) {
        var all = Array(self)
        all.replaceSubrange(range, with: pictures)
        self = PictureList()
        append(contentsOf: all)
    }
}

/// Some pictures, one after the other in a row of bytes.
struct PictureBatch: Sendable {
    private var writer = PictureWriter()
    private(set) var ends: [UInt32] = []
    /// The pages they were found on; few, as a page brings many.
    private var pages: [Address] = []

    var count: Int { ends.count }

    /// Appends a picture of `address`'s page, which `write` packs; it is handed the number of the page.
    mutating func append(on address: Address, _ write: (inout PictureWriter, Int) -> Void) {
        let page = pages.lastIndex(of: address) ?? pages.count
        if page == pages.count { pages.append(address) }
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

/// A picture of a page before it is packed, while its title may still lose what all titles of the page share.
///
/// Addresses are numbers, of which no value of its own is ever made: scraping's limit in `make bench` leaves no time for it.
struct PictureDraft {
    var variants: [Candidate.Found]
    /// The number of the address that it links to.
    var link: Int?
    var fields: PictureFields
}
