/// A parsed HTML page: a light tree whose nodes are indices into flat arrays.
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
        let bounded = bytes.count > Limits.pageBytes ? Array(bytes[..<Limits.pageBytes]) : bytes
        let encoding = Encoding.detect(in: bounded, charset: charset)
        self.encoding = encoding.name
        tree = HTMLParser.parse(encoding.decode(bounded))
    }

    /// Parses XML, such as a feed; reads up to the first error that cannot be forgiven, and never expands declared entities.
    public init(xml bytes: [UInt8], charset: String? = nil) {
        let bounded = bytes.count > Limits.pageBytes ? Array(bytes[..<Limits.pageBytes]) : bytes
        let encoding = Encoding.detect(in: bounded, charset: charset)
        self.encoding = encoding.name
        tree = XMLParser.parse(encoding.decode(bounded))
    }

    /// The node above the outermost element; it has no name and no attributes.
    public var root: Node { Node(tree: tree, index: 0) }

    /// How many elements and runs of text there are, the root included.
    public var nodeCount: Int { tree.nodes.count }

    /// The elements that `selector` matches, in document order.
    public func select(_ selector: Selector) -> [Node] { root.select(selector) }
}
