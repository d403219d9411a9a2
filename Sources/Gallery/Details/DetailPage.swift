import Basics
import Markup
public import Network
public import Pipeline

/// What the page behind a thumbnail is.
public enum Detail: Hashable, Sendable {
    /// A page about one picture: the full picture, and the rule that found it.
    case picture(Picture.Variant, DetailRule)
    /// A gallery of its own.
    case album
}

/// The rule that found the full picture on a detail page; the pages of one gallery are built alike.
public enum DetailRule: Hashable, Sendable {
    /// The link leads to the picture itself.
    case itself
    /// A download link.
    case download
    /// An element with this path (`main > div.photo > img`).
    case element(String)
    /// The page's JSON-LD.
    case linkedData
    /// The page's preview picture for other sites (`og:image`).
    case openGraph
}

/// Finds the full picture behind a thumbnail.
public protocol DetailLoading: Sendable {
    /// Loads the page that `picture` links to; callable on any thread. Loading the same page twice costs one request.
    ///
    /// `completion` runs exactly once, on no particular queue; with `cancelled` after cancelling, and with `noPictures` for a picture
    /// without a link.
    /// - Parameters:
    ///   - rule: the rule that found the picture on another page of the same gallery, tried first.
    ///   - generation: the cache generation that limits which cached responses may be used.
    func loadDetail(
        of picture: Picture, rule: DetailRule?, generation: CacheGeneration, priority: Priority,
        completion: @escaping LoadReceiver<Detail>
    ) -> Subscription
}

/// Reads the page behind a thumbnail: finds its main picture, or recognises it as a gallery.
struct DetailPage {
    private let document: Document
    private let context: PageContext
    private let picture: Picture
    private let rule: DetailRule?
    private let names: NameWords
    /// The picture offered with the highest score, the first of several.
    private var best: (variant: Picture.Variant, rule: DetailRule, score: Int)?
    /// The numbers of repeated pictures that link to pages of their own, and that link to pictures.
    private var members = (toPages: 0, toPictures: 0)
    /// Whether a picture outside any repetition is likely the main one.
    private var hasMain = false

    /// The minimum score of what is offered: a banner may happen to be large.
    private static let enough = 30
    /// The minimum number of pictures of one kind in a gallery.
    private static let albumCount = 4
    /// The area in pixels from which a picture counts as the page's main content.
    private static let mainArea = 120_000

    init(_ document: Document, context: PageContext, of picture: Picture, rule: DetailRule?) {
        self.document = document
        self.context = context
        self.picture = picture
        self.rule = rule
        names = NameWords(picture.thumbnail)
        document.read { tree in
            let read = GroupedPage(document, tree: tree, context: context)
            let page = read.found
            for group in read.groups.groups {
                let members = group.members.map { page.candidates[$0] }.filter { candidate in
                    read.summary.related.part(of: candidate.node) == nil
                        && page.collector.isOfContent(candidate.node)
                }
                add(members, page.pageIndex)
            }
            for link in page.collector.links { addDownload(document.node(link)) }
        }
        addData()
    }

    /// What the page is; nil if it has no picture that could be the one wanted.
    var detail: Detail? {
        if max(members.toPictures, hasMain ? 0 : members.toPages) >= Self.albumCount {
            return .album
        }
        if let best { return .picture(best.variant, best.rule) }
        let data = ScriptLiterals(of: document).values
        return ScriptDataGallery(in: data, context: context).pictures.isEmpty ? nil : .album
    }

    private mutating func add(_ group: [Candidate], _ pageIndex: PageIndex) {
        for candidate in group {
            guard let last = Variants().variants(of: candidate, in: pageIndex).last else {
                continue
            }
            let variant = Picture.Variant(
                address: pageIndex.addresses[last.address], width: last.width, height: last.height)
            let area =
                ((variant.width ?? candidate.shown.width)?.count ?? 0)
                * ((variant.height ?? candidate.shown.height)?.count ?? 0)
            var score = candidate.linksToPicture || candidate.isExplicit ? 45 : 20
            score += min(area / 20_000, 30)
            // Numbers in the names of two sizes differ.
            if group.count == 1, likeness(of: variant.address) == 0,
                !names.words.isDisjoint(with: NameWords(variant.address).words)
            {
                score += 15
            }
            if group.count >= Scraper.galleryCount {
                score -= 40
                if candidate.link != nil { members.toPages += 1 }
                if candidate.linksToPicture { members.toPictures += 1 }
            } else if candidate.link == nil,
                likeness(of: variant.address) > 0 || candidate.linksToPicture
                    || area >= Self.mainArea
            {
                hasMain = true
            }
            offer(variant, .element(document.node(candidate.node).path), score)
        }
    }

