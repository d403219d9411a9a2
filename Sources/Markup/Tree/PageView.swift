/// A document seen by the numbers of its nodes (`Node.order`), for passes over the whole page: no reference is counted, nothing copied.
///
/// Valid inside `Document.view` only.
@frozen public struct PageView {
    @usableFromInline let nodes: UnsafePointer<Tree.Record>
    @usableFromInline let attributes: UnsafePointer<Tree.Attribute>
    @usableFromInline let bytes: UnsafePointer<UInt8>
    /// How many nodes there are.
    public let count: Int

    @usableFromInline init?(_ tree: Tree) {
        guard let nodes = tree.nodes.baseAddress, let bytes = tree.bytes.baseAddress,
            let attributes = tree.attributes.baseAddress
        else { return nil }
        self.nodes = nodes
        self.attributes = attributes
        self.bytes = bytes
        count = tree.nodes.count
    }

    /// Whether it is a run of text.
    @inlinable public func isText(_ node: Int) -> Bool { nodes[node].name == 1 }

    /// The element's name.
    @inlinable public func name(of node: Int) -> Name { Name(id: nodes[node].name) }

    /// The enclosing element; the root's is the root.
    @inlinable public func parent(of node: Int) -> Int { Int(nodes[node].parent) }

    /// One past the last node in an element.
    @inlinable public func end(of node: Int) -> Int { Int(nodes[node].end) }

    /// Whether it stands in `<noscript>`.
    @inlinable public func isInNoscript(_ node: Int) -> Bool {
        nodes[node].context.rawValue & 1 != 0
    }

    /// Whether it stands in a template, or where browsers see text only.
    @inlinable public func isInert(_ node: Int) -> Bool { nodes[node].context.rawValue & 6 != 0 }

    /// The places of an element's attributes.
    @inlinable public func attributes(of node: Int) -> Range<Int> {
        let record = nodes[node]
        guard record.name != 1 else { return 0..<0 }
        return Range(
            uncheckedBounds: (Int(record.start), Int(record.start) + Int(record.count)))
    }

    /// The name of the attribute at a place.
    @inlinable public func attributeName(at place: Int) -> Name { Name(id: attributes[place].name) }

    /// The value of the attribute at a place.
    @inlinable public func value(at place: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            start: bytes + Int(attributes[place].start), count: Int(attributes[place].count))
    }

    /// An attribute's value.
    @inlinable public func attribute(_ name: Name, of node: Int) -> UnsafeBufferPointer<UInt8>? {
        for place in attributes(of: node) where attributes[place].name == name.id {
            return value(at: place)
        }
        return nil
    }
}

extension Document {
    /// Calls `body` with the bare view of the page; it must not leave.
    @inlinable public func view<Answer>(_ body: (PageView) -> Answer) -> Answer? {
        withExtendedLifetime(tree) { PageView(tree).map(body) }
    }

    /// The node with that `order`.
    public func node(_ order: Int) -> Node {
        precondition(tree.nodes.indices.contains(order), "no such node")
        return Node(tree: tree, index: order)
    }
}

extension Node {
    /// Calls `body` with the bare view of the node's page; it must not leave.
    @inlinable public func view<Answer>(_ body: (PageView) -> Answer) -> Answer? {
        withExtendedLifetime(tree) { PageView(tree).map(body) }
    }
}
