import Basics
import Markup
import Network

/// The pictures described by a page's JSON-LD (https://schema.org/ImageObject): arrays, `@graph`, galleries and lists.
struct LinkedData {
    /// The pictures in page order, without duplicates.
    private(set) var pictures: [Picture] = []
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
    /// Properties for authors, publishers and related things, whose pictures are not the page's, and for the picture that stands for it.
    private static let foreignKeys = wordSet(
        """
        publisher author creator logo isPartOf copyrightHolder review brand aggregateRating provider
        sponsor sourceOrganization breadcrumb comment potentialAction significantLink about video
        contributor primaryImageOfPage
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
        if !types.isDisjoint(with: LinkedData.imageTypes) { return add(value) }
        if !inGallery, !types.isDisjoint(with: LinkedData.subjectTypes) {
            subjectCount += 1
            subjects += value.items("image").compactMap(address)
        }
        let isGallery = !types.isDisjoint(with: LinkedData.galleryTypes)
        for member in value.members where !LinkedData.foreignKeys.contains(member.key) {
            switch member.key {
            case "image", "photo", "photos":
                addImages(member.value, of: value, isGallery: isGallery, isEntry: inGallery)
            case let key:
                let isList = key == "itemListElement" || key == "hasPart"
                walk(member.value, depth: depth + 1, inGallery: inGallery || isList)
            }
        }
    }

    private static func types(of object: LooseValue) -> Set<String> {
        let names = (object["@type"] ?? object["type"])?.list.compactMap(\.text) ?? []
        return Set(names.map { String($0.split { $0 == "/" || $0 == ":" }.last ?? "") })
    }

    /// Adds images: several of a gallery are its pictures, and an entry's is the entry's; an article's own are ignored.
    private mutating func addImages(
        _ value: LooseValue, of object: LooseValue, isGallery: Bool, isEntry: Bool
    ) {
        let images = value.list
        if isEntry, let first = images.first {
            add(object, image: first)
        } else if images.count >= (isGallery ? 2 : ScriptDataGallery.minCount) {
            for image in images { add(image, image: image.text == nil ? nil : image) }
        }
    }
}

extension LinkedData {
    /// Adds the picture of an object with an `image`, such as a work or a product, or of an image object: its `contentUrl`, or its `url`
    /// unless that is its page.
    ///
    /// - Parameters:
    ///   - object: provides the words and the page.
    ///   - image: provides the size and the thumbnail; nil if that is the object itself.
    private mutating func add(_ object: LooseValue, image: LooseValue? = nil) {
        let own =
            address(object["contentUrl"])
            ?? address(object["url"]).flatMap { AddressHints($0).couldBePicture ? $0 : nil }
        guard let full = image.map(address) ?? own, seen.insert(full).inserted else { return }
        let pages = ["url", "mainEntityOfPage", "acquireLicensePage"].compactMap {
            address(object[$0])
        }
        let image = image ?? object
        let (width, height) = (LinkedData.side(image["width"]), LinkedData.side(image["height"]))
        let small = address(image["thumbnailUrl"]) ?? address(image["thumbnail"])
        let variants = [
            small == full ? nil : small.map { Picture.Variant(address: $0) },
            Picture.Variant(address: full, width: width, height: height),
        ]
        let words = ObjectWords(object)
        let picture = Picture(
            data: variants, title: words.title, date: words.date,
            link: pages.first { $0 != full && !AddressHints($0).looksLikePicture },
            summary: words.summary, isFullKnown: false, context)
        picture.map { pictures.append($0) }
    }

    /// Returns the address in a text, or in an object's `contentUrl`, `url` or `@id`, or in the first of several texts.
    private func address(_ value: LooseValue?) -> Address? {
        let keys = ["contentUrl", "url", "@id"]
        return context.resolve(
            value?.text ?? keys.lazy.compactMap { value?[$0]?.text }.first
                ?? value?.elements.first?.text)
    }

    /// Parses `1600`, `"1600"`, `"1600 px"` or `{"value": 1600}`.
    private static func side(_ value: LooseValue?) -> Pixels? {
        value?.pixels ?? value?["value"]?.pixels
            ?? value?.text.flatMap { Pixels($0.prefix { $0.isNumber }) }
    }

    /// Completes the pictures in the page's markup with what the data says of them: the full size, a title, a date.
    func complete(_ others: inout [Picture]) {
        func addresses(of picture: Picture) -> [Address] {
            picture.variants.map(\.address) + [picture.link].compactMap { $0 }
        }
        var byAddress: [Address: Picture] = [:]
        // Keyed by the file name without its extension and size; nil if several pictures share it.
        var byStem: [Substring: Picture?] = [:]
        for picture in pictures {
            for address in addresses(of: picture) where byAddress[address] == nil {
                byAddress[address] = picture
            }
            let stem = FileNameText.stem(of: picture.image)
            byStem.updateValue(byStem.keys.contains(stem) ? nil : picture, forKey: stem)
        }
        for index in others.indices {
            var picture = others[index]
            let partner = addresses(of: picture).lazy.compactMap { byAddress[$0] }.first
            guard let data = partner ?? byStem[FileNameText.stem(of: picture.image)] ?? nil else {
                continue
            }
            if picture.title.isEmpty || picture.title == FileNameText.words(of: picture.image) {
                picture.title = data.title
            }
            picture.summary = picture.summary ?? data.summary
            picture.date = picture.date ?? data.date
            if !picture.variants.contains(where: { $0.address == data.image }) {
                let full = data.lastVariant
                picture.variants.append(full)
                picture.isFullKnown = true
                (picture.width, picture.height) = (full.width, full.height)
            }
            others[index] = picture
        }
    }
}
