import Basics
import Markup
import Network

/// Finds a picture's title and summary on its page: gathers the texts of its item, and takes the best one.
struct Titles {
    /// Where a text stands, in the order of how likely it was written for readers.
    enum Source: Int {
        case data, figcaption, attribute, heading, title, fullText, caption, label, alt, link
        case tooltip, script, text, after, name

        /// Whether this is a title by its markup, so that the one closest to the picture counts.
        fileprivate var isTitle: Bool { rawValue <= Source.title.rawValue }
        /// Whether this was written as the title or caption of something.
        fileprivate var isCaption: Bool { rawValue <= Source.caption.rawValue }
    }

    struct Title {
        var text: String
        var source: Source
        /// Whether only names of files were available.
        var isFileName: Bool { source == .name }
    }

    /// A text that may be the title, and is not read before it is needed: most pictures have a better one before it.
    private struct Snippet {
        enum Place { case value(Bytes), markup(Bytes), heading(Int), after(Int) }

        let place: Place
        let source: Source
        /// Titles by their markup are ordered by how far from the picture they are, then by the level of a heading.
        let order: Int

        init(place: Place, source: Source, rank: Int) {
            self.place = place
            self.source = source
            order = ((source.isTitle ? 0 : source.rawValue) << 16 | rank) << 8 | source.rawValue
        }
    }

    /// What the classes of an element say of its text.
    private struct ClassMeaning {
        let source: Source?
        let isBeside: Bool
    }

    private static let maxTitle = 300
    /// Longer texts in attributes, and those that begin with the title, are descriptions.
    private static let maxLonger = 160
    /// In nodes before a picture.
    private static let farAbove = 1_000
    /// In nodes; what follows a picture farther below is not about that alone.
    private static let farBelow = 100
    /// A larger item contains more than one picture and its text.
    private static let largeItem = 16

    private static let captionClasses = WordSet("name desc text-wrapper gallerytext")
    private static let uninformative = Set(
        phraseList(
            """
            click to enlarge, enlarge, view, view image, image, photo, picture, thumbnail, img, zoom,
            read more, more, open, view larger, click to view, permalink, link to image, source, details,
            download, info, share, full size, view full size, click here, slide, true, false, yes, no,
            play video
            """))

    private static let maxUninformative = uninformative.map(\.utf8.count).max() ?? 0

    let pageIndex: PageIndex
    let tree: TreeReader
    private var classes = ValueCache<ClassMeaning>()
    private let pageTitle: String
    /// What the page's attributes contain, by the numbers of their names.
    private let attributes: [Source?]
    private let descriptions: [Name]
    /// The page's `<time>` elements.
    private let times: [Int]
    /// What may be the title of the current picture, the best first.
    private var found: [Snippet] = []
    /// Texts shared by most pictures, which are not used as titles.
    var shared: Set<String> = []

    init(_ pageIndex: PageIndex) {
        self.pageIndex = pageIndex
        tree = pageIndex.tree
        let document = pageIndex.document
        pageTitle = document.title
        times = document.elements(.time).map(\.number)
        descriptions = document.names(in: Self.described) + [.title]
        let described = wordSet(Self.described)
        // Those of scripts that are in no list are recognised by their names: `data-elementor-lightbox-title`.
        attributes = document.names.map { name in
            if Self.titleAttributes.contains(name) { return .attribute }
            let isNamed = name.hasSuffix("-title") || name.hasSuffix("-caption")
            return described.contains(name) || isNamed && name.hasPrefix("data-") ? .script : nil
        }
    }

    private static let described = "data-image-description data-description data-desc"
    private static let titleAttributes = wordSet(
        """
        data-caption data-sub-html data-title data-image-title data-lightbox-title data-name
        data-item-name data-product-name
        """)

    /// Returns the best text, in a longer form if there is one, else the words of the file's name.
    mutating func title(of candidate: Candidate, address: Int) -> Title {
        let offers = pageIndex.offers(of: candidate)
        let own = nonNil(offers.first?.address, offers.last?.address, candidate.link)
        findSnippets(of: candidate)
        var others: [Title] = []
        for snippet in found {
            guard let line = clean(read(snippet.place)) else { continue }
            let title = Title(text: line, source: snippet.source)
            if isTitle(title, own) {
                return Title(text: longest(of: line), source: snippet.source)
            }
            others.append(title)
        }
        let name = FileNameText.words(of: pageIndex.addresses[address])
        let isNamed = FileNameText.isNamed(name)
        let described = others.first { other in
            let text = other.text
            return !isName(text, of: own)
                && (other.source.isCaption && !FileNameText.isFileName(text)
                    || other.source == .alt && !isNamed || FileNameText.isUnderscored(text)
                    || text.hasSuffix(":") && text.contains(" "))
        }
        return Title(text: described?.text ?? name, source: .name)
    }

