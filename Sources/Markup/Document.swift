/// A parsed page: a compact tree whose nodes are indices into flat arrays.
///
/// Parsing never fails: from tag soup it recovers as much as it can. Parse off the main thread; a megabyte takes about 20 ms.
public struct Document: Sendable {
    @usableFromInline let tree: Tree

    /// The detected encoding, by its name in the Encoding standard, in lower case.
    public let encoding: String

    /// Parses HTML; `charset` is the encoding stated by the transport.
    ///
    /// The encoding is determined in this order: byte order mark, `charset`, UTF-8 if the bytes are valid, `<meta>`, windows-1252.
    public init(html bytes: [UInt8], charset: String? = nil) {
        self.init(bytes, charset, isXML: false)
    }

    /// Parses XML, such as a feed, up to the first unrecoverable error; never expands declared entities.
    public init(xml bytes: [UInt8], charset: String? = nil) {
        self.init(bytes, charset, isXML: true)
    }

    private init(_ bytes: [UInt8], _ charset: String?, isXML: Bool) {
        let bounded = bytes.count > Limits.pageBytes ? Array(bytes[..<Limits.pageBytes]) : bytes
        let encoding = Encoding.detect(in: bounded, charset: charset)
        self.encoding = encoding.name
        tree = MarkupParser.tree(of: encoding.decode(bounded), isXML: isXML)
    }

    /// Returns the outermost element of the SVG file that begins with `bytes`, of which 64 KB are read; nil if they begin with anything else.
    public static func drawing(_ bytes: some Collection<UInt8>) -> Node? {
        // It may have any prefix.
        Document(xml: Array(bytes.prefix(1 << 16))).root.children.prefix(1)
            .first { $0.localName == "svg" }
    }

    /// The parent of the outermost element; it has no name and no attributes.
    public var root: Node { tree.node(0) }

    /// The number of elements and runs of text, including the root.
    public var nodeCount: Int { tree.nodes.count }

    /// The names of all elements and attributes of this document, indexed by `Name.number`.
    public var names: [String] { tree.names }

    /// Looks up the name `text`, in lower case, once for many nodes; nil if no element or attribute has it.
    public func name(_ text: String) -> Name? { tree.nameIDs[text].map { Name($0) } }

    /// Returns the node with that `number`.
    public func node(_ number: Int) -> Node {
        precondition(tree.nodes.indices.contains(number), "no such node")
        return tree.node(number)
    }

    /// Returns all elements called `name`, in document order.
    public func elements(_ name: Name) -> [Node] {
        tree.span(of: name).filter { tree.nodes[$0].name == name.id }.map(node)
    }
}

/// Limits on the cost of a page, however hostile it is.
enum Limits {
    /// Maximum size of a page in bytes, equal to that of a fetched body.
    static let pageBytes = 64 << 20
    /// Maximum number of nodes: 32 bytes each, so 128 MB at most.
    static let nodes = 4 << 20
    /// Maximum number of attributes per tag: libxml2 compares each with all before it, and 256 keep 64 MB of such tags within seconds.
    static let attributesOfTag = 256
    /// Maximum size of a tag in bytes, not counting quoted values.
    static let bytesOfTag = 64 << 10
    /// Maximum number of distinct names of elements and attributes: their numbers have 16 bits.
    static let names = 60_000
    /// The greatest nesting depth of ordinary pages.
    static let plainDepth = 1_000
    /// Maximum number of open elements that libxml2 searches for end tags' elements, below that depth: about a second.
    static let searches = 500_000_000
    /// Bytes kept of a `data:` value: enough to recognise it, as it is never fetched.
    static let dataValueBytes = 256
    /// Maximum size in bytes of `textContent`.
    static let textContentBytes = 64 << 10
}
