/// A document seen by the numbers of its nodes (`Node.order`): the scraping limit needs passes over the whole page that count no
/// reference and copy nothing.
///
/// Valid inside `Document.view` only.
@frozen public struct PageView {
    @usableFromInline let nodes: UnsafePointer<Tree.Record>
    @usableFromInline let attributes: UnsafePointer<Tree.Attribute>
    @usableFromInline let bytes: UnsafePointer<UInt8>
    /// How many nodes there are.
    public let count: Int

    init(
        nodes: UnsafePointer<Tree.Record>, attributes: UnsafePointer<Tree.Attribute>,
        bytes: UnsafePointer<UInt8>, count: Int
    ) {
        self.nodes = nodes
        self.attributes = attributes
        self.bytes = bytes
        self.count = count
    }

    @inlinable package func isText(_ node: Int) -> Bool { nodes[node].name == 1 }

    @inlinable package func name(of node: Int) -> Name { Name(id: nodes[node].name) }

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
    @inlinable public func view<Answer>(_ body: (PageView) -> Answer) -> Answer {
        withExtendedLifetime(tree) { body(tree.view) }
    }
}

extension Node {
    /// Calls `body` with the bare view of the node's page; it must not leave.
    @inlinable public func view<Answer>(_ body: (PageView) -> Answer) -> Answer {
        withExtendedLifetime(tree) { body(tree.view) }
    }
}

extension PageView {
    /// The elements around a node, from the innermost to the root.
    @inlinable public func ancestors(of node: Int) -> Ancestors { Ancestors(view: self, at: node) }

    /// The places of a node's children, texts among them.
    @inlinable public func children(of node: Int) -> Children {
        Children(view: self, at: node + 1, end: isText(node) ? node + 1 : end(of: node))
    }

    /// The elements and runs of text in a node at any depth, but not more than `limit`.
    @inlinable public func descendants(of node: Int, limit: Int = .max) -> Range<Int> {
        let start = node + 1
        let end = isText(node) ? start : end(of: node)
        return start..<(end - start > limit ? start + limit : max(start, end))
    }

    /// Whether `other` stands inside a node, or is it.
    @inlinable public func contains(_ node: Int, _ other: Int) -> Bool {
        other == node || other > node && !isText(node) && other < end(of: node)
    }

    /// The numbers of the elements around a node.
    @frozen public struct Ancestors: Sequence, IteratorProtocol {
        @usableFromInline let view: PageView
        @usableFromInline var at: Int

        @inlinable init(view: PageView, at: Int) {
            self.view = view
            self.at = at
        }

        /// The next one outwards.
        @inlinable public mutating func next() -> Int? {
            guard at > 0 else { return nil }
            at = view.parent(of: at)
            return at
        }
    }

    /// The numbers of a node's children.
    @frozen public struct Children: Sequence, IteratorProtocol {
        @usableFromInline let view: PageView
        @usableFromInline var at: Int
        @usableFromInline let end: Int

        @inlinable init(view: PageView, at: Int, end: Int) {
            self.view = view
            self.at = at
            self.end = end
        }

        /// The next one.
        @inlinable public mutating func next() -> Int? {
            guard at < end else { return nil }
            defer { at = view.isText(at) ? at + 1 : view.end(of: at) }
            return at
        }
    }
}