    private mutating func read(_ place: Snippet.Place) -> String? {
        switch place {
        case .value(let value): Text.line(value)
        case .markup(let value): Self.heading(inMarkup: String(utf8: value))
        case .heading(let node): heading(of: node)
        case .after(let item): after(pageIndex.node(item))
        }
    }

    /// Whether a text is more informative than a number, a size, a label, or the name of a file.
    private func isTitle(_ title: Title, _ own: [Int]) -> Bool {
        let text = title.text
        let isFile = FileNameText.isFileName(text)
        guard FileNameText.isWorded(text), !text.hasSuffix(":"),
            // In forums, the name that the file had before.
            isFile ? title.source == .link : !FileNameText.isUnderscored(text)
        else { return false }
        // `Red kite` beside `red-kite.jpg` was written by a person, and so was the caption `Kite` of `Kite.jpg`.
        return !isName(text, of: own)
            || title.source.isCaption && text.allSatisfy { $0.isLetter || $0 == " " }
    }

    /// Whether a text is the file name of one of these addresses, with or without its extension.
    private func isName(_ text: String, of addresses: [Int]) -> Bool {
        // An escaped name is longer.
        for number in addresses
        where text.utf8.count <= pageIndex.addresses.hints[number].name.count {
            let name = pageIndex.addresses[number].lastPathComponent
            if name == text || name.withoutEnding == text { return true }
        }
        return false
    }

    /// Returns the longest attribute that begins with a title, if that is cut off, or with it and a separator, though not with the site's
    /// name.
    private func longest(of title: String) -> String {
        func isCutOff(_ text: String) -> Bool { text.includes("...") || text.includes("…") }
        let start =
            isCutOff(title)
            ? Text.line(title.replacing("...", with: "…").prefix { $0 != "…" }) : title
        guard start.utf8.count > 2 else { return title }
        var longest: String?
        for snippet in found {
            // In bytes, since the scraping limit leaves no time to compare the characters of each text.
            guard case .value(let value) = snippet.place, value.count <= Titles.maxLonger,
                value.count > (longest ?? start).utf8.count,
                zip(value, start.utf8).allSatisfy({ $0.lowered == $1.lowered })
            else { continue }
            let rest = Text.line(Bytes(rebasing: value[start.utf8.count...]))
            let name = rest.drop { !$0.isLetter }
            guard
                start != title
                    || rest.first.map("-–—:|/".contains) ?? false
                        && !pageTitle.hasPrefix(name) && !pageTitle.hasSuffix(name),
                let line = clean(Text.line(value)), !isCutOff(line)
            else { continue }
            longest = line
        }
        return longest ?? title
    }

    /// Finds the texts of a candidate's item, the best first.
    private mutating func findSnippets(of candidate: Candidate) {
        let node = candidate.node
        let anchor = candidate.anchor
        let item = candidate.item
        found.removeAll(keepingCapacity: true)
        for (name, holder, source) in [
            (Name.ariaLabel, anchor, Source.label), (.alt, node, .alt),
            (.title, anchor, .tooltip), (.title, node, .tooltip), (.ariaLabel, node, .tooltip),
        ] {
            if let value = holder.flatMap({ tree.attribute(name, of: $0) }) {
                add(.value(value), source)
            }
        }
        for case let holder? in [anchor, node, tree.parent(of: node)] { addAttributes(of: holder) }
        addCaptions(of: candidate)
        for case let element? in [anchor, item] { add(.heading(element), .text) }
        add(.after(item), .after)
    }

    private mutating func add(_ place: Snippet.Place, _ source: Source, rank: Int = 0) {
        let snippet = Snippet(place: place, source: source, rank: rank)
        found.insert(snippet, at: found.partitioningIndex { $0.order > snippet.order })
    }

    private mutating func addAttributes(of node: Int) {
        for place in tree.attributes(of: node) {
            guard let source = attributes[tree.attributeName(at: place).number] else { continue }
            let value = tree.value(at: place)
            // lightGallery allows a selector here instead of text.
            if !value.begins(with: "#"), !value.begins(with: "."),
                source == .attribute || value.count <= Titles.maxLonger
            {
                add(value.includes("<") ? .markup(value) : .value(value), source)
            }
        }
    }

