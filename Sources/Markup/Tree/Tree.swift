/// The arena of a parsed page: nodes in document order, so that a subtree is a range of indices.
///
/// Immutable once built, hence freely shared between threads. `@unchecked`: the buffers are filled before the tree is made, belong to
/// it alone, are only read, and go with it.
@usableFromInline final class Tree: @unchecked Sendable {
    @usableFromInline struct Record: BitwiseCopyable, Sendable {
        /// The enclosing node; 0 is the root, which is its own parent.
        @usableFromInline var parent: Int32
        /// One past the last descendant.
        @usableFromInline var end: Int32
        /// The element before it among its siblings; -1 if there is none.
        var previous: Int32 = -1
        /// Of text: where it starts in `bytes`.
        ///
        /// Of an element: its first attribute in `attributes`.
        @usableFromInline var start: Int32
        /// Of text: its bytes.
        ///
        /// Of an element: its attributes.
        @usableFromInline var count: Int32
        /// Bytes of text before it in the document, so that the length of an element's text is a difference.
        @usableFromInline var textBefore: Int32
        /// Counts the elements among its siblings up to and with this one.
        var position: Int32 = 0
        /// The element's name, or `Name.text`.
        @usableFromInline var name: UInt16
        @usableFromInline var context: Context
    }

    /// What kinds of element a node stands in, itself included.
    @usableFromInline struct Context: OptionSet, BitwiseCopyable, Sendable {
        @usableFromInline let rawValue: UInt8

        @usableFromInline init(rawValue: UInt8) { self.rawValue = rawValue }

        static let noscript = Context(rawValue: 1)
        static let template = Context(rawValue: 2)
        static let rawText = Context(rawValue: 4)
    }

    /// One attribute; its value is a range of `bytes`.
    @usableFromInline struct Attribute: BitwiseCopyable, Sendable {
        @usableFromInline var start: Int32
        @usableFromInline var count: Int32
        @usableFromInline var name: UInt16
    }

    let nodes: UnsafeBufferPointer<Record>
    let attributes: UnsafeBufferPointer<Attribute>
    /// All text and attribute values, UTF-8 unless the page's own was broken.
    let bytes: UnsafeBufferPointer<UInt8>
    @usableFromInline let view: PageView
    let textBytes: Int
    let names: [String]
    let nameIDs: [String: UInt16]
    /// The range from the first to the last element of each name, by the name's number.
    private let spans: [Range<Int32>]

    init(
        nodes: Arena<Record>, attributes: Arena<Attribute>, bytes: Arena<UInt8>, textBytes: Int,
        names: [String], nameIDs: [String: UInt16], spans: [Range<Int32>]
    ) {
        self.nodes = nodes.finish()
        self.attributes = attributes.finish()
        self.bytes = bytes.finish()
        view = PageView(
            nodes: nodes.base, attributes: attributes.base, bytes: bytes.base, count: nodes.count)
        self.textBytes = textBytes
        self.names = names
        self.nameIDs = nameIDs
        self.spans = spans
    }

    deinit {
        nodes.deallocate()
        attributes.deallocate()
        bytes.deallocate()
    }

    /// The part of `nodes` that holds all elements called `name`: most searches are for what a page has in one place or not at all.
    func span(of name: Name) -> Range<Int> {
        guard Int(name.id) < spans.count else { return 0..<0 }
        let span = spans[Int(name.id)]
        return Int(span.lowerBound)..<Int(span.upperBound)
    }

    func attribute(_ name: Name, of node: Int) -> Attribute? {
        attributes(of: node).first { $0.name == name.id }
    }

    /// The attributes of an element; text has none.
    func attributes(of node: Int) -> UnsafeBufferPointer<Attribute> {
        let record = nodes[node]
        guard record.name != Name.text.id, record.count > 0 else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return attributes.part(Int(record.start), Int(record.count))
    }

    func value(of attribute: Attribute) -> UnsafeBufferPointer<UInt8> {
        bytes.part(Int(attribute.start), Int(attribute.count))
    }

    func text(of node: Int) -> UnsafeBufferPointer<UInt8> {
        bytes.part(Int(nodes[node].start), Int(nodes[node].count))
    }

    /// Bytes of text in an element, white space included.
    func textLength(of node: Int) -> Int {
        let end = Int(nodes[node].end)
        return (end < nodes.count ? Int(nodes[end].textBefore) : textBytes)
            - Int(nodes[node].textBefore)
    }
}
