import Basics

/// An element or a run of text in a document; keeps the document alive.
public struct Node: Hashable, Sendable {
    let tree: Tree
    /// The index in the document: later nodes have larger numbers.
    public let number: Int

    /// Whether both are the same node of the same document.
    public static func == (left: Node, right: Node) -> Bool {
        left.number == right.number && left.tree === right.tree
    }

    /// Hashes the node's index in the document.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }

    /// The `number` after that of the last descendant, or of the node itself if it is empty.
    public var end: Int { tree.reader.end(of: number) }

    /// The name, for comparing with well-known ones.
    public var name: Name { tree.reader.name(of: number) }

    /// The name in lower case; `#text` for text, empty for the root.
    public var tagName: String { tree.names[name.number] }

    /// Whether this is a run of text.
    public var isText: Bool { name == .text }

    /// Returns an attribute's value with entities decoded; empty if it has no value, nil if the attribute is missing.
    public func attribute(_ name: Name) -> String? {
        withExtendedLifetime(tree) {
            tree.reader.attribute(name, of: number).map { String(utf8: $0) }
        }
    }

    /// Returns the value of the attribute whose lower-case name is given.
    public func attribute(_ name: String) -> String? {
        tree.nameIDs[name].flatMap { attribute(Name($0)) }
    }

    /// Whether the node has the attribute.
    public func has(_ name: Name) -> Bool { tree.reader.attribute(name, of: number) != nil }

    /// Calls `body` with the name and value of each attribute, in page order.
    public func forEachAttribute(_ body: (String, String) -> Void) {
        withExtendedLifetime(tree) {
            for place in tree.reader.attributes(of: number) {
                body(
                    tree.names[tree.reader.attributeName(at: place).number],
                    String(utf8: tree.reader.value(at: place)))
            }
        }
    }

    /// The classes, in page order.
    public var classes: [String] {
        withExtendedLifetime(tree) {
            tree.reader.attribute(.class, of: number)?.split(whereSeparator: \.isBlank).map {
                String(utf8: $0)
            } ?? []
        }
    }

    /// The parent element; nil for the root.
    public var parent: Node? { number == 0 ? nil : tree.node(tree.reader.parent(of: number)) }

    /// The preceding sibling element.
    public var previousElement: Node? {
        let previous = Int(tree.nodes[number].previous)
        return previous < 0 ? nil : tree.node(previous)
    }

    /// The preceding sibling, an element or a run of text.
    public var previousNode: Node? {
        // The node directly before in document order is text, the parent itself, or the last descendant of the preceding sibling.
        guard let parent, number - 1 > parent.number else { return nil }
        let before = tree.node(number - 1)
        return before.isText && before.parent == parent ? before : previousElement
    }

    /// The following sibling, an element or a run of text.
    public var nextNode: Node? {
        guard let parent, end < parent.end else { return nil }
        return tree.node(end)
    }

    /// The following sibling element.
    public var nextElement: Node? {
        var next = nextNode
        while let node = next, node.isText { next = node.nextNode }
        return next
    }

    /// The child elements and runs of text, in order.
    public var children: some Sequence<Node> {
        sequence(state: number + 1 < end ? tree.node(number + 1) : nil) { child in
            defer { child = child?.nextNode }
            return child
        }
    }

    /// All descendants in document order, excluding the node itself.
    public var descendants: some Sequence<Node> { (number + 1..<end).lazy.map(tree.node) }

    /// The ancestors, from the parent up to the root.
    public var ancestors: some Sequence<Node> { sequence(first: self, next: \.parent).dropFirst() }

    /// Whether `other` is this node or a descendant of it.
    public func contains(_ other: Node) -> Bool { (number..<end).contains(other.number) }

    /// Returns the first descendant element called `name`.
    public func first(_ name: Name) -> Node? {
        tree.span(of: name).clamped(to: number + 1..<end)
            .first { tree.nodes[$0].name == name.id }.map(tree.node)
    }
}
