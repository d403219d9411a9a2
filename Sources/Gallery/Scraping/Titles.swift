import Basics
import Markup
import Network

/// Finds a picture's title and summary on its page.
struct Titles {
    /// A title, and the name of the rule that gave it.
    struct Title {
        var text: String
        var rule: String

        /// Whether only the file's name was available.
        var isFileName: Bool { rule == fileNameRule }
    }

    private static let maxTitle = 300
    private static let maxElements = 300

    private static let captionClasses = WordSet(
        """
        caption title image-title gallery-caption photo-title card-title name entry-title
        wp-caption-text gallery-item-caption item-title product-title thumbnail-caption desc
        figcaption text-wrapper image-caption photo-caption thumb-caption gallerytext
        """)
    private static let uninformative = Set(
        phraseList(
            """
            click to enlarge, enlarge, view, view image, image, photo, picture, thumbnail, img, zoom,
            read more, more, open, view larger, click to view, permalink, link to image, source, details,
            download, info, share, full size, view full size, click here, slide, true, false, yes, no
            """))
    /// The length in bytes of the longest uninformative text.
    private static let longestUninformative = uninformative.map(\.utf8.count).max() ?? 0

    let pageIndex: PageIndex
    let tree: TreeReader
    private var captionMarks = ValueCache<Rank>()
    /// The page's attributes with titles and with summaries.
    private let attributes: [Name]
    private let descriptions: [Name]
    /// Attributes of scripts that are in no list, recognised by their names: `data-elementor-lightbox-title`.
    private let furtherAttributes: [Name]
    /// Texts shared by most pictures, which are not used as titles.
    var shared: Set<String> = []

    init(_ pageIndex: PageIndex) {
        self.pageIndex = pageIndex
        tree = pageIndex.tree
        let document = pageIndex.document
        attributes = document.names(
            in:
                "data-caption data-sub-html data-title data-image-title data-lightbox-title data-name"
        )
        descriptions = document.names(in: "data-image-description data-description data-desc")
        furtherAttributes =
            document.names.filter { name in
                name.hasPrefix("data-") && (name.hasSuffix("-title") || name.hasSuffix("-caption"))
            }.compactMap(document.name) + descriptions
    }

    /// A picture, and the captions in its item and in that of its thumbnail.
    private struct Subject {
        let candidate: Candidate
        let caption: Caption
        let strip: Caption?
    }

    private static let fileNameRule = "the file name"

    /// In the order of how likely the text was written for readers; the first one that finds a text decides.
    private static let rules: [(name: String, find: @Sendable (Titles, Subject) -> String?)] = [
        ("figcaption", { $1.caption.figcaption }),
        ("an attribute for captions", { $0.attribute(of: $1.candidate) }),
        ("a heading or class of titles", { $1.caption.heading }),
        ("the caption of the thumbnail", { $1.strip?.figcaption ?? $1.strip?.heading }),
        (
            "aria-label of the link",
            { $0.clean($0.pageIndex.text(.ariaLabel, of: $1.candidate.anchor)) }
        ),
        ("alt", { $0.more($0.alternative(of: $1.candidate), than: $1.candidate) }),
        ("another link", { $0.linkBeside($1.candidate) }),
        ("title", { $0.attribute(.title, of: $1.candidate) }),
        (
            "an attribute of its scripts",
            { titles, subject in
                titles.furtherAttributes.lazy.compactMap {
                    titles.attribute($0, of: subject.candidate)
                }.first
            }
        ),
        ("the link's text", { $0.linkText($1.candidate) }),
        (
            "the text after",
            { $0.more($0.after($0.pageIndex.node($1.candidate.item)), than: $1.candidate) }
        ),
    ]

    /// Returns the text of the first rule that finds one, if it is informative, else the words of the file's name.
    mutating func title(of candidate: Candidate, address: Int) -> Title {
        let subject = Subject(
            candidate: candidate, caption: nearestCaption(of: candidate),
            strip: candidate.thumbnail.map { caption(in: $0.item) })
        for rule in Titles.rules {
            guard let found = rule.find(self, subject) else { continue }
            guard let text = clean(line: found) else { break }
            return Title(text: text, rule: rule.name)
        }
        let name = FileNameText.words(of: pageIndex.addresses[address])
        // A purely numeric file name is even less informative than ‘Picture 1’.
        let isNamed = name.split(separator: " ").contains {
            $0.count > 1 && $0.contains(where: \.isLetter)
        }
        return Title(
            text: isNamed ? name : alternative(of: candidate) ?? name, rule: Titles.fileNameRule)
    }

    private func alternative(of candidate: Candidate) -> String? {
        clean(pageIndex.text(.alt, of: candidate.node))
            ?? clean(pageIndex.text(.alt, of: candidate.thumbnail?.node))
    }

    /// Returns a text that is more informative than a number, a size, or the name of one of the candidate's own files.
    private func more(_ text: String?, than candidate: Candidate) -> String? {
        guard let text, FileNameText.isWorded(text), !FileNameText.isFileName(text) else {
            return nil
        }
        let addresses = pageIndex.offers(of: candidate).prefix(8).map(\.address)
        // `Red kite` beside `red-kite.jpg` was written by a person.
        let isName = (addresses + [candidate.link].compactMap(\.self)).contains {
            let name = pageIndex.addresses[$0].lastPathComponent
            return name == text || name.withoutEnding == text
        }
        return isName ? nil : text
    }

