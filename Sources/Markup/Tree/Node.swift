/// An element, or a run of text, of a document; keeps the document alive.
public struct Node: Hashable, Sendable {
    @usableFromInline let tree: Tree
    let index: Int

    /// Equal if the same node of the same document.
    public static func == (left: Node, right: Node) -> Bool {
        left.index == right.index && left.tree === right.tree
    }

    /// By its place in the document.
    public func hash(into hasher: inout Hasher) { hasher.combine(index) }

    /// Its place in the document: nodes that come later have a larger number.
    public var order: Int { index }

    /// The `order` of the last node in it; its own if it is empty.
    public var lastOrder: Int { end - 1 }

    /// Its name, for comparing with the well-known ones.
    public var name: Name { Name(id: tree.nodes[index].name) }

    /// Its name in lower case; `#text` for text, empty for the root.
    public var tagName: String { tree.names[Int(tree.nodes[index].name)] }

    /// Whether it is a run of text.
    public var isText: Bool { tree.nodes[index].name == Name.text.id }

    private var end: Int { isText ? index + 1 : Int(tree.nodes[index].end) }
}

extension Node {
    /// The attribute as written, entities decoded; empty if it has no value, nil if there is none.
    public func attribute(_ name: Name) -> String? {
        tree.attribute(name, of: index).map { String(decoding: tree.value(of: $0), as: UTF8.self) }
    }

    /// The attribute of that name, in lower case.
    public func attribute(_ name: String) -> String? {
        tree.nameIDs[name].flatMap { attribute(Name(id: $0)) }
    }

    /// Whether it has the attribute.
    public func has(_ name: Name) -> Bool { tree.attribute(name, of: index) != nil }

    /// Calls `body` with each attribute's name and value, in page order.
    public func forEachAttribute(_ body: (String, String) -> Void) {
        for attribute in tree.attributes(of: index) {
            body(
                tree.names[Int(attribute.name)],
                String(decoding: tree.value(of: attribute), as: UTF8.self))
        }
    }

    /// The classes, in page order.
    public var classes: [String] {
        guard let attribute = tree.attribute(.class, of: index) else { return [] }
        return tree.value(of: attribute).split(whereSeparator: \.isBlank).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

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

    /// The element or run of text before it among its siblings.
    public var previousNode: Node? {
        // What stands directly before in the document is text, the parent itself, or the end of the element before.
        guard index > 0, let parent, index - 1 > parent.index else { return nil }
        let before = Node(tree: tree, index: index - 1)
        return before.isText && before.parent == parent ? before : previousElement
    }

    /// The element or run of text after it among its siblings.
    public var nextNode: Node? {
        guard let parent, end < parent.end else { return nil }
        return Node(tree: tree, index: end)
    }

    /// The element after it among its siblings.
    public var nextElement: Node? {
        var next = nextNode
        while let node = next, node.isText { next = node.nextNode }
        return next
    }

    /// Its elements and runs of text, in order.
    public var children: some Sequence<Node> {
        let first = index + 1 < end ? Node(tree: tree, index: index + 1) : nil
        return sequence(state: first) { child in
            defer { child = child?.nextNode }
            return child
        }
    }

    /// Everything in it at any depth, in document order, itself excluded.
    public var descendants: some Sequence<Node> {
        (index + 1..<max(index + 1, end)).lazy.map { Node(tree: tree, index: $0) }
    }

    /// From the enclosing element up to the root.
    public var ancestors: some Sequence<Node> { sequence(first: self, next: \.parent).dropFirst() }

    /// Whether `other` stands inside it, or is it.
    public func contains(_ other: Node) -> Bool { (index..<end).contains(other.index) }

    /// The first element called `name` in it.
    public func first(_ name: Name) -> Node? {
        let place = tree.span(of: name).clamped(to: index + 1..<max(index + 1, end))
            .first { tree.nodes[$0].name == name.id }
        return place.map { Node(tree: tree, index: $0) }
    }
}
