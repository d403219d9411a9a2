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

    private static let attributes = [
        "data-caption", "data-sub-html", "data-title", "data-image-title", "data-lightbox-title",
    ]
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

    /// The first that says something, in the order of how likely it was written for readers.
    static func title(of candidate: Candidate, address: Address) -> Title {
        let caption = caption(in: candidate.item)
        let sources: [() -> String?] = [
            { caption.figcaption }, { attribute(of: candidate) }, { caption.heading },
            { candidate.anchor.flatMap { clean($0.attribute(.ariaLabel)) } },
        ]
        for source in sources {
            if let text = source() { return Title(text: text) }
        }
        if let text = clean(candidate.node.attribute(.alt)) {
            return Title(text: text, isAlternative: true)
        }
        let rest =
            clean(candidate.anchor?.attribute(.title)) ?? clean(candidate.node.attribute(.title))
            ?? clean(candidate.node.attribute(.ariaLabel)) ?? linkText(candidate)
        return Title(text: rest ?? fromFileName(address))
    }

    /// A longer text beside the title.
    static func summary(of candidate: Candidate, besides title: String) -> String? {
        let texts = ["data-image-description", "data-description"].compactMap { name in
            candidate.node.attribute(name) ?? candidate.anchor?.attribute(name)
        }
        let found = texts.lazy.map { Text.line(stripped($0)) }.first { !$0.isEmpty && $0 != title }
        return found
            ?? candidate.node.attribute(.title).map { Text.line($0) }.flatMap {
                $0.isEmpty || $0 == title || uninformative.contains($0.lowercased()) ? nil : $0
            }
    }

    private static func attribute(of candidate: Candidate) -> String? {
        let nodes = [candidate.anchor, candidate.node, candidate.item].compactMap { $0 }
        for node in nodes {
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

    private static func caption(in item: Node) -> (figcaption: String?, heading: String?) {
        var heading: String?
        for node in item.descendants.prefix(maxElements) where !node.isText {
            switch node.name {
            case .figcaption:
                if let text = clean(node.textContent) { return (text, heading) }
            case .h1, .h2, .h3, .h4, .h5, .h6:
                heading = heading ?? clean(node.textContent)
            default:
                if heading == nil, node.hasClass(in: captionClasses) {
                    heading = clean(node.textContent)
                }
            }
        }
        return (nil, heading)
    }

    private static func linkText(_ candidate: Candidate) -> String? {
        candidate.anchor.flatMap { clean($0.textContent) } ?? clean(candidate.item.textContent)
    }

    /// One line, if it says anything.
    private static func clean(_ text: String?) -> String? {
        guard let text else { return nil }
        let line = Text.line(text)
        let isUseful =
            !line.isEmpty && line.utf8.count <= maxTitle
            && !uninformative.contains(line.lowercased())
        return isUseful ? line : nil
    }

    /// Captions in attributes are often markup.
    private static func stripped(_ value: String) -> String {
        value.includes("<")
            ? Document(html: Array(value.utf8), charset: "utf-8").root.textContent : value
    }

    /// The file's name without ending and size, in words.
    static func fromFileName(_ address: Address) -> String {
        var name = address.lastPathComponent[...]
        if let point = name.lastIndex(of: "."), point > name.startIndex { name = name[..<point] }
        if AddressHints(address).size != nil,
            let dash = name.lastIndex(where: { $0 == "-" || $0 == "_" }),
            dash > name.startIndex
        {
            name = name[..<dash]
        }
        return Text.line(String(name.map { $0 == "_" || $0 == "-" || $0 == "+" ? " " : $0 }))
    }

    /// What all of at least three titles end with, if it reads like an addition: two words or more, or after a dash or bar.
    static func commonTail(of titles: [String]) -> Int {
        guard titles.count >= 3, var tail = titles.first.map({ Array($0) }) else { return 0 }
        for title in titles.dropFirst() {
            let reversed = title.reversed()
            let shared = zip(tail.reversed(), reversed).prefix { $0 == $1 }.count
            tail = Array(tail.suffix(shared))
            if tail.isEmpty { return 0 }
        }
        // Whole words only, and something must be left of every title.
        while let first = tail.first, first != " " { tail.removeFirst() }
        let shortest = titles.map(\.count).min() ?? 0
        let words = tail.split(separator: " ")
        let isAddition = words.count >= 2 || words.first.map { $0.count == 1 } ?? false
        return isAddition && tail.count < shortest && Set(titles).count > 1 ? tail.count : 0
    }
}
