import Markup
import Network

/// Finds what a page says about one picture.
struct Titles {
    /// A title, and whether it comes from `alt`, whose tail all pictures of a page may share.
    struct Title {
        var text: String
        var isAlternative = false
    }

    /// Longer texts are no titles.
    private static let maxTitle = 300
    /// Elements of one item that are looked at.
    private static let maxElements = 300

    private static let attributes: [Name] = [
        .dataCaption, .dataSubHtml, .dataTitle, .dataImageTitle, .dataLightboxTitle,
    ]
    private static let attributeSet = NameSet([
        "data-caption", "data-sub-html", "data-title", "data-image-title", "data-lightbox-title",
    ])
    private static let captionClasses = WordSet([
        "caption", "title", "image-title", "gallery-caption", "photo-title", "card-title", "name",
        "entry-title",
        "wp-caption-text", "gallery-item-caption", "item-title", "product-title",
        "thumbnail-caption", "desc", "figcaption",
        "text-wrapper", "image-caption", "photo-caption", "thumb-caption", "gallerytext",
    ])
    private static let uninformative: Set<String> = [
        "click to enlarge", "enlarge", "view", "view image", "image", "photo", "picture",
        "thumbnail", "img", "zoom",
        "read more", "more", "open", "view larger", "click to view", "permalink", "link to image",
    ]
    /// Bytes of the longest of these.
    private static let longestUninformative = uninformative.map(\.utf8.count).max() ?? 0

    /// The first that says something, in the order of how likely it was written for readers.
    static func title(of candidate: Candidate, address: Address) -> Title {
        let caption = nearestCaption(of: candidate)
        let written =
            caption.figcaption ?? attribute(of: candidate) ?? caption.heading
            ?? candidate.anchor.flatMap { clean($0.attribute(.ariaLabel)) }
        if let written { return Title(text: written) }
        let alternative = clean(candidate.node.attribute(.alt))
        if let text = alternative, FileNameText.isMore(text, than: candidate) {
            return Title(text: text, isAlternative: true)
        }
        let rest =
            SideTexts.linkBeside(candidate) ?? attribute(.title, of: candidate) ?? linkText(
                candidate)
            ?? SideTexts.before(candidate.item)
            ?? SideTexts.after(candidate.item).flatMap {
                FileNameText.isMore($0, than: candidate) ? $0 : nil
            }
        let text = rest.flatMap { clean(line: $0) }
        return Title(text: text ?? FileNameText.words(of: address))
    }

    /// The link's title or label, or the picture's.
    private static func attribute(_ name: Name, of candidate: Candidate) -> String? {
        let texts = [
            candidate.anchor?.attribute(name), candidate.node.attribute(name),
            candidate.node.attribute(.ariaLabel),
        ]
        return texts.lazy.compactMap { clean($0) }.first {
            FileNameText.isMore($0, than: candidate)
        }
    }

    /// A longer text beside the title.
    static func summary(of candidate: Candidate, besides title: String) -> String? {
        for name in [Name.dataImageDescription, .dataDescription] {
            guard
                let value = candidate.node.attribute(name) ?? candidate.anchor?.attribute(name)
            else { continue }
            let text = Text.line(stripped(value))
            if !text.isEmpty, text != title { return text }
        }
        return candidate.node.attribute(.title).map { Text.line($0) }.flatMap {
            $0.isEmpty || $0 == title || uninformative.contains($0.lowercased()) ? nil : $0
        }
    }

    private static func attribute(of candidate: Candidate) -> String? {
        for place in 0..<3 {
            let node = place == 0 ? candidate.anchor : place == 1 ? candidate.node : candidate.item
            guard let node, node.hasAttribute(in: attributeSet) else { continue }
            for name in attributes {
                // lightGallery allows a selector here instead of a text.
                if let value = node.attribute(name), !value.hasPrefix("#"), !value.hasPrefix("."),
                    let text = clean(stripped(value))
                {
                    return text
                }
            }
        }
        return nil
    }

    /// An item larger than this holds more than one picture and its words.
    private static let largeItem = 16

