/// An element, or a run of text, of a document; keeps the document alive.
public struct Node: Hashable, Sendable {
    @usableFromInline let tree: Tree
    let index: Int

    /// Equal if the same node of the same document.
    public static func == (left: Node, right: Node) -> Bool {
        left.index == right.index && left.tree === right.tree
    }

    /// By its place in the document.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(index)
    }

    /// Where it stands: nodes that come later in the document have a larger number.
    public var order: Int { index }

    /// Its name, for comparing with the well-known ones.
    public var name: Name { Name(id: tree.nodes[index].name) }

    /// Its name in lower case; `#text` for text, empty for the root.
    public var tagName: String { tree.names[Int(tree.nodes[index].name)] }

    /// Whether it is a run of text.
    public var isText: Bool { tree.nodes[index].name == Name.text.id }

    /// Whether it stands in `<noscript>`, which libxml2 reports as if scripts were off.
    public var isInNoscript: Bool { tree.nodes[index].context.contains(.noscript) }

    /// Whether it stands in `<template>`, hence is not shown.
    public var isInTemplate: Bool { tree.nodes[index].context.contains(.template) }

    /// Whether it stands where browsers see text only: `<textarea>`, `<plaintext>`.
    public var isInRawText: Bool { tree.nodes[index].context.contains(.rawText) }
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
    public func has(_ name: Name) -> Bool {
        tree.attribute(name, of: index) != nil
    }

    /// Calls `body` with the name and value of each attribute that is `wanted`, in page order; the others cost next to nothing.
    public func forEachAttribute(
        where wanted: (Name) -> Bool = { _ in true }, _ body: (Name, String) -> Void
    ) {
        for attribute in tree.attributes(of: index) where wanted(Name(id: attribute.name)) {
            body(
                Name(id: attribute.name), String(decoding: tree.value(of: attribute), as: UTF8.self)
            )
        }
    }

    /// Calls `body` with each attribute's name and value, in page order.
    public func forEachNamedAttribute(
        where wanted: (Name) -> Bool = { _ in true }, _ body: (String, String) -> Void
    ) {
        forEachAttribute(where: wanted) { name, value in body(tree.names[Int(name.id)], value) }
    }

    /// The classes, in page order.
    public var classes: [String] {
        guard let attribute = tree.attribute(.class, of: index) else { return [] }
        return tree.value(of: attribute).split(whereSeparator: \.isBlank).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Whether `name` is among the classes; case counts.
    public func hasClass(_ name: String) -> Bool {
        guard let attribute = tree.attribute(.class, of: index) else { return false }
        return Bytes.hasToken(Array(name.utf8), in: tree.value(of: attribute))
    }
}

extension Document {
    /// The names of all elements and attributes of this document; a name's number is its place.
    public var names: [String] { tree.names }
}

extension Name {
    /// The number behind the name: its place in `Document.names`.
    @inlinable public var number: Int { Int(id) }
}
