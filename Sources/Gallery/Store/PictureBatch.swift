import Network

/// Some pictures, one after the other in a row of bytes.
struct PictureBatch: Sendable {
    private var bytes: [UInt8] = []
    /// Where each picture ends.
    private var ends: [UInt32] = []
    /// The pages they were found on; few, as a page brings many.
    private var pages: [Address] = []

    init() {}

    init(_ pictures: [Picture]) {
        for picture in pictures { append(picture) }
    }

    var count: Int { ends.count }

    /// The bytes of the packed form.
    var byteCount: Int { bytes.count + ends.count * MemoryLayout<UInt32>.size }

    var pictures: [Picture] { (0..<count).map { self[$0] } }

    subscript(index: Int) -> Picture {
        bytes.withUnsafeBufferPointer { bytes in
            var reader = PictureReader(bytes, at: start(of: index))
            return reader.picture(pages: pages)
        }
    }

    mutating func append(_ picture: Picture) {
        append(on: picture.page) { writer, page in writer.write(picture, page: page) }
    }

    /// Appends a picture of `address`'s page, which `write` packs; it is handed the number of the page.
    mutating func append(on address: Address, _ write: (inout PictureWriter, Int) -> Void) {
        let page = pages.lastIndex(of: address) ?? pages.count
        if page == pages.count { pages.append(address) }
        var writer = PictureWriter(appendingTo: bytes)
        bytes = []
        write(&writer, page)
        bytes = writer.bytes
        ends.append(UInt32(bytes.count))
    }

    /// Gives back the capacity that growing has left over.
    mutating func trim() {
        bytes = bytes.withUnsafeBufferPointer { Array($0) }
        ends = ends.withUnsafeBufferPointer { Array($0) }
    }

    /// Replaces `text` by title, line feed and largest address of the picture; returns where the address starts.
    func readSearchText(at index: Int, into text: inout [UInt8]) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var reader = PictureReader(bytes, at: start(of: index))
            return reader.readSearchText(pages: pages, into: &text)
        }
    }

    private func start(of index: Int) -> Int {
        precondition(index >= 0 && index < ends.count, "a picture of the list")
        return index == 0 ? 0 : Int(ends[index - 1])
    }
}
