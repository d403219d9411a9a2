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