    /// Adds the texts in a candidate's item that their elements mark as titles or captions.
    private mutating func addCaptions(of candidate: Candidate) {
        let picture = candidate.node
        let anchor = candidate.anchor
        let item = candidate.item
        let href = anchor.flatMap { tree.attribute(.href, of: $0) }
        let isLarge = tree.descendants(of: item).count > Titles.largeItem
        let around = isLarge ? Array(tree.ancestors(of: picture).prefix(9)) : []
        addAttributes(of: item)
        var end = item
        let nodes =
            max(
                item + 1, picture - Titles.farAbove)..<min(
                tree.end(of: item), picture + Titles.farBelow)
        for node in nodes
        where node >= end && !tree.isText(node) && node != anchor {
            addAttributes(of: node)
            let mark = mark(of: node)
            let target = tree.name(of: node) == .a ? tree.attribute(.href, of: node) : nil
            let isSame = target.map { href?.equals($0) ?? false }
            if mark?.source != .figcaption && isBeside(node) {
                end = tree.end(of: node)
                continue
            }
            if let mark {
                let distance = around.firstIndex { tree.contains($0, node) } ?? around.count
                add(
                    .heading(node), mark.source,
                    rank: mark.source.isTitle ? 10 * distance + mark.level : 0)
            } else if isSame == true {
                add(.heading(node), .link)
            }
            guard node != picture, let title = tree.attribute(.title, of: node) else { continue }
            let text = pageIndex.node(node).textContent
            if text.isEmpty, let isSame, isSame || anchor == nil {
                add(.value(title), .tooltip)
            } else if text.utf8.count > 3,
                Text.line(title).hasPrefix(text.prefix { $0 != "…" && $0 != "." })
            {
                add(.value(title), .fullText)
            }
        }
    }

    private mutating func mark(of node: Int) -> (source: Source, level: Int)? {
        let name = tree.name(of: node)
        if name == .figcaption { return (.figcaption, 0) }
        // The names of `h1` to `h6` are numbered in this order.
        if Titles.headings.contains(name) { return (.heading, name.number - Name.h1.number) }
        if name == .title { return (.title, 8) }
        return meaning(of: node)?.source.map { ($0, 8) }
    }

    private mutating func meaning(of node: Int) -> ClassMeaning? {
        tree.attribute(.class, of: node).map { value in
            classes.answer(for: value) {
                ClassMeaning(
                    source: Self.source(ofClasses: $0), isBeside: Self.besides.occur(in: $0))
            }
        }
    }

    /// Whether an element without a picture is a button, or not about the picture.
    mutating func isBeside(_ node: Int) -> Bool {
        (Self.controls.contains(tree.name(of: node)) || meaning(of: node)?.isBeside ?? false)
            && pageIndex.node(node).first(.img) == nil
    }

    private static func source(ofClasses classes: Bytes) -> Source? {
        if classes.includes(ignoringCase: "title") { return .title }
        if classes.includes("filename") { return .link }
        return classes.includes("caption") || captionClasses.containsWord(of: classes)
            ? .caption : nil
    }

    /// Returns the heading in markup, which captions in attributes often contain.
    private static func heading(inMarkup value: String) -> String {
        let document = Document(markup: value)
        return document.read { tree in
            var titles = Titles(PageIndex(document, tree: tree, capacity: 0))
            return titles.heading(of: 0)
        }
    }

    /// Returns a longer text besides the title.
    func summary(of candidate: Candidate, besides title: String) -> String? {
        for name in descriptions {
            let text = pageIndex.text(name, of: candidate.node).map(ObjectWords.plain)
            if let summary = clean(text, limit: .max), summary != title { return summary }
        }
        return nil
    }

    /// Returns the date that an item specifies in `data-date` or `<time>`.
    func date(of candidate: Candidate) -> String? {
        for node in [candidate.item, candidate.node] {
            if let date = pageIndex.text(.dataDate, of: node).flatMap(Dates.iso) { return date }
        }
        let next = times.partitioningIndex { $0 > candidate.item }
        guard next < times.count, tree.contains(candidate.item, times[next]) else { return nil }
        let time = pageIndex.node(times[next])
        return time.attribute("datetime").flatMap(Dates.iso) ?? Dates.iso(time.textContent)
    }

    /// Returns the text as one line, if it is informative.
    private func clean(_ text: String?, limit: Int = Titles.maxTitle) -> String? {
        guard let line = text?.line, line.utf8.count <= limit, !line.hasPrefix("©"),
            !shared.contains(line),
            line.utf8.count > Titles.maxUninformative
                || !Titles.uninformative.contains(line.lowercased())
        else { return nil }
        return line
    }
}
