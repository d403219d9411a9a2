import Basics
import Network

/// The gallery in data that a page carries for its scripts: the last net (SCRAPING 4.2 E5).
///
/// An array of at least three objects with a picture each; of several the one with the most pictures.
struct StateGallery {
    /// In the order of the array; empty if there is none.
    private(set) var pictures: [Picture] = []
    /// The next page, where the data names it.
    private(set) var next: Address?

    private let context: PageContext

    /// Fewer objects are no gallery.
    static let minCount = 3
    /// Values that are looked at.
    private static let maxVisits = 500_000
    private static let nextKeys: Set<String> = [
        "next_url", "nextUrl", "nextPageUrl", "next_page_url",
    ]

    /// Looks through `values`.
    init(in values: [LooseValue], context: PageContext) {
        self.context = context
        var visits = 0
        // Breadth first, since what is nearer to the top is what the page is about.
        var level = values
        while !level.isEmpty, visits < StateGallery.maxVisits {
            var deeper: [LooseValue] = []
            for value in level {
                visits += 1
                guard visits < StateGallery.maxVisits else { break }
                // What an accepted list holds inside its objects are sizes of the same pictures.
                guard !look(at: value) else { continue }
                deeper += value.elements
                deeper += value.members.lazy.filter { KeyRole($0.key) != .foreign }.map(\.value)
            }
            level = deeper
        }
    }

    /// Whether it is the best list so far.
    private mutating func look(at value: LooseValue) -> Bool {
        switch value {
        case .array(let elements): return consider(elements)
        case .object(let members):
            if next == nil {
                next = members.first { StateGallery.nextKeys.contains($0.key) }?.value.text
                    .flatMap { context.resolve($0) }
            }
            return StateGallery.isList(members) && consider(members.map(\.value))
        default: return false
        }
    }

    /// `{"17": {…}, "18": {…}}` is a list by another name; `{"small": {…}, "large": {…}}` is one picture.
    private static func isList(_ members: [LooseValue.Member]) -> Bool {
        members.count >= minCount
            && members.allSatisfy { member in
                !member.value.members.isEmpty
                    && (member.key.utf8.allSatisfy { (0x30...0x39).contains($0) }
                        || ["id", "title", "name", "caption"].contains { member.value[$0] != nil })
            }
    }

    private mutating func consider(_ elements: [LooseValue]) -> Bool {
        guard elements.count >= StateGallery.minCount, elements.count > pictures.count else {
            return false
        }
        var seen: Set<Address> = []
        let found = elements.compactMap { element -> Picture? in
            guard let picture = picture(of: element), seen.insert(picture.image).inserted else {
                return nil
            }
            return picture
        }
        let isGallery =
            found.count >= StateGallery.minCount && found.count * 2 >= elements.count
            && found.count > pictures.count
        if isGallery { pictures = found }
        return isGallery
    }

    /// Of an object, or of a bare address with a picture's ending.
    private func picture(of element: LooseValue) -> Picture? {
        guard let text = element.text else {
            return element.members.isEmpty
                ? nil : ObjectPicture.picture(of: element, context: context)
        }
        guard text.utf8.count < 2_000, let address = context.resolve(text),
            AddressHints(address).looksLikePicture
        else { return nil }
        return Picture(
            variants: [Picture.Variant(address: address)], page: context.address,
            title: Titles.fromFileName(address))
    }
}
