import Basics
import Markup
import Network

/// The confidence that a candidate belongs to the gallery: the sum of the weights of its signs (after Postlight, Readability and goose3).
struct Score {
    private(set) var total = 0
    private let weights: Weights
    /// A bit for each sign, by its number: a page has thousands of candidates.
    private var bits: UInt32 = 0

    /// The signs that the candidate has, and what each counts.
    var signs: [(sign: Sign, points: Int)] {
        Sign.allCases.filter { bits >> $0.rawValue & 1 == 1 }.map { ($0, weights[$0]) }
    }

    /// - Parameter takesSmall: whether small pictures count like others if they are repeated.
    init(
        _ candidate: Candidate, in pageIndex: borrowing PageIndex,
        _ evidence: borrowing GroupEvidence, _ group: GroupEvidence.Group, weights: Weights,
        takesSmall: Bool
    ) {
        self.weights = weights
        markup(candidate, pageIndex)
        names(candidate, pageIndex)
        if !candidate.linksToPicture, !candidate.isExplicit {
            // More pictures are more than the icons of a page.
            let isMany = group.isWall || takesSmall && group.isLarge
            let iconSide = isMany ? 50 : takesSmall && group.isRepeated ? 70 : nil
            area(candidate, pageIndex, iconSide: iconSide)
            add(.namedAgain, if: evidence.isNamedAgain(candidate, in: group))
        }
        add(.repeatedStructure, if: group.isRepeated)
    }

    private mutating func add(_ sign: Sign, if holds: Bool = true) {
        guard holds else { return }
        total += weights[sign]
        bits |= 1 << sign.rawValue
    }

    private mutating func markup(_ candidate: Candidate, _ pageIndex: PageIndex) {
        add(.lightbox, if: candidate.isExplicit)
        if candidate.linksToPicture {
            add(.linksToPicture)
        } else {
            add(.namesFullSize, if: pageIndex.namesFullSize(candidate))
        }
        add(.figure, if: candidate.landmarks.contains(.figure))
        add(.classOfGallery, if: candidate.landmarks.contains(.gallery))
        add(.content, if: candidate.landmarks.contains(.content))
        add(.background, if: candidate.kind == .background)
        add(.namedByPage, if: isPreferred(candidate, pageIndex))
        let leadsToStart = candidate.link.map { link in
            pageIndex.addresses.withText(of: link) { $0.last == "/" && $0.count { $0 == "/" } == 3 }
        }
        add(.linksToStartPage, if: leadsToStart ?? false)
    }

    /// Whether the page names the picture for other sites and search engines.
    private func isPreferred(_ candidate: Candidate, _ pageIndex: PageIndex) -> Bool {
        if pageIndex.tree.attribute(.itemprop, of: candidate.node)?.equals("image") ?? false {
            return true
        }
        guard !pageIndex.preferred.isEmpty, let best = pageIndex.best(of: candidate) else {
            return false
        }
        let stem = FileNameText.stem(of: pageIndex.addresses[best.address])
        return pageIndex.preferred.contains(stem)
    }

    private mutating func names(_ candidate: Candidate, _ pageIndex: PageIndex) {
        guard let address = pageIndex.best(of: candidate)?.address else { return }
        let words = pageIndex.addresses.withText(of: address) { AddressWords($0) }
        let ending = pageIndex.addresses.hints(of: address).ending
        let isPhoto = ending == .photo
        add(.wordsOfPictures, if: words.contains(.photo))
        let isButton =
            !isPhoto
            && (AddressWords.isControl(pageIndex.addresses[address].lastPathComponent)
                || [Name.alt, .title].contains { name in
                    pageIndex.text(name, of: candidate.node).map(AddressWords.isControl) ?? false
                })
        add(.nameOfButton, if: isButton)
        add(.wordsOfOrnaments, if: words.contains(.ornament))
        add(.endingOfPhotographs, if: isPhoto)
        // Comics in GIF have their day or number for a name.
        add(
            .endingOfDrawings,
            if: ending == .drawing && !FileNameText.isNumbered(pageIndex.addresses[address]))
    }

    /// Adds the signs of the size; with `iconSide`, thumbnails with a longer side may be small.
    private mutating func area(_ candidate: Candidate, _ pageIndex: PageIndex, iconSide: Int?) {
        let largest = pageIndex.offers(of: candidate).max {
            ($0.width?.count ?? 0) < ($1.width?.count ?? 0)
        }
        // A width from `srcset` or a file name is the picture's own; attributes only specify the displayed size.
        let width = (largest?.width ?? candidate.shown.width)?.count
        let height = (largest?.width == nil ? candidate.shown.height : largest?.height)?.count
        if let width, let height {
            if let iconSide, max(width, height) > iconSide, min(width, height) > 32 { return }
            add(.large, if: width * height > 40_000)
            add(.small, if: width * height < 5_000)
            // By goose3's rule.
            add(.shapeOfBanner, if: width > 5 * height || height > 5 * width)
        } else if let width {
            add(.wide, if: width >= 400)
        }
        add(.narrow, if: [width, height].contains { $0.map { $0 <= 50 } ?? false })
    }
}

/// A fact about a candidate, its group or its page that counts for or against it.
enum Sign: Int, CaseIterable {
    // Its markup.
    case lightbox, linksToPicture, namesFullSize, figure, classOfGallery, content
    case background, namedByPage, linksToStartPage
    // Its address and texts.
    case wordsOfPictures, wordsOfOrnaments, nameOfButton
    case endingOfPhotographs, endingOfDrawings
    // Its size.
    case large, wide, small, narrow, shapeOfBanner
    // Its group and page.
    case repeatedStructure, namedAgain

    /// Its name in words.
    var name: String {
        "\(self)".reduce(into: "") { words, letter in
            words += letter.isUppercase ? " " + letter.lowercased() : String(letter)
        }
    }
}

/// What each sign counts, in points: a candidate belongs to the gallery if its signs sum to 0 or more.
struct Weights: Sendable {
    private let points: [Int]

    init(_ points: [Sign: Int]) {
        self.points = Sign.allCases.map { points[$0] ?? 0 }
    }

    subscript(sign: Sign) -> Int { points[sign.rawValue] }

    /// Tuned by hand; `make fit` compares them with those that logistic regression finds in labelled pages.
    static let standard = Weights([
        .lightbox: 40, .linksToPicture: 30, .namesFullSize: 20,
        .figure: 25, .classOfGallery: 15, .content: 5,
        .background: -20, .namedByPage: 30, .linksToStartPage: -15,
        .wordsOfPictures: 10, .wordsOfOrnaments: -30, .nameOfButton: -60,
        .endingOfPhotographs: 10, .endingOfDrawings: -5,
        .large: 40, .wide: 20, .small: -100, .narrow: -50, .shapeOfBanner: -80,
        .repeatedStructure: 20, .namedAgain: -60,
    ])
}
