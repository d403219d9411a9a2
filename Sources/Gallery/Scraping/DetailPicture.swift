import Markup
import Network

/// What a detail page is about: one picture, in full.
struct DetailPicture {
    private let document: Document
    private let context: PageContext
    private let links: [Node]

    /// A picture this much larger than all others of a page is what the page is about; the others are a strip of thumbnails.
    private static let dominance = 4

    init(document: Document, context: PageContext, links: [Node]) {
        self.document = document
        self.context = context
        self.links = links
    }

    /// The picture; nil for a gallery.
    ///
    /// - Parameters:
    ///   - pictures: those of the main part.
    ///   - linked: those that JSON-LD names.
    func find(among pictures: [Picture], linked: [Picture]) -> Picture? {
        let main = pictures.count == 1 ? pictures[0] : dominant(pictures)
        guard var picture = main ?? (pictures.isEmpty ? named(linked) : nil) else { return nil }
        if let download, !picture.rungs.contains(where: { $0.address == download }) {
            picture.rungs.append(Picture.Rung(address: download))
            picture.width = nil
            picture.height = nil
        }
        return picture
    }

    /// The one picture that is much larger than every other, where all sizes are known.
    private func dominant(_ pictures: [Picture]) -> Picture? {
        func area(_ picture: Picture) -> Int? {
            guard let width = picture.width, let height = picture.height else { return nil }
            return width * height
        }
        let areas = pictures.map(area)
        guard let place = areas.indices.max(by: { areas[$0] ?? 0 < areas[$1] ?? 0 }),
            let size = areas[place]
        else { return nil }
        let isAlone = areas.indices.allSatisfy { other in
            guard other != place else { return true }
            let leadsOn = pictures[other].link != nil || pictures[other].rungs.count > 1
            return leadsOn && areas[other].map { $0 * DetailPicture.dominance <= size } ?? false
        }
        return isAlone ? pictures[place] : nil
    }

    /// What the page's data or its card for others names.
    private func named(_ linked: [Picture]) -> Picture? {
        linked.count == 1 ? linked[0] : OpenGraph.picture(of: document, context: context)
    }

    /// A link that offers the file itself: `a[download]`, or one whose text says so.
    private var download: Address? {
        let attribute = document.name("download")
        for link in links {
            let isOffered = attribute.map(link.has) ?? false
            guard isOffered || DetailPicture.says(link), let href = link.attribute(.href),
                let address = context.resolve(href)
            else { continue }
            let hints = AddressHints(address)
            if hints.looksLikePicture || isOffered && hints.couldBePicture { return address }
        }
        return nil
    }

    private static let words = [
        "full size", "full-size", "fullsize", "original", "full resolution", "full image",
        "download",
        "high resolution", "view larger", "larger version",
    ]

    private static func says(_ link: Node) -> Bool {
        guard let text = link.shortText(limit: 60)?.lowercased(), !text.isEmpty else {
            return false
        }
        return words.contains(where: text.contains)
    }
}

extension Page {
    /// The picture on this page that `thumbnail`, found on another page with a link to this one, stands for.
    ///
    /// The one that bears its name if there is one, else what this page is about; nil if it is a gallery of other pictures.
    public func fullPicture(for thumbnail: Picture) -> Picture? {
        let names = Set(thumbnail.rungs.map { Page.key(of: $0.address) })
        let isNamesake = { (picture: Picture) in
            picture.rungs.contains { names.contains(Page.key(of: $0.address)) }
        }
        // One that stands alone comes first: in a strip of thumbnails its own small version may stand too.
        if let other = others.first(where: isNamesake) { return other }
        let namesakes = pictures.filter(isNamesake)
        return namesakes.count == 1 ? namesakes[0] : detail
    }

    /// A file's name without what marks its size.
    private static func key(of address: Address) -> String {
        FileNameText.words(of: address).lowercased()
    }
}
