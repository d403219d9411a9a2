import Basics

/// The storage of a parsed page: nodes in document order, so that a subtree is a range of indices.
///
/// Immutable once built, and therefore freely shared between threads. @unchecked: the buffers are filled before the tree is created, owned
/// by it exclusively, only read, and freed with it.
@usableFromInline final class Tree: @unchecked Sendable {
    @usableFromInline struct Record: BitwiseCopyable, Sendable {
        /// The parent; 0 is the root, which is its own parent.
        @usableFromInline var parent: Int32
        /// The index after the last descendant, or after the node itself if it is empty.
        @usableFromInline var end: Int32
        /// The preceding sibling element; -1 if there is none.
        var previous: Int32 = -1
        /// For text, its offset in `bytes`; for an element, the index of its first attribute in `attributes`.
        @usableFromInline var start: Int32
        /// For text, its length in bytes; for an element, the number of its attributes.
        @usableFromInline var count: Int32
        /// Bytes of text before this node in the document, so that the text length of an element is a difference.
        var textBefore: Int32
        /// The number of elements among its siblings up to and including this one.
        var position: Int32 = 0
        /// The element's name, or `Name.text`.
        @usableFromInline var name: UInt16
        /// Whether the node is in `<noscript>`, or is one.
        @usableFromInline var isInNoscript = false
        /// Whether the node is in an element whose content is not part of the page, or is one.
        @usableFromInline var isInert = false
    }

    /// An attribute; its value is a range of `bytes`.
    @usableFromInline struct Attribute: BitwiseCopyable, Sendable {
        @usableFromInline var start: Int32
        @usableFromInline var count: Int32
        @usableFromInline var name: UInt16
    }

    let nodes: UnsafeBufferPointer<Record>
    @usableFromInline let reader: TreeReader
    let textBytes: Int
    let names: [String]
    let nameIDs: [String: UInt16]
    /// For each name, by its number, the range from its first to its last element.
    private let spans: [Range<Int32>]

    init(
        nodes: Arena<Record>, attributes: Arena<Attribute>, bytes: Arena<UInt8>, textBytes: Int,
        names: [String], nameIDs: [String: UInt16], spans: [Range<Int32>]
    ) {
        self.nodes = UnsafeBufferPointer(start: nodes.base, count: nodes.count)
        reader = TreeReader(
            nodes: nodes.base, attributes: attributes.base, bytes: bytes.base, count: nodes.count)
        self.textBytes = textBytes
        self.names = names
        self.nameIDs = nameIDs
        self.spans = spans
    }

    deinit {
        nodes.deallocate()
        reader.attributes.deallocate()
        reader.bytes.deallocate()
    }

    func node(_ number: Int) -> Node { Node(tree: self, number: number) }

    /// Returns the range of `nodes` that contains all elements called `name`: most of these are in one place of a page, or missing.
    func span(of name: Name) -> Range<Int> {
        guard name.number < spans.count else { return 0..<0 }
        let span = spans[name.number]
        return Int(span.lowerBound)..<Int(span.upperBound)
    }

    func text(of node: Int) -> Bytes {
        let record = nodes[node]
        return Bytes(start: reader.bytes + Int(record.start), count: Int(record.count))
    }

    /// Returns the bytes of text in an element, including white space.
    func textLength(of node: Int) -> Int {
        let end = Int(nodes[node].end)
        return (end < nodes.count ? Int(nodes[end].textBefore) : textBytes)
            - Int(nodes[node].textBefore)
    }
}
