public import Basics

/// Unchecked access to a document's tree by node numbers (`Node.number`): the scraping limit needs passes over the whole page without
/// reference counting and copying.
///
/// Valid only inside `Document.read`.
@frozen public struct TreeReader {
    @usableFromInline let nodes: UnsafePointer<Tree.Record>
    @usableFromInline let attributes: UnsafePointer<Tree.Attribute>
    /// All text and attribute values, in UTF-8 unless the page's own was invalid.
    @usableFromInline let bytes: UnsafePointer<UInt8>
    /// The number of nodes.
    public let count: Int

    @inlinable package func isText(_ node: Int) -> Bool { nodes[node].name == 1 }

    @inlinable package func name(of node: Int) -> Name { Name(nodes[node].name) }

    /// Returns the parent; the root's is the root itself.
    @inlinable public func parent(of node: Int) -> Int { Int(nodes[node].parent) }

    /// Returns the index after the last descendant, or after the node itself if it is empty.
    @inlinable public func end(of node: Int) -> Int { Int(nodes[node].end) }

    /// Returns the length in bytes of a run of text, including white space.
    @inlinable package func length(ofText node: Int) -> Int { Int(nodes[node].count) }

    /// Whether the node is inside `<noscript>`.
    @inlinable public func isInNoscript(_ node: Int) -> Bool { nodes[node].isInNoscript }

    /// Whether the node is inside a template, or where browsers see only text.
    @inlinable public func isInert(_ node: Int) -> Bool { nodes[node].isInert }

    /// Returns the indices of an element's attributes.
    @inlinable public func attributes(of node: Int) -> Range<Int> {
        let record = nodes[node]
        guard record.name != 1 else { return 0..<0 }
        return Range(
            uncheckedBounds: (Int(record.start), Int(record.start) + Int(record.count)))
    }

    /// Returns the name of the attribute at `index`.
    @inlinable public func attributeName(at index: Int) -> Name { Name(attributes[index].name) }

    /// Returns the value of the attribute at `index`.
    @inlinable public func value(at index: Int) -> Bytes {
        UnsafeBufferPointer(
            start: bytes + Int(attributes[index].start), count: Int(attributes[index].count))
    }

    /// Returns the value of the attribute called `name`; nil if the node has none.
    @inlinable public func attribute(_ name: Name, of node: Int) -> Bytes? {
        for index in attributes(of: node) where attributes[index].name == name.id {
            return value(at: index)
        }
        return nil
    }
}

extension Document {
    /// Calls `body` with unchecked access to the tree, which must not escape.
    @inlinable public func read<Answer>(_ body: (TreeReader) -> Answer) -> Answer {
        withExtendedLifetime(tree) { body(tree.reader) }
    }
}

extension TreeReader {
    /// Returns the ancestors of a node, from the innermost to the root.
    @inlinable public func ancestors(of node: Int) -> Ancestors { Ancestors(tree: self, at: node) }

    /// Returns the range of a node's descendants, at most `limit` of them.
    @inlinable public func descendants(of node: Int, limit: Int = .max) -> Range<Int> {
        let start = node + 1
        return start..<start + min(end(of: node) - start, limit)
    }

    /// Whether `other` is the node itself or a descendant of it.
    @inlinable public func contains(_ node: Int, _ other: Int) -> Bool {
        other >= node && other < end(of: node)
    }

    /// The numbers of a node's ancestors.
    @frozen public struct Ancestors: Sequence, IteratorProtocol {
        @usableFromInline let tree: TreeReader
        @usableFromInline var at: Int

        @inlinable init(tree: TreeReader, at: Int) {
            self.tree = tree
            self.at = at
        }

        /// Returns the next ancestor, outwards.
        @inlinable public mutating func next() -> Int? {
            guard at > 0 else { return nil }
            at = tree.parent(of: at)
            return at
        }
    }
}
