import Basics
import Markup

// Finds the element of each picture, and the selector for all of them.
extension RecipeMaker {
    /// Returns the pictures found in the page, each with the largest element around its thumbnail that contains no other.
    func found() -> [Specimen] {
        let wanted = Dictionary(zip(pictures.map(\.thumbnail), pictures.indices)) { $1 }
        let outside = wordSet("head link meta script noscript")
        var places: [Int: Node] = [:]
        for node in document.root.descendants
        where !node.isText && !outside.contains(node.tagName) {
            node.forEachAttribute { _, value in
                guard value.utf8.count < 10_000, value.includes("/") || value.includes("."),
                    let address = context.addresses(in: value).first, let place = wanted[address],
                    places[place] == nil
                else { return }
                places[place] = node
            }
        }
        let numbers = places.values.map(\.number).sorted()
        return places.sorted { $0.key < $1.key }.map { place, node in
            Specimen(picture: pictures[place], item: item(of: node, among: numbers))
        }
    }

    private func item(of node: Node, among numbers: [Int]) -> Node {
        // With a single picture, the largest element would be the whole page.
        guard numbers.count > 1 else {
            return node.ancestors.first { $0.name == .figure } ?? node.parent ?? node
        }
        var item = node
        for outer in node.ancestors.prefix(Self.maxLevels) {
            let first = numbers.partitioningIndex { $0 >= outer.number }
            let end = numbers.partitioningIndex { $0 >= outer.end }
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
        return forms.values.sorted { ($1.count, $0[0].number) < ($0.count, $1[0].number) }
            .prefix(5).map(selector).unique { $0 }.joined(separator: ", ")
    }

    /// Returns a selector for all items and no other that is given: extended outwards until it is, else without the classes of those;
    /// nil if there is none.
    func separator(from unwanted: [Node]) -> String? {
        let wanted = Set(specimens.map(\.item.number))
        let others = Set(unwanted.map(\.number))
        guard !wanted.isEmpty else { return nil }
        let forms = paths(to: specimens.map(\.item), levels: Self.maxLevels)
        let own = Set(specimens.flatMap(\.item.classes))
        let foreign = unwanted.flatMap(\.classes).filter { $0.isPlainName && !own.contains($0) }
        let excluded = foreign.unique { $0 }.prefix(5).map { ":not(.\($0))" }.joined()
        // Without a name, a selector finds much else on the gallery's other pages.
        let named = forms.filter { $0.includes(".") || $0.includes("#") }
        return (named + forms + forms.prefix(2).map { $0 + excluded }).first { text in
            guard let selector = try? Selector(text) else { return false }
            let found = Set(document.root.select(selector).map(\.number))
            return found.isSuperset(of: wanted) && found.isDisjoint(with: others)
        }
    }

    /// Returns a selector that is extended outwards from the elements until it matches nothing else.
    private func selector(of nodes: [Node]) -> String {
        let wanted = Set(nodes.map(\.number))
        var best = (text: "", score: -1.0)
        for text in paths(to: nodes, levels: 4) {
            guard let selector = try? Selector(text) else { break }
            let found = document.root.select(selector).map(\.number)
            let score =
                Double(2 * found.count(where: wanted.contains)) / Double(found.count + wanted.count)
            if score > best.score { best = (text, score) }
            if score == 1 { break }
        }
        return best.text
    }

    /// Returns selectors such as `li.photo` and `ul > li.photo`, each with one more level around the nodes.
    private func paths(to nodes: [Node], levels: Int) -> [String] {
        var paths: [String] = []
        var level = nodes
        while paths.count < levels, !level.isEmpty {
            paths.append(step(level) + (paths.last.map { " > \($0)" } ?? ""))
            level = level.compactMap(\.parent).filter { !$0.tagName.isEmpty }.unique { $0 }
        }
        return paths
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
        return tag + shared.prefix(3).map { ".\($0)" }.joined()
    }
}

extension String {
    private static let plainName = try? Pattern(#"[a-z_][a-z_\d-]{0,59}"#)

    /// Whether this is a name of at most 60 ASCII letters, digits and dashes, which needs no escaping in selectors and markup.
    var isPlainName: Bool { utf8.allSatisfy { $0 < 0x80 } && Self.plainName?.match(self) != nil }
}
