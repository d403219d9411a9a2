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
        /// Of titles by their markup, how far from the picture they are; then the level of a heading.
        fileprivate var rank = 0
        /// Whether only names of files were available.
        var isFileName: Bool { source == .name }

        init(_ text: String, _ source: Source, rank: Int = 0) {
            (self.text, self.source, self.rank) = (text, source, rank)
        }

        fileprivate var order: (Int, Int, Int) {
            (source.isTitle ? 0 : source.rawValue, rank, source.rawValue)
        }
    }

    private static let maxTitle = 300
    /// Each is looked up in every element; a page may have thousands of names.
    private static let maxAttributes = 20
    /// Longer texts in attributes, and those that begin with the title, are descriptions.
    private static let maxLonger = 160
    /// In nodes; what follows a picture farther below is not about that alone.
    private static let (farAbove, farBelow) = (1_000, 100)
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

    let pageIndex: PageIndex
    let tree: TreeReader
    private var classes = ValueCache<Source?>()
    private let pageTitle: String
    /// The page's attributes with titles.
    private let attributes: [(name: Name, source: Source)]
    private let descriptions: [Name]
    /// Texts shared by most pictures, which are not used as titles.
    var shared: Set<String> = []

    init(_ pageIndex: PageIndex) {
        self.pageIndex = pageIndex
        tree = pageIndex.tree
        let document = pageIndex.document
        pageTitle = document.title
        let titles = wordSet(
            """
            data-caption data-sub-html data-title data-image-title data-lightbox-title data-name
            data-item-name data-product-name
            """)
        descriptions = document.names(in: "data-image-description data-description data-desc")
        // Those of scripts that are in no list are recognised by their names: `data-elementor-lightbox-title`.
        attributes =
            document.names.filter { $0.hasPrefix("data-") }.compactMap { text in
                guard let name = document.name(text) else { return nil }
                if titles.contains(text) { return (name, .attribute) }
                return text.hasSuffix("-title") || text.hasSuffix("-caption")
                    ? (name, .script) : nil
            }.prefix(Titles.maxAttributes) + descriptions.map { ($0, .script) }
    }

    /// Returns the best text, in a longer form if there is one, else the words of the file's name.
    mutating func title(of candidate: Candidate, address: Int) -> Title {
        let offers = pageIndex.offers(of: candidate)
        let own = [offers.first?.address, offers.last?.address, candidate.link].compactMap(\.self)
        let texts = texts(of: candidate)
        if let best = texts.first(where: { isTitle($0, own) }) {
            return Title(longest(of: best.text, among: texts), best.source)
        }
        let name = FileNameText.words(of: pageIndex.addresses[address])
        let isNamed = FileNameText.isNamed(name)
        let told = texts.first {
            !isName($0.text, of: own)
                && ($0.source.isCaption && !FileNameText.isFileName($0.text)
                    || $0.source == .alt && !isNamed || FileNameText.isUnderscored($0.text)
                    || $0.text.hasSuffix(":") && $0.text.contains(" "))
        }
        return Title(told?.text ?? name, .name)
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
        addresses.contains { number in
            let hints = pageIndex.addresses.hints(of: number)
            // An escaped name is longer.
            guard text.utf8.count <= hints.name.count else { return false }
            let name = pageIndex.addresses[number].lastPathComponent
            return name.hasPrefix(text) && (name == text || name.withoutEnding == text)
        }
    }

    /// Returns the longest text that begins with a title, if that is cut off, or with it and a separator, though not with the site's name.
    private func longest(of title: String, among texts: [Title]) -> String {
        func isCutOff(_ text: String) -> Bool { text.includes("...") || text.includes("…") }
        let start =
            isCutOff(title)
            ? Text.line(title.replacing("...", with: "…").prefix { $0 != "…" }) : title
        guard start.utf8.count > 2 else { return title }
        // In bytes, since the scraping limit leaves no time to compare the characters of each text.
        return texts.lazy.map(\.text).filter { text in
            guard start.utf8.count < text.utf8.count, text.utf8.count <= Titles.maxLonger,
                zip(text.utf8, start.utf8).allSatisfy({ $0.lowered == $1.lowered }),
                !isCutOff(text)
            else { return false }
            let rest = Text.line(text.dropFirst(start.count))
            return start != title
                || rest.first.map("-–—:|/".contains) ?? false
                    && !pageTitle.contains(rest.drop { !$0.isLetter })
        }.max { $0.utf8.count < $1.utf8.count } ?? title
    }

    /// Returns the informative texts of a candidate's item, the best first.
    private mutating func texts(of candidate: Candidate) -> [Title] {
        let (node, anchor, item) = (candidate.node, candidate.anchor, candidate.item)
        var found: [Title] = []
        for (name, holder, source) in [
            (Name.ariaLabel, anchor, Source.label), (.alt, node, .alt),
            (.title, anchor, .tooltip), (.title, node, .tooltip), (.ariaLabel, node, .tooltip),
        ] {
            add(pageIndex.text(name, of: holder), source, to: &found)
        }
        for holder in [anchor, node, tree.parent(of: node)] {
            addAttributes(of: holder, to: &found)
        }
        addCaptions(in: item, around: node, of: candidate, to: &found)
        for element in [anchor, item] {
            let text = element.map(heading)
            // Counters of slides such as `1 / 8` are no texts.
            if text?.contains(where: \.isLetter) ?? false { add(text, .text, to: &found) }
        }
        add(after(pageIndex.node(item)), .after, to: &found)
        return found.sorted { $0.order < $1.order }
    }

    /// Adds a text as one line, if it is informative.
    private func add(
        _ text: String?, _ source: Source, rank: Int = 0, to found: inout [Title]
    ) {
        if let line = clean(text) { found.append(Title(line, source, rank: rank)) }
    }

    private func addAttributes(of node: Int?, to found: inout [Title]) {
        for (name, source) in attributes {
            // lightGallery allows a selector here instead of text.
            guard let value = pageIndex.text(name, of: node), !value.hasPrefix("#"),
                !value.hasPrefix("."), source == .attribute || value.utf8.count <= Titles.maxLonger
            else { continue }
            add(value.includes("<") ? Titles.heading(inMarkup: value) : value, source, to: &found)
        }
    }

    /// Adds the texts in an item that their elements mark as titles or captions.
    private mutating func addCaptions(
        in item: Int, around picture: Int, of candidate: Candidate, to found: inout [Title]
    ) {
        let anchor = candidate.anchor
        let href = anchor.flatMap { tree.attribute(.href, of: $0) }
        let isLarge = tree.descendants(of: item).count > Titles.largeItem
        let around = isLarge ? Array(tree.ancestors(of: picture).prefix(9)) : []
        addAttributes(of: item, to: &found)
        var end = item
        let nodes =
            max(
                item + 1, picture - Titles.farAbove)..<min(
                tree.end(of: item), picture + Titles.farBelow)
        for node in nodes
        where node >= end && !tree.isText(node) && node != anchor {
            addAttributes(of: node, to: &found)
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
                    heading(of: node), mark.source,
                    rank: mark.source.isTitle ? 10 * distance + mark.level : 0, to: &found)
            } else if isSame == true {
                add(heading(of: node), .link, to: &found)
            }
            guard node != picture,
                let title = pageIndex.text(.title, of: node).map({ Text.line($0) })
            else { continue }
            let text = pageIndex.node(node).textContent
            if text.isEmpty, let isSame, isSame || anchor == nil {
                add(title, .tooltip, to: &found)
            } else if text.utf8.count > 3, title.hasPrefix(text.prefix { $0 != "…" && $0 != "." }) {
                add(title, .fullText, to: &found)
            }
        }
    }

    private mutating func mark(of node: Int) -> (source: Source, level: Int)? {
        let name = tree.name(of: node)
        if name == .figcaption { return (.figcaption, 0) }
        // The names of `h1` to `h6` are numbered in this order.
        if Titles.headings.contains(name) { return (.heading, name.number - Name.h1.number) }
        if name == .title { return (.title, 8) }
        guard let value = tree.attribute(.class, of: node) else { return nil }
        return classes.answer(for: value, Titles.source(ofClasses:)).map { ($0, 8) }
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
            Titles(PageIndex(document, tree: tree, capacity: 0)).heading(of: 0)
        }
    }

    /// Returns a longer text besides the title.
    func summary(of candidate: Candidate, besides title: String) -> String? {
        (descriptions + [.title]).lazy.compactMap { name in
            clean(pageIndex.text(name, of: candidate.node).map(ObjectWords.plain), limit: .max)
        }.first { $0 != title }
    }

    /// Returns the date that an item specifies in `data-date` or `<time>`.
    func date(of candidate: Candidate) -> String? {
        for node in [candidate.item, candidate.node] {
            if let date = pageIndex.text(.dataDate, of: node).flatMap(Dates.iso) { return date }
        }
        let time = tree.descendants(of: candidate.item).first { tree.name(of: $0) == .time }
        return time.map(pageIndex.node).flatMap { time in
            time.attribute("datetime").flatMap(Dates.iso) ?? Dates.iso(time.textContent)
        }
    }

    /// Returns the text as one line, if it is informative.
    private func clean(_ text: String?, limit: Int = Titles.maxTitle) -> String? {
        guard let line = text.map({ Text.line($0) }), !line.isEmpty, line.utf8.count <= limit,
            !line.hasPrefix("©"), !shared.contains(line),
            !Titles.uninformative.contains(line.lowercased())
        else { return nil }
        return line
    }
}
