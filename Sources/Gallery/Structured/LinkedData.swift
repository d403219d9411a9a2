import Basics
import Markup
import Network

/// The pictures described by a page's JSON-LD (https://schema.org/ImageObject): arrays, `@graph`, galleries and lists.
struct LinkedData {
    /// The pictures in page order, without duplicates.
    private(set) var pictures: [Picture] = []
    private(set) var next: Address?
    /// Whether the page declares one article, recipe, product or the like, and no list.
    var isAboutOne: Bool { (1...2).contains(subjectCount) }
    /// The pictures of what the page is about.
    private(set) var subjects: [Address] = []
    private var subjectCount = 0

    private let context: PageContext
    private var seen: Set<Address> = []
    private var visits = 0

    private static let maxDepth = 20
    private static let maxVisits = 200_000
    private static let imageTypes = wordSet("ImageObject Photograph ImageObjectSnapshot Barcode")
    private static let galleryTypes = wordSet(
        """
        ImageGallery MediaGallery CollectionPage ItemList Collection OfferCatalog SearchResultsPage
        WebPage ItemPage ProfilePage Gallery
        """)
    static let subjectTypes = wordSet(
        """
        Article NewsArticle BlogPosting Recipe Product VideoObject Report ReportageNewsArticle
        TechArticle Review HowTo Book Movie Event JobPosting
        """)
    /// Properties for authors, publishers and related things, whose pictures are not the page's.
    private static let foreignKeys = wordSet(
        """
        publisher author creator logo isPartOf copyrightHolder review brand aggregateRating provider
        sponsor sourceOrganization breadcrumb comment potentialAction significantLink about video
        contributor
        """)

    init(of document: Document, context: PageContext) {
        self.context = context
        for value in ScriptLiterals(of: document, isLinkedData: true).values {
            walk(value, depth: 0, inGallery: false)
        }
    }

    private mutating func walk(_ value: LooseValue, depth: Int, inGallery: Bool) {
        visits += 1
        guard depth < LinkedData.maxDepth, visits < LinkedData.maxVisits else { return }
        for element in value.elements { walk(element, depth: depth + 1, inGallery: inGallery) }
        guard !value.members.isEmpty else { return }
        let types = LinkedData.types(of: value)
        if !types.isDisjoint(with: LinkedData.imageTypes) {
            add(imageObject(value))
            return
        }
        if !inGallery, !types.isDisjoint(with: LinkedData.subjectTypes) {
            subjectCount += 1
            if let image = value["image"] {
                let images = image.elements.isEmpty ? [image] : image.elements
                subjects += images.compactMap(address)
            }
        }
        let isGallery = !types.isDisjoint(with: LinkedData.galleryTypes)
        if isGallery { findNext(in: value) }
        if types.contains("ListItem"), value["item"]?.members.isEmpty ?? true {
            add(listItem(value))
            return
        }
        for member in value.members where !LinkedData.foreignKeys.contains(member.key) {
            if member.key == "image" || member.key == "photo" || member.key == "photos" {
                addImages(member.value, of: value, isGallery: isGallery, isEntry: inGallery)
            } else if member.key != "primaryImageOfPage" {
                let isList = member.key == "itemListElement" || member.key == "hasPart"
                walk(member.value, depth: depth + 1, inGallery: inGallery || isList)
            }
        }
    }

    private static func types(of object: LooseValue) -> Set<String> {
        guard let type = object["@type"] ?? object["type"] else { return [] }
        let names = [type.text].compactMap { $0 } + type.elements.compactMap(\.text)
        return Set(names.map { String($0.split { $0 == "/" || $0 == ":" }.last ?? "") })
    }

    /// Adds images: several of a gallery are its pictures, and an entry's is the entry's; an article's own are ignored.
    private mutating func addImages(
        _ value: LooseValue, of object: LooseValue, isGallery: Bool, isEntry: Bool
    ) {
        let images = value.elements.isEmpty ? [value] : value.elements
        if isEntry, let first = images.first {
            add(entry(object, image: first))
        } else if isGallery || images.count >= StateGallery.minCount {
            guard images.count >= 2 else { return }
            for image in images {
                add(image.text == nil ? imageObject(image) : entry(image, image: image))
            }
        }
    }

    private mutating func add(_ picture: Picture?) {
        guard let picture, seen.insert(picture.image).inserted else { return }
        pictures.append(picture)
    }

    private mutating func findNext(in object: LooseValue) {
        let named = object["pagination"] ?? object["relatedLink"]
        let text = named?.text ?? named?["relatedLink"]?.text ?? named?["url"]?.text
        next = next ?? context.resolve(text)
    }
}

