import Basics
import Markup
import Network

/// Writes an editable recipe that reproduces how a page was read without one.
///
/// Searches the page again for what the scraper found: the element of each picture, and the attribute or text of each of its values. Of all
/// selectors for a value, the one that gets the most pictures right is chosen.
struct RecipeMaker {
    let document: Document
    let context: PageContext
    let pictures: [Picture]
    private let page: Page
    /// The pictures that have an element of their own, with that element.
    private(set) var specimens: [Specimen] = []

    struct Specimen {
        let picture: Picture
        let item: Node
    }

    /// More specimens add no information.
    private static let maxSpecimens = 200
    static let maxLevels = 12
    /// Nodes of an item that are examined.
    private static let maxNodes = 300

    init(_ document: Document, context: PageContext, page: Page) {
        self.document = document
        self.context = context
        self.page = page
        pictures = Array(page.pictures)
        specimens = found()
    }

    /// The recipe as JSON below a comment that rates it; nil if no selector reaches a picture.
    var text: String? {
        json(items: items).map { "// \(address.text)\n// \(judged($0))\n\($0)" }
    }

    /// Returns the recipe that tells the examples apart; throws the reason if there is none.
    func lesson(_ examples: RecipeExamples) throws(PageError) -> RecipeLesson {
        var maker = self
        maker.specimens = specimens.filter { examples.wanted.contains($0.picture.image) }
        let unwanted = specimens.filter { examples.unwanted.contains($0.picture.image) }
        guard maker.specimens.count == examples.wanted.count, !unwanted.isEmpty else {
            throw .document("mark and select pictures of the same page")
        }
        guard let item = maker.separator(from: unwanted.map(\.item)),
            let text = maker.json(items: item),
            let recipe = try? Recipe(json: text.bytes, file: "-"),
            let page = recipe.page(document, context: context)
        else { throw .document("no selector tells these pictures apart") }
        return RecipeLesson(
            recipe: recipe, text: text, item: item, count: page.pictures.count,
            total: pictures.count)
    }

    private func json(items: String) -> String? {
        let name = [page.title, address.host, "a page"].nonEmpty[0]
        let thumbnail = best(\.thumbnail.text, of: { context.addresses(in: $0).first?.text })
        let image = image
        guard thumbnail ?? image != nil else { return nil }
        let test = address.isOnWeb ? address.text : nil
        let title = best(
            \.title, besides: { FileNameText.words(of: $0.image) }, of: Text.line)
        let fields: [(key: String, value: String?)] = [
            ("name", String(name.prefix(60))), ("match", pattern), ("test", test),
            ("item", items),
            ("thumbnail", thumbnail), ("image", image), ("link", link(of: .picture)),
            ("album", link(of: .album)), ("title", title),
            ("description", best(\.summary, of: Text.line)),
            ("date", best(\.date, of: { Dates.iso($0) ?? Text.line($0) })), ("next", next),
        ]
        let lines = fields.map { key, value in
            "  \"\(key)\": " + (value.map { JSONString.quoted($0) } ?? "null")
        }
        return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }

    private var address: Address { context.saved?.original ?? context.address }

    /// The extractor of the image, if pictures are larger than their thumbnails.
    private var image: String? {
        guard pictures.contains(where: { $0.variants.count > 1 }) else { return nil }
        return best(
            \.image.text, besides: \.thumbnail.text,
            of: { context.addresses(in: $0).last?.text })
    }

    private func link(of kind: Picture.Kind) -> String? {
        best(
            { $0.kind == kind ? $0.link?.text : nil }, of: { context.resolve($0)?.text })
    }

    /// A pattern for sibling pages: anything in this page's folder.
    private var pattern: String {
        address.folder.prefix(300).map { "\\^$.|?*+()[]{}".contains($0) ? "\\\($0)" : "\($0)" }
            .joined() + ".*"
    }
}

