import Basics
import Markup
import Network

/// Writes the recipe that reads a page as it was read without one, to be edited.
///
/// What the scraper found is looked for in the page again: which element holds each picture, which attribute or text each of its
/// values. Of all selectors that reach one, that is taken by which most pictures come out right.
struct RecipeMaker {
    private let document: Document
    private let context: PageContext
    private let page: Page
    private let pictures: [Picture]
    /// The pictures that stand in an element of their own, with it.
    private var specimens: [Specimen] = []

    fileprivate struct Specimen {
        let picture: Picture
        let item: Node
    }

    /// More of them say nothing new.
    private static let maxSpecimens = 200
    private static let maxLevels = 12
    /// Nodes of an item that are looked at.
    private static let maxNodes = 300

    init(_ document: Document, context: PageContext, page: Page) {
        self.document = document
        self.context = context
        self.page = page
        pictures = Array(page.pictures)
        specimens = found()
    }

    /// The recipe as JSON below a comment that says how well it does; nil if no selector reaches a picture.
    var text: String? {
        guard !specimens.isEmpty else { return nil }
        let name = [page.title, address.host, "a page"].first { !$0.isEmpty } ?? ""
        let fields: [(key: String, value: String?)] = [
            ("name", String(name.prefix(60))), ("match", pattern), ("item", items),
            (
                "thumbnail",
                best {
                    $0.thumbnail.text
                } of: {
                    self.addresses($0).first?.text
                }
            ),
            ("image", image), ("link", link(of: .picture)), ("album", link(of: .album)),
            (
                "title",
                best(besides: { FileNameText.words(of: $0.image) }) {
                    $0.title
                } of: {
                    Text.line($0)
                }
            ),
            (
                "description",
                best {
                    $0.summary
                } of: {
                    Text.line($0)
                }
            ),
            (
                "date",
                best {
                    $0.date
                } of: {
                    Dates.iso($0) ?? Text.line($0)
                }
            ), ("next", next),
        ]
        guard fields[3].value ?? fields[4].value != nil else { return nil }
        let lines = fields.map { key, value in
            "  \"\(key)\": " + (value.map { JSONString.quoted($0) } ?? "null")
        }
        let json = "{\n" + lines.joined(separator: ",\n") + "\n}\n"
        return "// \(address.text)\n// \(judged(json))\n" + json
    }

    private var address: Address { context.saved?.original ?? context.address }

    private func addresses(_ value: String) -> [Address] {
        Recipe.addresses(in: value, context)
    }

    /// Where the pictures are larger than their thumbnails.
    private var image: String? {
        guard pictures.contains(where: { $0.variants.count > 1 }) else { return nil }
        return best(besides: { $0.thumbnail.text }) {
            $0.image.text
        } of: {
            self.addresses($0).last?.text
        }
    }

    private func link(of kind: Picture.Kind) -> String? {
        best {
            $0.kind == kind ? $0.link?.text : nil
        } of: {
            self.context.resolve($0)?.text
        }
    }

    /// The pages beside this one: its folder, with other numbers.
    private var pattern: String {
        let text = address.text
        let path = text.prefix { $0 != "?" && $0 != "#" }
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        var pattern = ""
        for character in folder.prefix(300) {
            if "\\^$.|?*+()[]{}".contains(character) { pattern += "\\" }
            pattern.append(character)
        }
        return pattern + ".*"
    }
}

// Items.
extension RecipeMaker {
    /// The largest element around each thumbnail that holds no other.
    private func found() -> [Specimen] {
        var wanted: [Address: Int] = [:]
        for (place, picture) in pictures.enumerated() {
            wanted[picture.thumbnail, default: place] = place
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
        // Alone on a page, a picture's item would be the page.
        guard orders.count > 1 else {
            return node.ancestors.first { $0.name == .figure } ?? node.parent ?? node
        }
        var item = node
        for outer in node.ancestors.prefix(Self.maxLevels) {
            let first = orders.partitioningIndex { $0 >= outer.order }
            let end = orders.partitioningIndex { $0 > outer.lastOrder }
            guard end - first == 1, outer.name != .body, outer.name != .main else { break }
            item = outer
        }
        return item
    }

    /// A selector for all items, by the tags and classes that they share: a list where they are of several forms.
    private var items: String {
        let forms = Dictionary(grouping: specimens.map(\.item)) {
            $0.tagName + " " + ($0.parent?.tagName ?? "")
        }
        let parts = forms.values.sorted {
            ($1.count, $0[0].order) < ($0.count, $1[0].order)
        }.prefix(5).map(selector)
        var seen: Set<String> = []
        return parts.filter { seen.insert($0).inserted }.joined(separator: ", ")
    }

    /// From the elements themselves outwards until nothing else is meant.
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
            var seen: Set<Int> = []
            level = level.compactMap(\.parent).filter {
                !$0.tagName.isEmpty && seen.insert($0.order).inserted
            }
        }
        return best.text
    }

    /// `li.photo`: the tag and the classes of all of the nodes, or the name of the only one.
    private func step(_ nodes: [Node]) -> String {
        let tags = Set(nodes.map(\.tagName))
        let tag = tags.count == 1 ? tags.first ?? "*" : "*"
        if nodes.count == 1, let id = nodes[0].attribute(.id), Self.isPlain(id) {
            return "\(tag)#\(id)"
        }
        let all = nodes.map { Set($0.classes) }
        let shared = nodes[0].classes.filter { name in
            Self.isPlain(name) && all.allSatisfy { $0.contains(name) }
        }
        return tag + shared.prefix(3).map { "." + $0 }.joined()
    }

    /// Whether a name needs no escapes in a selector.
    private static func isPlain(_ name: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool {
            (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
        }
        return name.utf8.first.map(isLetter) ?? false && name.utf8.count <= 60
            && name.utf8.allSatisfy { isLetter($0) || $0.isDigit || $0 == UInt8(ascii: "-") }
    }
}

