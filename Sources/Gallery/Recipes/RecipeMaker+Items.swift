import Basics
import Markup
import Network

// Finds the element of each picture, and the selector for all of them.
extension RecipeMaker {
    /// Returns the pictures found in the page, each with the largest element around its thumbnail that contains no other.
    func found() -> [Specimen] {
        let wanted = Dictionary(zip(pictures.map(\.thumbnail), pictures.indices)) { _, last in last
        }
        let outside: Set<String> = ["head", "link", "meta", "script", "noscript"]
        var places: [Int: Node] = [:]
        for node in document.root.descendants
        where !node.isText && !outside.contains(node.tagName) {
            node.forEachAttribute { _, value in
                guard value.utf8.count < 10_000, value.includes("/") || value.includes("."),
                    let address = addresses(value).first, let place = wanted[address],
                    places[place] == nil
                else { return }
                places[place] = node
            }
        }
        let orders = places.values.map(\.order).sorted()
        return places.sorted { $0.key < $1.key }.map { place, node in
            Specimen(picture: pictures[place], item: item(of: node, among: orders))
        }
    }

    private func item(of node: Node, among orders: [Int]) -> Node {
        // With a single picture, the largest element would be the whole page.
        guard orders.count > 1 else {
            return node.ancestors.first { $0.name == .figure } ?? node.parent ?? node
        }
        var item = node
        for outer in node.ancestors.prefix(Self.maxLevels) {
            let first = orders.partitioningIndex { $0 >= outer.order }
            let end = orders.partitioningIndex { $0 >= outer.end }
            guard end - first == 1, outer.name != .body, outer.name != .main else { break }
            item = outer
        }
        return item
    }

    /// A selector for all items, built from the tags and classes that they share; a selector list if they take several forms.
    var items: String {
        let forms = Dictionary(grouping: specimens.map(\.item)) {
            $0.tagName + " " + ($0.parent?.tagName ?? "")
        }
        return forms.values.sorted { ($1.count, $0[0].order) < ($0.count, $1[0].order) }
            .prefix(5).map(selector).unique { $0 }.joined(separator: ", ")
    }

    /// Returns a selector for all items and no other that is given: extended outwards until it is, else without the classes of those;
    /// nil if there is none.
    func separator(from unwanted: [Node]) -> String? {
        let wanted = Set(specimens.map(\.item.order))
        let others = Set(unwanted.map(\.order))
        guard !wanted.isEmpty else { return nil }
        var forms: [String] = []
        var (level, outer) = (specimens.map(\.item), "")
        for _ in 0..<Self.maxLevels where !level.isEmpty {
            outer = step(level) + (outer.isEmpty ? "" : " > " + outer)
            forms.append(outer)
            level = level.compactMap(\.parent).filter { !$0.tagName.isEmpty }.unique { $0 }
        }
        let own = Set(specimens.flatMap(\.item.classes))
        let foreign = unwanted.flatMap(\.classes).filter { $0.isPlainName && !own.contains($0) }
        let excluded = foreign.unique { $0 }.prefix(5).map { ":not(.\($0))" }.joined()
        // Without a name, a selector finds much else on the gallery's other pages.
        let named = forms.filter { $0.includes(".") || $0.includes("#") }
        return (named + forms + forms.prefix(2).map { $0 + excluded }).first { text in
            guard let selector = try? Selector(text) else { return false }
            let found = Set(document.root.select(selector).map(\.order))
            return found.isSuperset(of: wanted) && found.isDisjoint(with: others)
        }
    }

    /// Returns a selector that is extended outwards from the elements until it matches nothing else.
    private func selector(of nodes: [Node]) -> String {
        let wanted = Set(nodes.map(\.order))
        var text = ""
        var best = (text: "", score: -1.0)
        var level = nodes
        for _ in 0..<4 where !level.isEmpty {
            text = step(level) + (text.isEmpty ? "" : " > " + text)
            guard let selector = try? Selector(text) else { break }
            let found = document.root.select(selector).map(\.order)
            let score =
                Double(2 * found.count(where: wanted.contains)) / Double(found.count + wanted.count)
            if score > best.score { best = (text, score) }
            if score == 1 { break }
            level = level.compactMap(\.parent).filter { !$0.tagName.isEmpty }.unique { $0 }
        }
        return best.text
    }

    /// Returns a selector such as `li.photo`: the tag and classes that all nodes share, or the id of a single node.
    private func step(_ nodes: [Node]) -> String {
        let tags = Set(nodes.map(\.tagName))
        let tag = tags.count == 1 ? tags.first(where: \.isPlainName) ?? "*" : "*"
        if nodes.count == 1, let id = nodes[0].attribute(.id), id.isPlainName {
            return "\(tag)#\(id)"
        }
        let all = nodes.map { Set($0.classes) }
        let shared = nodes[0].classes.filter { name in
            name.isPlainName && all.allSatisfy { $0.contains(name) }
        }
        return tag + shared.prefix(3).map { "." + $0 }.joined()
    }
}

extension String {
    /// Whether this is a name of at most 60 ASCII letters, digits and dashes, which needs no escaping in selectors and markup.
    var isPlainName: Bool {
        func isLetter(_ byte: UInt8) -> Bool { byte.isLetter || byte == "_" }
        return utf8.first.map(isLetter) ?? false && utf8.count <= 60
            && utf8.allSatisfy { isLetter($0) || $0.isDigit || $0 == "-" }
    }
}
