extension Node {
    /// The enclosing element; nil for the root.
    public var parent: Node? {
        index == 0 ? nil : Node(tree: tree, index: Int(tree.nodes[index].parent))
    }

    /// The element before it among its siblings.
    public var previousElement: Node? {
        let previous = Int(tree.nodes[index].previous)
        return previous < 0 ? nil : Node(tree: tree, index: previous)
    }

    /// The element after it among its siblings.
    public var nextElement: Node? {
        guard index > 0 else { return nil }
        let end = Int(tree.nodes[Int(tree.nodes[index].parent)].end)
        var next = Int(tree.nodes[index].end)
        while next < end {
            if tree.nodes[next].name != Name.text.id {
                return Node(tree: tree, index: next)
            }
            next = Int(tree.nodes[next].end)
        }
        return nil
    }

    /// The element or run of text after it among its siblings.
    public var nextNode: Node? {
        guard index > 0 else { return nil }
        let next = end
        return next < Int(tree.nodes[Int(tree.nodes[index].parent)].end)
            ? Node(tree: tree, index: next) : nil
    }

    /// Its elements and runs of text, in order.
    public var children: Nodes {
        Nodes(tree: tree, at: index + 1, end: end, steps: .siblings)
    }

    /// Everything in it at any depth, in document order, itself excluded.
    public var descendants: Nodes {
        Nodes(tree: tree, at: index + 1, end: end, steps: .all)
    }

    /// From the enclosing element up to the root.
    public var ancestors: Ancestors { Ancestors(tree: tree, at: index) }

    /// Whether `other` stands inside it, or is it.
    public func contains(_ other: Node) -> Bool {
        other.index >= index && other.index < end
    }

    /// The `order` of the last node in it; its own if it is empty.
    public var lastOrder: Int { end - 1 }

    private var end: Int { isText ? index + 1 : Int(tree.nodes[index].end) }

    /// The first element called `name` in it.
    public func first(_ name: Name) -> Node? {
        let span = tree.span(of: name)
        let end = min(end, span.upperBound)
        var at = max(index + 1, span.lowerBound)
        while at < end {
            if tree.nodes[at].name == name.id {
                return Node(tree: tree, index: at)
            }
            at += 1
        }
        return nil
    }
}

extension Document {
    /// Every element called `name`, in document order.
    public func elements(_ name: Name) -> [Node] {
        tree.span(of: name).filter { tree.nodes[$0].name == name.id }.map(node)
    }
}

/// Nodes of a document in its order, found as they are asked for.
public struct Nodes: Sequence, IteratorProtocol, Sendable {
    enum Steps { case all, siblings }

    let tree: Tree
    var at: Int
    let end: Int
    let steps: Steps

    /// The next node.
    public mutating func next() -> Node? {
        guard at < end else { return nil }
        let node = Node(tree: tree, index: at)
        at = steps == .all || node.isText ? at + 1 : Int(tree.nodes[at].end)
        return node
    }
}

/// The elements around a node, from the innermost to the root.
public struct Ancestors: Sequence, IteratorProtocol, Sendable {
    let tree: Tree
    var at: Int

    /// The next one outwards.
    public mutating func next() -> Node? {
        guard at > 0 else { return nil }
        at = Int(tree.nodes[at].parent)
        return Node(tree: tree, index: at)
    }
}
