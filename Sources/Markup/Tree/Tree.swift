/// The arena of a parsed page: nodes in document order, so that a subtree is a range of indices.
///
/// Immutable once built, hence freely shared between threads.
final class Tree: Sendable {
    /// One element or run of text.
    struct Record: Sendable {
        /// The enclosing node; 0 is the root, which is its own parent.
        var parent: Int32
        /// One past the last descendant.
        var end: Int32
        /// The element before it among its siblings; -1 if there is none.
        var previous: Int32 = -1
        /// Of text: where it starts in `bytes`.
        ///
        /// Of an element: its first attribute in `attributes`.
        var start: Int32
        /// Of text: its bytes.
        ///
        /// Of an element: its attributes.
        var count: Int32
        /// Counts the elements among its siblings up to and with this one.
        var position: Int32 = 0
        /// The element's name, or `Name.text`.
        var name: UInt16
        /// What it stands in.
        var context: Context
    }

    /// What kinds of element a node stands in, itself included.
    struct Context: OptionSet, Sendable {
        let rawValue: UInt8
        static let noscript = Context(rawValue: 1)
        static let template = Context(rawValue: 2)
        static let rawText = Context(rawValue: 4)
    }

    /// One attribute; its value is a range of `bytes`.
    struct Attribute: Sendable {
        var name: UInt16
        var start: Int32
        var count: Int32
    }

    let nodes: [Record]
    let attributes: [Attribute]
    /// All text and attribute values, UTF-8 unless the page's own was broken.
    let bytes: [UInt8]
    let names: [String]
    let nameIDs: [String: UInt16]

    init(
        nodes: [Record], attributes: [Attribute], bytes: [UInt8], names: [String],
        nameIDs: [String: UInt16]
    ) {
        self.nodes = nodes
        self.attributes = attributes
        self.bytes = bytes
        self.names = names
        self.nameIDs = nameIDs
    }

    /// The attribute's place in `attributes`.
    func attribute(_ name: Name, of node: Int) -> Attribute? {
        let record = nodes[node]
        guard record.name != Name.text.id else { return nil }
        for index in Int(record.start)..<Int(record.start + record.count)
        where attributes[index].name == name.id {
            return attributes[index]
        }
        return nil
    }

    func value(of attribute: Attribute) -> ArraySlice<UInt8> {
        bytes[Int(attribute.start)..<Int(attribute.start + attribute.count)]
    }

    func text(of node: Int) -> ArraySlice<UInt8> {
        let record = nodes[node]
        return bytes[Int(record.start)..<Int(record.start + record.count)]
    }
}
