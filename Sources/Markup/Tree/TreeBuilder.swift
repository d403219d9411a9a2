/// Collects what the parser reports into a tree.
///
/// A class only so that a C callback can point to it; used by one thread, dropped after `finish`.
final class TreeBuilder {
    /// An element whose end has not come yet.
    private struct Open {
        var node: Int32
        var lastElement: Int32 = -1
        var elementCount: Int32 = 0
    }

    private var nodes: [Tree.Record] = []
    private var attributes: [Tree.Attribute] = []
    private var bytes: [UInt8] = []
    private var names = NameTable()
    private var open: [Open] = []
    /// Elements that were not stored because the tree was full, and whose end will still be reported.
    private var overflow = 0

    /// Makes an empty tree; `expectedBytes` is the size of the page.
    init(expectedBytes: Int) {
        // Of a typical gallery page two thirds are text and values, and a node comes every 40 bytes.
        bytes.reserveCapacity(expectedBytes * 2 / 3)
        nodes.reserveCapacity(expectedBytes / 40)
        attributes.reserveCapacity(expectedBytes / 40)
        nodes.append(
            Tree.Record(parent: 0, end: 1, start: 0, count: 0, name: Name.none.id, context: []))
        open.append(Open(node: 0))
    }

    /// An element starts; `values` are name and value in turn, ended by nil.
    func startElement(
        _ name: UnsafePointer<UInt8>, _ values: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    ) {
        guard nodes.count < Limits.nodes, let id = names.id(of: name) else {
            overflow += 1
            return
        }
        let index = Int32(nodes.count)
        let last = open.count - 1
        open[last].elementCount += 1
        let record = Tree.Record(
            parent: open[last].node, end: index + 1, previous: open[last].lastElement,
            start: Int32(attributes.count), count: 0, position: open[last].elementCount, name: id,
            context: nodes[Int(open[last].node)].context.union(TreeBuilder.context(of: id)))
        open[last].lastElement = index
        open.append(Open(node: index))
        nodes.append(record)
        appendAttributes(values)
    }

    /// The innermost open element ends; libxml2 reports ends strictly nested.
    func endElement() {
        if overflow > 0 {
            overflow -= 1
        } else if open.count > 1, let closed = open.popLast() {
            nodes[Int(closed.node)].end = Int32(nodes.count)
        }
    }

    /// Text inside the innermost open element; comes in pieces of any size.
    func characters(_ text: UnsafeBufferPointer<UInt8>) {
        let parent = open[open.count - 1].node
        let last = nodes.count - 1
        let continues =
            nodes[last].name == Name.text.id && nodes[last].parent == parent
            && Int(nodes[last].start + nodes[last].count) == bytes.count
        if continues {
            nodes[last].count += Int32(text.count)
        } else {
            guard nodes.count < Limits.nodes, overflow == 0 else { return }
            nodes.append(
                Tree.Record(
                    parent: parent, end: Int32(nodes.count + 1), start: Int32(bytes.count),
                    count: Int32(text.count), name: Name.text.id,
                    context: nodes[Int(parent)].context))
        }
        bytes.append(contentsOf: text)
    }

    /// The tree; the builder must not be used afterwards.
    func finish() -> Tree {
        while open.count > 1 {
            endElement()
        }
        nodes[0].end = Int32(nodes.count)
        return Tree(
            nodes: nodes, attributes: attributes, bytes: bytes, names: names.names,
            nameIDs: names.ids)
    }

    private func appendAttributes(_ values: UnsafeMutablePointer<UnsafePointer<UInt8>?>?) {
        guard var pair = values else { return }
        let first = attributes.count
        while let name = pair[0] {
            if let id = names.id(of: name) {
                append(id, value: pair[1])
            }
            pair += 2
        }
        nodes[nodes.count - 1].count = Int32(attributes.count - first)
    }

    private func append(_ id: UInt16, value: UnsafePointer<UInt8>?) {
        let start = bytes.count
        if let value {
            var length = 0
            while value[length] != 0 {
                length += 1
            }
            let text = UnsafeBufferPointer(start: value, count: length)
            bytes.append(contentsOf: text.prefix(TreeBuilder.keptLength(of: text)))
        }
        attributes.append(
            Tree.Attribute(name: id, start: Int32(start), count: Int32(bytes.count - start)))
    }

    private static func keptLength(of value: UnsafeBufferPointer<UInt8>) -> Int {
        guard value.count > Limits.dataValueBytes, value.starts(with: "data:".utf8) else {
            return value.count
        }
        return Limits.dataValueBytes
    }

    private static func context(of name: UInt16) -> Tree.Context {
        switch name {
        case Name.noscript.id: .noscript
        case Name.template.id: .template
        case Name.textarea.id, Name.plaintext.id: .rawText
        default: []
        }
    }
}
