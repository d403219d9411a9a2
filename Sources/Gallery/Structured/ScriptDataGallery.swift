import Basics
import Markup
import Network

/// The gallery in data that a page carries for its scripts, tried last.
///
/// It is an array of at least three objects with a picture each; of several arrays, the one with the most pictures.
struct ScriptDataGallery {
    /// The pictures in the array's order; empty if there is none.
    var pictures: [Picture] = []
    var next: Address?

    private let context: PageContext

    private static let maxVisits = 500_000
    private static let nextKeys = wordSet("next_url nextUrl nextPageUrl next_page_url")

    /// Whether a script shows these pictures in addition to the markup's: each has words or sizes of its own, and none links to another
    /// page, as related pictures do.
    var isToBeShown: Bool {
        !pictures.isEmpty
            && pictures.allSatisfy { picture in
                picture.link == nil
                    && (picture.variants.count > 1
                        || picture.title != FileNameText.words(of: picture.image))
            }
    }

    init(in values: [LooseValue], context: PageContext) {
        self.context = context
        var visits = 0
        // Breadth first, since values near the top are what the page is about.
        var level = values
        while !level.isEmpty {
            var deeper: [LooseValue] = []
            for value in level {
                visits += 1
                guard visits < Self.maxVisits else { return }
                // Values inside an accepted list's objects are sizes of the same pictures.
                guard !look(at: value) else { continue }
                deeper += value.elements
                deeper += value.members.lazy.filter { KeyRole($0.key) != .foreign }.map(\.value)
            }
            level = deeper
        }
    }

    private mutating func look(at value: LooseValue) -> Bool {
        if next == nil {
            next = context.resolve(
                value.members.first { ScriptDataGallery.nextKeys.contains($0.key) }?.value)
        }
        // Also a list in the form `{"17": {…}, "18": {…}}`, but not one picture: `{"small": {…}, "large": {…}}`.
        return value.members.allSatisfy { $0.key.utf8.allSatisfy(\.isDigit) }
            && consider(value.members.isEmpty ? value.elements : value.members.map(\.value))
    }

    private mutating func consider(_ elements: [LooseValue]) -> Bool {
        let least = max(Scraper.galleryCount, pictures.count + 1)
        guard elements.count >= least else { return false }
        let found = elements.compactMap(picture).unique(by: \.image)
        let isGallery = found.count >= least && found.count * 2 >= elements.count
        if isGallery { pictures = found }
        return isGallery
    }

    /// Returns the picture of an object, or of bare addresses of one picture with its extension.
    private func picture(of element: LooseValue) -> Picture? {
        guard element.members.isEmpty else {
            return ObjectPicture.picture(of: element, context: context)
        }
        if let variant = measured(element, levels: 3) {
            return Picture(data: [variant], title: nil, isFullKnown: false, context)
        }
        let addresses = element.list.prefix(10).compactMap(\.text)
            .filter { $0.utf8.count < 2_000 }.flatMap(context.resolve(inData:))
            .filter { AddressHints($0).looksLikePicture }
        guard Set(addresses.map(FileNameText.stem)).count == 1 else { return nil }
        return Picture(
            data: addresses.map { Picture.Variant(address: $0) }, title: nil, isFullKnown: false,
            context)
    }

    /// In pixels: smaller numbers after an address may be anything.
    private static let minSide: Pixels = 64

    /// Returns the picture in an array of address, width and height: `["7", ["https://…", 4000, 3000]]`.
    private func measured(_ value: LooseValue, levels: Int) -> Picture.Variant? {
        let list = value.elements
        guard levels > 0, let first = list.first else { return nil }
        if list.count > 2, let text = first.text, ObjectPicture.isLocator(text),
            let width = list[1].pixels, let height = list[2].pixels,
            min(width, height) >= Self.minSide, let address = context.resolve(text)
        {
            return Picture.Variant(address: address, width: width, height: height)
        }
        return list.prefix(10).lazy.compactMap { measured($0, levels: levels - 1) }.first
    }
}