    /// The caption in the item; where that is a large part of the page, the one closest to the picture.
    private static func nearestCaption(
        of candidate: Candidate
    ) -> (figcaption: String?, heading: String?) {
        let item = candidate.item
        if item.lastOrder - item.order > largeItem {
            for outer in candidate.node.ancestors.prefix(6) where outer != item {
                guard item.contains(outer) else { break }
                let found = caption(in: outer)
                if found.figcaption != nil || found.heading != nil { return found }
            }
        }
        return caption(in: item)
    }

    private static func caption(in item: Node) -> (figcaption: String?, heading: String?) {
        item.view { view in caption(in: item, view) } ?? (nil, nil)
    }

    private static func caption(
        in item: Node, _ view: PageView
    ) -> (figcaption: String?, heading: String?) {
        var heading: String?
        let first = item.order + 1
        for order in first..<max(first, min(view.end(of: item.order), first + maxElements))
        where !view.isText(order) {
            switch view.name(of: order) {
            case .figcaption:
                if let text = text(of: item, order) { return (text, heading) }
            case .h1, .h2, .h3, .h4, .h5, .h6, .title:
                heading = heading ?? text(of: item, order)
            default:
                if heading == nil, let classes = view.attribute(.class, of: order),
                    captionClasses.containsWord(of: classes) || classes.includes("title")
                        || classes.includes("caption")
                {
                    heading = text(of: item, order)
                }
            }
        }
        return (nil, heading)
    }

    private static func text(of item: Node, _ order: Int) -> String? {
        clean(line: SideTexts.firstLine(of: item.inSamePage(order)))
    }

    private static func linkText(_ candidate: Candidate) -> String? {
        candidate.anchor.flatMap { clean(line: $0.textContent) }
            ?? clean(line: candidate.item.textContent)
    }

    /// One line, if it says anything.
    private static func clean(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty ? nil : clean(line: Text.line($0)) }
    }

    /// The line, if it says anything.
    private static func clean(line: String) -> String? {
        let length = line.utf8.count
        guard length > 0, length <= maxTitle else { return nil }
        let isEmptyWord =
            length <= longestUninformative && uninformative.contains(line.lowercased())
        return isEmptyWord ? nil : line
    }

    /// Captions in attributes are often markup.
    private static func stripped(_ value: String) -> String {
        value.includes("<")
            ? Document(html: Array(value.utf8), charset: "utf-8").root.textContent : value
    }

    /// The file's name without ending and size, in words.
    static func fromFileName(_ address: Address) -> String { FileNameText.words(of: address) }

    /// What all of at least three titles end with, if it reads like an addition: two words or more, or after a dash or bar; in characters.
    static func commonTail(of titles: [String]) -> Int {
        guard titles.count >= 3 else { return 0 }
        let first = Array(titles[0].utf8)
        var shared = first.count
        var shortest = first.count
        for title in titles.dropFirst() {
            shortest = min(shortest, title.utf8.count)
            var common = 0
            for (byte, own) in zip(title.utf8.reversed(), first.reversed().prefix(shared)) {
                if byte != own { break }
                common += 1
            }
            shared = common
            if shared == 0 { return 0 }
        }
        // Whole words only, and something must be left of every title.
        guard let blank = first[(first.count - shared)...].firstIndex(of: 0x20) else { return 0 }
        guard first.count - blank < shortest, Set(titles).count > 1 else { return 0 }
        let tail = String(decoding: first[blank...], as: UTF8.self)
        let words = tail.split(separator: " ")
        let isAddition =
            words.count >= 2
            || words.first.map { $0.count == 1 || FileNameText.isMark($0) } ?? false
        return isAddition ? tail.count : 0
    }

    /// A first word that all titles have and that only says what they are titles of; in characters, with the blank after it.
    static func commonHead(of titles: [String]) -> Int {
        guard titles.count >= 3, let word = titles[0].split(separator: " ").first,
            word.hasSuffix(":") ? FileNameText.isMark(word.dropLast()) : FileNameText.isSmall(word),
            titles.allSatisfy({ $0.hasPrefix(word + " ") })
        else { return 0 }
        return word.count + 1
    }
}