    private mutating func addDownload(_ link: Node) {
        let isMarked = link.attribute("download") != nil
        let text = link.shortText(limit: 60)?.lowercased() ?? ""
        guard isMarked || Self.downloadWords.contains(where: text.contains),
            let target = context.resolve(link.attribute(.href))
        else { return }
        let hints = AddressHints(target)
        guard hints.looksLikePicture || isMarked && hints.couldBePicture else { return }
        offer(Picture.Variant(named: target), .download, isMarked ? 60 : 50)
    }

    private static let downloadWords = phraseList(
        """
        download, original, full size, full-size, fullsize, full resolution, full image,
        high resolution, view larger, larger version
        """)

    private mutating func addData() {
        let linked = ScriptLiterals(of: document, onlyLinkedData: true).values.compactMap {
            ObjectPicture.first(in: $0, context: context)
        }
        // Several pictures are a gallery's, of which only the matching one counts.
        for other in linked where linked.count == 1 || likeness(of: other.image) > 0 {
            offer(other.lastVariant, .linkedData, 40)
        }
        if let named = OpenGraph(of: document, context: context).picture {
            offer(named, .openGraph, 30)
        }
    }

    private mutating func offer(_ variant: Picture.Variant, _ rule: DetailRule, _ score: Int) {
        var score = score + likeness(of: variant.address)
        if rule == self.rule { score += 50 }
        // An address that is already known gains nothing.
        if picture.variants.contains(where: { $0.address == variant.address }) { score -= 10 }
        if score > best?.score ?? Self.enough - 1 { best = (variant, rule, score) }
    }

    /// Returns points for a file name similar to the thumbnail's.
    private func likeness(of address: Address) -> Int {
        let likeness = names.likeness(to: NameWords(address))
        return likeness >= 0.5 ? Int(60 * likeness) : 0
    }
}

/// The words in a picture's file name, for deciding whether two files are the same picture in two sizes.
struct NameWords {
    var words: Set<String> = []
    private var numbers: Set<String> = []

    /// Words for sizes or cameras, which do not distinguish pictures.
    private static let empty = wordSet(
        """
        thumb thumbs thumbnail thumbnails small medium large full original orig preview scaled big
        web img image images dsc dscn dscf photo photos picture pictures media uploads files jpg
        jpeg png webp gif cache resize crop max min size sq square
        """)

    /// Takes the last two components of the path: if every file is called `large.jpg`, the folder distinguishes them.
    init(_ address: Address) {
        let parts = address.withoutQuery.split(separator: "/").dropFirst(2).suffix(2)
        let name = parts.joined(separator: "/").lowercased()
        for word in name.split(whereSeparator: { !$0.isAlphanumeric }).map(String.init) {
            if word.utf8.allSatisfy(\.isDigit) {
                numbers.insert(word)
            } else if word.count > 1, !NameWords.empty.contains(word), !NameWords.isSize(word) {
                words.insert(word)
            }
        }
    }

    /// Whether the word is a size: `640x480`, `w640`, `640px`, `2x`.
    private static func isSize(_ word: String) -> Bool {
        word.contains(where: \.isNumber)
            && ["x", "w", "h", "px", "p"].contains(word.filter(\.isLetter))
    }

    /// Returns the confidence that both are the same picture, from 0 to 1.
    ///
    /// Numbers are decisive if both have them: `harbour-12` and `harbour-13` differ in nothing else.
    func likeness(to other: NameWords) -> Double {
        if !numbers.isEmpty, !other.numbers.isEmpty, numbers.isDisjoint(with: other.numbers) {
            return 0
        }
        let own = words.union(numbers)
        let others = other.words.union(other.numbers)
        let shared = Double(own.intersection(others).count)
        return shared / Double(max(1, min(own.count, others.count)))
    }
}
