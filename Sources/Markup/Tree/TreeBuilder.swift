import Basics
import Glibc

/// Builds a tree from the parser's events.
///
/// Confined to one thread, and to one place in memory, to which the parser's callbacks hold a pointer; must be ended by `finish`.
struct TreeBuilder {
    private struct Open: BitwiseCopyable {
        var node: Int32
        var lastElement: Int32 = -1
        var elementCount: Int32 = 0
    }

    private var nodes: Arena<Tree.Record>
    private var attributes: Arena<Tree.Attribute>
    private var bytes: Arena<UInt8>
    private var names = NameTable()
    /// For each name, by its number, the range from its first to its last element.
    private var spans = Array(repeating: 0..<0 as Range<Int32>, count: Name.wellKnown.count)
    private var outer = Arena<Open>(capacity: 256)
    private var open = Open(node: 0)
    private var textBytes: Int32 = 0
    /// The number of open elements that libxml2 has searched for those that end tags close.
    private var searched = 0
    /// The number of open elements that were not stored because the tree was full; their ends will still be reported.
    private var overflow = 0

    init(expectedBytes: Int) {
        // In a typical gallery page, two thirds of the bytes are text and values, and there is a node every 30 bytes.
        bytes = Arena(capacity: expectedBytes * 3 / 4)
        nodes = Arena(capacity: expectedBytes / 24)
        attributes = Arena(capacity: expectedBytes / 24)
        nodes.append(
            Tree.Record(
                parent: 0, end: 1, start: 0, count: 0, textBefore: 0, name: Name.none.id))
    }

    /// Whether to parse the next `chunk` of a page after what came before it.
    ///
    /// Excessive numbers of distinct names cost libxml2 quadratic time, and so do unmatched end tags below many open elements.
    mutating func mayTake(_ chunk: Bytes) -> Bool {
        if outer.count > Limits.plainDepth {
            var at = 0
            while let slash = chunk.firstIndex(of: "/", from: at) {
                if slash > 0, chunk[slash - 1] == "<" { searched += outer.count }
                at = slash + 1
            }
        }
        return names.names.count < Limits.names && nodes.count < Limits.nodes
            && searched < Limits.searches
    }

    /// Starts an element; `values` alternates names and values, terminated by nil.
    mutating func startElement(
        _ name: UnsafePointer<UInt8>, _ values: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    ) {
        guard nodes.count < Limits.nodes, let id = names.id(of: name) else {
            overflow += 1
            return
        }
        let index = Int32(nodes.count)
        let first = attributes.count
        appendAttributes(values)
        open.elementCount += 1
        appendNode(id, start: first, count: attributes.count - first)
        open.lastElement = index
        let place = Int(id)
        while spans.count <= place { spans.append(0..<0) }
        spans[place] = (spans[place].isEmpty ? index : spans[place].lowerBound)..<index + 1
        outer.append(open)
        open = Open(node: index)
    }

    /// Ends the innermost open element; libxml2 reports ends strictly nested.
    mutating func endElement() {
        if overflow > 0 {
            overflow -= 1
        } else if outer.count > 0 {
            nodes.base[Int(open.node)].end = Int32(nodes.count)
            open = outer.removeLast()
        }
    }

    /// Adds text to the innermost open element; arrives in pieces of any size.
    mutating func characters(_ text: UnsafePointer<UInt8>, count: Int) {
        let last = nodes.base + (nodes.count - 1)
        // Bytes are stored along with nodes, so those of the last node are the last ones.
        if last.pointee.name == Name.text.id, last.pointee.parent == open.node {
            last.pointee.count += Int32(count)
        } else {
            guard nodes.count < Limits.nodes, overflow == 0 else { return }
            appendNode(Name.text.id, start: bytes.count, count: count)
        }
        textBytes += Int32(count)
        bytes.append(text, count: count)
    }

    mutating func finish() -> Tree {
        while outer.count > 0 { endElement() }
        nodes.base[0].end = Int32(nodes.count)
        outer.base.deallocate()
        names.release()
        return Tree(
            nodes: nodes, attributes: attributes, bytes: bytes, textBytes: Int(textBytes),
            names: names.names, nameIDs: names.ids, spans: spans)
    }