// Values.
extension RecipeMaker {
    /// The extractor by which `read` gives what is `wanted` for most pictures; nil if none does better than what stands there without one.
    private func best(
        besides standing: (Picture) -> String? = { _ in nil }, _ wanted: (Picture) -> String?,
        of read: @escaping (String) -> String?
    ) -> String? {
        let specimens = Array(specimens.prefix(Self.maxSpecimens))
        guard specimens.contains(where: { wanted($0.picture) != nil }) else { return nil }
        var counts: [String: (count: Int, first: Int)] = [:]
        for specimen in specimens.prefix(40) {
            guard let wanted = wanted(specimen.picture) else { continue }
            for text in texts(in: specimen.item, where: { read($0) == wanted }) {
                let place = counts.count
                counts[text, default: (0, place)].count += 1
            }
        }
        func right(_ extractor: Extractor) -> Int {
            specimens.count { specimen in
                let value = extractor.value(in: specimen.item).flatMap(read)
                return value ?? standing(specimen.picture) == wanted(specimen.picture)
            }
        }
        let likely = counts.sorted {
            ($1.value.count, $0.value.first) < ($0.value.count, $1.value.first)
        }
        var best = (
            text: String?.none,
            right: specimens.count { standing($0.picture) == wanted($0.picture) }
        )
        for (text, _) in likely.prefix(20) {
            guard let extractor = try? Extractor(text) else { continue }
            let count = right(extractor)
            if count > best.right { best = (text, count) }
        }
        return best.text
    }

    /// The extractors of an item whose value is right.
    private func texts(in item: Node, where isRight: (String) -> Bool) -> [String] {
        var texts: [String] = []
        for node in [item] + item.descendants.prefix(Self.maxNodes) where !node.isText {
            node.forEachAttribute { name, value in
                guard value.utf8.count < 10_000, Self.isPlain(name), isRight(value) else { return }
                texts += selectors(of: node, in: item).map { "\($0)@\(name)" }
            }
            guard let text = node.shortText(limit: 1_000), isRight(text) else { continue }
            texts += selectors(of: node, in: item).filter { !$0.isEmpty }
        }
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }

    /// How an element is reached from its item: by its tag, by each of its classes, by what stands around it.
    private func selectors(of node: Node, in item: Node) -> [String] {
        if node == item { return [""] }
        let tag = node.tagName
        var texts = [tag] + node.classes.filter(Self.isPlain).prefix(4).map { "\(tag).\($0)" }
        if let parent = node.parent, parent != item {
            texts +=
                parent.classes.filter(Self.isPlain).prefix(2).map { ".\($0) > \(tag)" }
                + ["\(parent.tagName) > \(tag)"]
        }
        return texts
    }

    /// A link that leads where the scraper goes next; nil where there is none or other rules find it.
    private var next: String? {
        guard let next = page.next else { return nil }
        let links = document.root.descendants.filter { node in
            !node.isText
                && node.attribute(.href).flatMap { context.resolve($0) } == next
        }
        let forms = links.prefix(10).flatMap { node in
            let relation = node.attribute(.rel)?.split(separator: " ").contains("next") ?? false
            return (relation ? ["\(node.tagName)[rel~=next]"] : [])
                + selectors(of: node, in: document.root).dropFirst()
        }
        return forms.lazy.map { $0 + "@href" }.first { text in
            (try? Extractor(text))?.value(in: document.root).flatMap { context.resolve($0) } == next
        }
    }
}

// The round trip.
extension RecipeMaker {
    /// How many pictures of the page the recipe gives again, and how much of each.
    private func judged(_ json: String) -> String {
        guard let recipe = try? Recipe(json: Array(json.utf8), file: "-"),
            recipe.matches(address), let again = recipe.page(document, context: context)
        else { return "0 of \(pictures.count) pictures: to be mended" }
        var found: [Address: Picture] = [:]
        for picture in again.pictures { found[picture.thumbnail] = picture }
        let pairs = pictures.compactMap { picture in
            found[picture.thumbnail].map { (picture, $0) }
        }
        func count(_ name: String, _ isRight: (Picture, Picture) -> Bool) -> String {
            "\(pairs.count { isRight($0, $1) }) \(name)"
        }
        let parts = [
            count("images") { $0.image == $1.image }, count("links") { $0.link == $1.link },
            count("titles") { $0.title == $1.title }, count("dates") { $0.date == $1.date },
        ]
        return "\(pairs.count) of \(pictures.count) pictures and "
            + "\(again.pictures.count - pairs.count) others; of these right: "
            + parts.joined(separator: ", ")
            + (again.next == page.next ? "; the same next page" : "; another next page")
    }
}