extension LinkedData {
    /// Reads an image object: `contentUrl` is the picture, and `url` its page unless it is the only address.
    private func imageObject(_ object: LooseValue) -> Picture? {
        let url = address(object["url"])
        guard
            let full = address(object["contentUrl"])
                ?? url.flatMap({ AddressHints($0).couldBePicture ? $0 : nil })
        else { return nil }
        let pages = [
            url, address(object["mainEntityOfPage"]), address(object["acquireLicensePage"]),
        ]
        let page = pages.lazy.compactMap { $0 }.first {
            $0 != full && !AddressHints($0).looksLikePicture
        }
        return picture(object, full: full, image: object, link: page)
    }

    private func listItem(_ object: LooseValue) -> Picture? {
        object["image"].flatMap { entry(object, image: $0.elements.first ?? $0) }
    }

    /// Reads an object with an `image`, such as a work or a product; its `url` is its page.
    private func entry(_ object: LooseValue, image: LooseValue) -> Picture? {
        guard let full = address(image) else { return nil }
        let page = address(object["url"]).flatMap { $0 == full ? nil : $0 }
        return picture(object, full: full, image: image, link: page)
    }

    /// - Parameters:
    ///   - object: provides the words.
    ///   - image: provides the size and the thumbnail.
    private func picture(
        _ object: LooseValue, full: Address, image: LooseValue, link: Address?
    ) -> Picture {
        let (width, height) = (LinkedData.side(image["width"]), LinkedData.side(image["height"]))
        var variants = [Picture.Variant(address: full, width: width, height: height)]
        let small = address(image["thumbnailUrl"]) ?? address(image["thumbnail"])
        if let small, small != full { variants.insert(Picture.Variant(address: small), at: 0) }
        let words = ObjectWords(object)
        return Picture(
            variants: variants, link: link, page: context.address,
            title: words.title ?? FileNameText.words(of: full), summary: words.summary,
            date: words.date, width: width, height: height)
    }

    /// Returns the address in a text, or in an object's `contentUrl`, `url` or `@id`.
    private func address(_ value: LooseValue?) -> Address? {
        guard let value else { return nil }
        let text =
            value.text ?? value["contentUrl"]?.text ?? value["url"]?.text ?? value["@id"]?.text
            ?? value.elements.first?.text
        return context.resolve(text)
    }

    /// Parses `1600`, `"1600"`, `"1600 px"` or `{"value": 1600}`.
    private static func side(_ value: LooseValue?) -> Pixels? {
        guard let value else { return nil }
        if let number = value.integer ?? value["value"]?.integer { return Pixels(number) }
        return value.text.flatMap { Pixels($0.prefix { $0.isNumber }) }
    }
}

/// Completes the pictures in a page's markup with data from its JSON-LD: the full size, a title, a date.
struct Enrichment {
    /// Keyed by the addresses of the picture and of its page.
    private var byAddress: [Address: Picture] = [:]
    /// Keyed by the file name without its extension and size; nil if several pictures share it.
    private var byStem: [Substring: Picture?] = [:]

    init(_ pictures: [Picture]) {
        for picture in pictures {
            for address in Enrichment.addresses(of: picture) where byAddress[address] == nil {
                byAddress[address] = picture
            }
            let stem = FileNameText.stem(of: picture.image)
            byStem.updateValue(byStem.keys.contains(stem) ? nil : picture, forKey: stem)
        }
    }

    /// Returns the pictures, completing each that the data describes.
    func completed(_ pictures: PictureList) -> PictureList {
        guard !byAddress.isEmpty else { return pictures }
        var completed = Array(pictures)
        complete(&completed)
        return PictureList(completed)
    }

    /// Completes each of `pictures` that the data describes.
    func complete(_ pictures: inout [Picture]) {
        guard !byAddress.isEmpty else { return }
        for index in pictures.indices {
            let partner = Enrichment.addresses(of: pictures[index]).lazy
                .compactMap { byAddress[$0] }.first
            if let other = partner ?? byStem[FileNameText.stem(of: pictures[index].image)] ?? nil {
                Enrichment.complete(&pictures[index], with: other)
            }
        }
    }

    private static func addresses(of picture: Picture) -> [Address] {
        picture.variants.map(\.address) + [picture.link].compactMap { $0 }
    }

    private static func complete(_ picture: inout Picture, with other: Picture) {
        if picture.title.isEmpty || picture.title == FileNameText.words(of: picture.image) {
            picture.title = other.title
        }
        picture.summary = picture.summary ?? other.summary
        picture.date = picture.date ?? other.date
        guard !picture.variants.contains(where: { $0.address == other.image }),
            let full = other.variants.last
        else { return }
        picture.variants.append(full)
        picture.isFullKnown = true
        picture.width = full.width
        picture.height = full.height
    }
}