    /// Appends a node inside the innermost open element.
    private mutating func appendNode(_ id: UInt16, start: Int, count: Int) {
        let parent = nodes.base[Int(open.node)]
        nodes.append(
            Tree.Record(
                parent: open.node, end: Int32(nodes.count + 1), previous: open.lastElement,
                start: Int32(start), count: Int32(count), textBefore: textBytes,
                position: open.elementCount, name: id,
                isInNoscript: parent.isInNoscript || id == Name.noscript.id,
                // A shadow root is shown.
                isInert: parent.isInert
                    || TreeBuilder.inert.contains(Name(id))
                        && !(start..<start + count).contains {
                            names.names[Int(attributes.base[$0].name)] == "shadowrootmode"
                        }
            ))
    }

    private mutating func appendAttributes(_ values: UnsafeMutablePointer<UnsafePointer<UInt8>?>?) {
        guard var pair = values else { return }
        while let name = pair[0] {
            defer { pair += 2 }
            guard let id = names.id(of: name) else { continue }
            let start = bytes.count
            if let value = pair[1] {
                let text = UnsafeBufferPointer(start: value, count: strlen(value))
                let isCut = text.count > Limits.dataValueBytes && text.begins(with: "data:")
                bytes.append(value, count: isCut ? Limits.dataValueBytes : text.count)
            }
            attributes.append(
                Tree.Attribute(start: Int32(start), count: Int32(bytes.count - start), name: id))
        }
    }

    /// Templates, and elements where browsers see only text.
    private static let inert = NameSet("template textarea plaintext")
}

/// Numbers names while a page is parsed; must be ended by `release`.
private struct NameTable {
    var names = Name.wellKnown
    var ids = Name.wellKnownIDs

    private struct Slot: BitwiseCopyable {
        var pointer: UnsafePointer<UInt8>?
        var id: UInt16
    }

    /// A direct-mapped cache keyed by pointer, as libxml2 stores each name once; the scraping limit rules out a dictionary look-up per
    /// name.
    private let cache: UnsafeMutablePointer<Slot>
    private static let cacheSize = 1024

    init() {
        cache = .allocate(capacity: NameTable.cacheSize)
        cache.initialize(repeating: Slot(id: 0), count: NameTable.cacheSize)
    }

    func release() { cache.deallocate() }

    /// Returns the number of a NUL-terminated name; nil if there are too many distinct ones.
    mutating func id(of pointer: UnsafePointer<UInt8>) -> UInt16? {
        // Names are at least 2 bytes apart in libxml2's pool; mixing in higher bits spreads out those of equal length.
        let bits = UInt(bitPattern: pointer)
        let slot = cache + Int((bits ^ (bits >> 10)) & UInt(NameTable.cacheSize - 1))
        if slot.pointee.pointer == pointer { return slot.pointee.id }
        let name = String(cString: pointer)
        let id = ids[name] ?? UInt16(names.count)
        if Int(id) == names.count {
            guard names.count < Limits.names else { return nil }
            names.append(name)
            ids[name] = id
        }
        slot.pointee = Slot(pointer: pointer, id: id)
        return id
    }
}

/// A growing array of trivial values in its own memory, as the scraping limit requires appends that cost a comparison and a store.
///
/// The memory of the last copy must be deallocated, unless a tree takes it over.
struct Arena<Element: BitwiseCopyable> {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        base = .allocate(capacity: self.capacity)
    }

    mutating func append(_ element: Element) {
        if count == capacity { grow(by: 1) }
        (base + count).initialize(to: element)
        count += 1
    }

    mutating func append(_ elements: UnsafePointer<Element>, count added: Int) {
        if count + added > capacity { grow(by: added) }
        (base + count).initialize(from: elements, count: added)
        count += added
    }

    mutating func removeLast() -> Element {
        count -= 1
        return base[count]
    }

    @inline(never)
    private mutating func grow(by added: Int) {
        capacity = max(capacity * 2, count + added)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
    }
}
