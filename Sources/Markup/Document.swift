/// A parsed page: a light tree whose nodes are indices into flat arrays.
///
/// Parsing never fails: tag soup gives what can be read of it. Parse off the main thread; a megabyte takes about 20 ms.
public struct Document: Sendable {
    @usableFromInline let tree: Tree

    /// The encoding that was chosen, by its name in the Encoding standard, in lower case.
    public let encoding: String

    /// Parses `bytes`; `charset` is what the transport says.
    ///
    /// The encoding is, in this order: byte order mark, `charset`, UTF-8 where the bytes are valid, `<meta>`, windows-1252.
    public init(html bytes: [UInt8], charset: String? = nil) {
        self.init(bytes, charset, parse: MarkupParser.tree(ofHTML:))
    }

    /// Parses XML, such as a feed, up to the first error that cannot be forgiven; never expands declared entities.
    public init(xml bytes: [UInt8], charset: String? = nil) {
        self.init(bytes, charset, parse: MarkupParser.tree(ofXML:))
    }

    private init(_ bytes: [UInt8], _ charset: String?, parse: ([UInt8]) -> Tree) {
        let bounded = bytes.count > Limits.pageBytes ? Array(bytes[..<Limits.pageBytes]) : bytes
        let encoding = Encoding.detect(in: bounded, charset: charset)
        self.encoding = encoding.name
        tree = parse(encoding.decode(bounded))
    }

    /// The node above the outermost element; it has no name and no attributes.
    public var root: Node { Node(tree: tree, index: 0) }

    /// How many elements and runs of text there are, the root included.
    public var nodeCount: Int { tree.nodes.count }

    /// The names of all elements and attributes of this document; a name's number is its place.
    public var names: [String] { tree.names }

    /// The name written `text`, in lower case, if the page has an element or attribute of that name: one look-up for many nodes.
    public func name(_ text: String) -> Name? { tree.nameIDs[text].map { Name(id: $0) } }

    /// The node with that `order`.
    public func node(_ order: Int) -> Node {
        precondition(tree.nodes.indices.contains(order), "no such node")
        return Node(tree: tree, index: order)
    }

    /// Every element called `name`, in document order.
    public func elements(_ name: Name) -> [Node] {
        tree.span(of: name).filter { tree.nodes[$0].name == name.id }.map(node)
    }

    /// The elements that `selector` matches, in document order.
    public func select(_ selector: Selector) -> [Node] { root.select(selector) }
}

/// What a page may cost, however hostile it is.
enum Limits {
    /// Bytes of a page that are read: the same as the largest body that is fetched.
    static let pageBytes = 64 << 20
    /// Nodes of a tree: 32 bytes each, so 128 MB at most.
    static let nodes = 4 << 20
    /// Attributes of one tag: libxml2 compares each with all before it, and 256 keep 64 MB of such tags within seconds.
    static let attributesOfTag = 256
    /// Bytes of one tag outside quoted values.
    static let bytesOfTag = 64 << 10
    /// Different names of elements and attributes: they are numbered with 16 bits.
    static let names = 60_000
    /// Elements in each other as pages have them, at most.
    static let plainDepth = 1_000
    /// Open elements deeper than that, looked through for what end tags close: about a second.
    static let searches = 500_000_000
    /// Bytes of a `data:` value that are kept: enough to recognise it, and it is never fetched.
    static let dataValueBytes = 256
    /// Bytes of text that `textContent` gives.
    static let textContentBytes = 64 << 10
}