// Finding the extractors of values.
extension RecipeMaker {
    /// Returns the extractor with which `read` gives the `wanted` value for most pictures; nil if none does better than `standing` alone.
    private func best(
        _ wanted: (Picture) -> String?, besides standing: (Picture) -> String? = { _ in nil },
        of read: (String) -> String?
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
        let likely = counts.sorted {
            ($1.value.count, $0.value.first) < ($0.value.count, $1.value.first)
        }
        var best = (
            text: String?.none,
            right: specimens.count { standing($0.picture) == wanted($0.picture) }
        )
        for (text, _) in likely.prefix(20) {
            guard let extractor = try? Extractor(text) else { continue }
            let count = specimens.count { specimen in
                let value = extractor.value(in: specimen.item).flatMap(read)
                return value ?? standing(specimen.picture) == wanted(specimen.picture)
            }
            if count > best.right { best = (text, count) }
        }
        return best.text
    }

    /// Returns the extractors that give a right value in an item.
    private func texts(in item: Node, where isRight: (String) -> Bool) -> [String] {
        var texts: [String] = []
        for node in [item] + item.descendants.prefix(Self.maxNodes) where !node.isText {
            node.forEachAttribute { name, value in
                guard value.utf8.count < 10_000, name.isPlainName, isRight(value) else { return }
                texts += selectors(of: node, in: item).map { "\($0)@\(name)" }
            }
            guard let text = node.shortText(limit: 1_000), isRight(text) else { continue }
            texts += selectors(of: node, in: item).nonEmpty
        }
        return texts.unique { $0 }
    }

    /// Returns selectors of an element within its item: by its tag, by each of its classes, by its parent.
    private func selectors(of node: Node, in item: Node) -> [String] {
        if node == item { return [""] }
        let tag = node.tagName
        var texts = [tag] + node.classes.filter(\.isPlainName).prefix(4).map { "\(tag).\($0)" }
        if let parent = node.parent, parent != item {
            texts +=
                parent.classes.filter(\.isPlainName).prefix(2).map { ".\($0) > \(tag)" }
                + ["\(parent.tagName) > \(tag)"]
        }
        return texts
    }

    /// An extractor of the scraper's next page; nil if there is none or no selector reaches its link.
    private var next: String? {
        guard let next = page.next else { return nil }
        let links = document.root.descendants.filter { node in
            !node.isText && context.resolve(node.attribute(.href)) == next
        }
        let forms = links.prefix(10).flatMap { node in
            (node.relations.contains("next") ? ["\(node.tagName)[rel~=next]"] : [])
                + selectors(of: node, in: document.root).dropFirst()
        }
        return forms.lazy.map { "\($0)@href" }.first { text in
            context.resolve((try? Extractor(text))?.value(in: document.root)) == next
        }
    }
}

// Checking the recipe against the page.
extension RecipeMaker {
    /// Describes how many pictures the recipe reproduces, and how many of their values.
    private func judged(_ json: String) -> String {
        guard let recipe = try? Recipe(json: json.bytes, file: "-"),
            recipe.matches(address), let again = recipe.page(document, context: context)
        else { return "0 of \(pictures.count) pictures: to be mended" }
        let found = Dictionary(again.pictures.map { ($0.thumbnail, $0) }) { $1 }
        let pairs = pictures.compactMap { picture in
            found[picture.thumbnail].map { (picture, $0) }
        }
        func count<Value: Equatable>(_ name: String, _ value: KeyPath<Picture, Value>) -> String {
            "\(pairs.count { $0[keyPath: value] == $1[keyPath: value] }) \(name)"
        }
        let parts = [
            count("images", \.image), count("links", \.link), count("titles", \.title),
            count("dates", \.date),
        ]
        return "\(pairs.count) of \(pictures.count) pictures and "
            + "\(again.pictures.count - pairs.count) others; of these right: "
            + parts.joined(separator: ", ")
            + (again.next == page.next ? "; the same next page" : "; another next page")
    }
}