    /// Returns an attribute of the link or the picture, or the picture's label, if it is informative.
    private func attribute(_ name: Name, of candidate: Candidate) -> String? {
        let texts = [
            pageIndex.text(name, of: candidate.anchor), pageIndex.text(name, of: candidate.node),
            pageIndex.text(.ariaLabel, of: candidate.node),
        ]
        return texts.lazy.compactMap { more(clean($0), than: candidate) }.first
    }

    /// Returns a longer text besides the title.
    func summary(of candidate: Candidate, besides title: String) -> String? {
        let texts = descriptions.compactMap { name in
            (pageIndex.text(name, of: candidate.node) ?? pageIndex.text(name, of: candidate.anchor))
                .map { Text.line(ObjectWords.plain($0)) }
        }
        return texts.first { !$0.isEmpty && $0 != title }
            ?? clean(pageIndex.text(.title, of: candidate.node), limit: .max).flatMap {
                $0 == title ? nil : $0
            }
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

    private func attribute(of candidate: Candidate) -> String? {
        for node in [candidate.anchor, candidate.node, candidate.item] {
            for name in attributes {
                // lightGallery allows a selector here instead of text.
                if let value = pageIndex.text(name, of: node),
                    !value.hasPrefix("#"), !value.hasPrefix("."),
                    let text = clean(Titles.heading(inMarkup: value))
                {
                    return text
                }
            }
        }
        return nil
    }

    /// A larger item contains more than one picture and its text.
    private static let largeItem = 16

    /// Returns the caption in the item, or the one closest to the picture if the item is a large part of the page.
    private mutating func nearestCaption(of candidate: Candidate) -> Caption {
        let item = candidate.item
        var nearest: Caption?
        if tree.descendants(of: item).count > Titles.largeItem {
            for outer in tree.ancestors(of: candidate.node).prefix(6) where outer != item {
                guard tree.contains(item, outer) else { break }
                let found = caption(in: outer)
                if found.figcaption != nil || found.rank < .caption { return found }
                if found.heading != nil { nearest = nearest ?? found }
            }
        }
        let found = caption(in: item)
        guard let nearest else { return found }
        // The heading of a post stands before its picture; what follows is not about that alone.
        return found.rank < .caption && found.node < candidate.node ? found : nearest
    }

    /// How likely an element is an item's title.
    private enum Rank: Comparable {
        case heading(UInt8), title, caption, none
    }

    private struct Caption {
        var figcaption: String?
        /// The text of the highest rank, the first of several.
        var heading: String?
        var rank = Rank.none
        /// The element with the heading, by its number.
        var node = 0
    }

    private mutating func caption(in item: Int) -> Caption {
        var caption = Caption()
        for node in tree.descendants(of: item, limit: Titles.maxElements)
        where !tree.isText(node) {
            let name = tree.name(of: node)
            var rank = Rank.none
            if name == .figcaption {
                caption.figcaption = text(of: node)
                if caption.figcaption != nil { return caption }
            } else if Titles.headings.contains(name) {
                // The names of `h1` to `h6` are numbered in this order.
                rank = .heading(UInt8(name.number - Name.h1.number))
            } else if name == .title {
                rank = .title
            } else if let classes = tree.attribute(.class, of: node) {
                rank = captionMarks.answer(for: classes, Titles.rank(ofClasses:))
            }
            guard rank < caption.rank, let text = text(of: node) else { continue }
            (caption.heading, caption.rank, caption.node) = (text, rank, node)
        }
        return caption
    }

    private static func rank(ofClasses classes: Bytes) -> Rank {
        if classes.includes("title") { return .title }
        return captionClasses.containsWord(of: classes) || classes.includes("caption")
            ? .caption : .none
    }

    private func text(of node: Int) -> String? {
        clean(line: heading(of: node))
    }

    private func linkText(_ candidate: Candidate) -> String? {
        [candidate.anchor, candidate.item].lazy.compactMap { $0.flatMap(text) }.first {
            // Skip counters of slides such as `1 / 8`.
            $0.contains(where: \.isLetter)
        }
    }

    /// Returns the text as one line, if it is informative.
    private func clean(_ text: String?, limit: Int = Titles.maxTitle) -> String? {
        text.flatMap { clean(line: Text.line($0), limit: limit) }
    }

    /// Returns the line, if it is informative.
    private func clean(line: String, limit: Int = Titles.maxTitle) -> String? {
        let length = line.utf8.count
        guard length > 0, length <= limit, !shared.contains(line) else { return nil }
        let isEmptyWord =
            length <= Titles.longestUninformative
            && Titles.uninformative.contains(line.lowercased())
        return isEmptyWord ? nil : line
    }

    /// Returns the heading in markup, which captions in attributes often contain.
    private static func heading(inMarkup value: String) -> String {
        guard value.includes("<") else { return value }
        let document = Document(markup: value)
        return document.read { tree in
            Titles(PageIndex(document, tree: tree, capacity: 0)).heading(of: 0)
        }
    }
}
