import Basics
import Markup
import Network

/// The gallery in data that a page carries for its scripts, tried last.
///
/// It is an array of at least three objects with a picture each; of several arrays, the one with the most pictures.
struct ScriptDataGallery {
    /// The pictures in the array's order; empty if there is none.
    private(set) var pictures: [Picture] = []
    private(set) var next: Address?

    private let context: PageContext
    private let minCount: Int

    /// The minimum number of objects in a gallery, unless each names a picture in two sizes.
    static let minCount = 3
    private static let maxVisits = 500_000
    private static let nextKeys = wordSet("next_url nextUrl nextPageUrl next_page_url")

    /// Whether a script shows these pictures in addition to the markup's: each has words or sizes of its own, and none links to another
    /// page, as related pictures do.
    var isToBeShown: Bool {
        pictures.count >= ScriptDataGallery.minCount
            && pictures.allSatisfy { picture in
                picture.link == nil
                    && (picture.variants.count > 1
                        || picture.title != FileNameText.words(of: picture.image))
            }
    }

    init(in values: [LooseValue], context: PageContext, minCount: Int = minCount) {
        self.context = context
        self.minCount = minCount
        var visits = 0
        // Breadth first, since values near the top are what the page is about.
        var level = values
        while !level.isEmpty, visits < ScriptDataGallery.maxVisits {
            var deeper: [LooseValue] = []
            for value in level {
                visits += 1
                guard visits < ScriptDataGallery.maxVisits else { break }
                // Values inside an accepted list's objects are sizes of the same pictures.
                guard !look(at: value) else { continue }
                deeper += value.elements
                deeper += value.members.lazy.filter { KeyRole($0.key) != .foreign }.map(\.value)
            }
            level = deeper
        }
    }

    private mutating func look(at value: LooseValue) -> Bool {
        switch value {
        case .array(let elements): return consider(elements)
        case .object(let members):
            if next == nil {
                next = context.resolve(
                    members.first { ScriptDataGallery.nextKeys.contains($0.key) }?.value.text)
            }
            return ScriptDataGallery.isList(members) && consider(members.map(\.value))
        default: return false
        }
    }

    private static let words = wordList("id title name caption")

    /// Whether this is a list in the form `{"17": {…}, "18": {…}}`, rather than one picture: `{"small": {…}, "large": {…}}`.
    private static func isList(_ members: [LooseValue.Member]) -> Bool {
        members.count >= minCount
            && members.allSatisfy { member in
                !member.value.members.isEmpty
                    && (member.key.utf8.allSatisfy(\.isDigit)
                        || words.contains { member.value[$0] != nil })
            }
    }

    private mutating func consider(_ elements: [LooseValue]) -> Bool {
        guard elements.count >= minCount, elements.count > pictures.count else {
            return false
        }
        let found = elements.compactMap(picture).unique(by: \.image)
        let isGallery =
            found.count >= minCount && found.count * 2 >= elements.count
            && found.count > pictures.count
            && (found.count >= Self.minCount || found.allSatisfy { $0.variants.count > 1 })
        if isGallery { pictures = found }
        return isGallery
    }

    /// Returns the picture of an object, or of bare addresses of one picture with its extension.
    private func picture(of element: LooseValue) -> Picture? {
        guard element.members.isEmpty else {
            return ObjectPicture.picture(of: element, context: context)
        }
        let addresses = element.list.prefix(10).compactMap(\.text)
            .filter { $0.utf8.count < 2_000 }.flatMap(context.resolve(inData:))
            .filter { AddressHints($0).looksLikePicture }
        guard Set(addresses.map(FileNameText.stem)).count == 1 else { return nil }
        return Picture(
            data: addresses.map { Picture.Variant(address: $0) }, title: nil, isFullKnown: false,
            context)
    }
}

/// Pictures that only scripts would create, from JSON lists in attributes and addresses in style sheets.
struct ElementData {
    /// The input for `ScriptDataGallery`: each list found in an attribute, then the style sheets.
    private(set) var values: [LooseValue] = []

    private static let maxLists = 10_000
    private static let maxStyleBytes = 1 << 20

    init(of document: Document) {
        var styled: [LooseValue] = []
        // Short lists and objects of several elements form one list.
        var joined: [LooseValue] = []
        var styleBytes = 0
        var budget = ElementData.maxMatches
        for node in document.root.descendants where !node.isText {
            if node.name == .style, styleBytes < ElementData.maxStyleBytes {
                let sheet = node.text(limit: ElementData.maxStyleBytes - styleBytes)
                styleBytes += sheet.utf8.count
                styled += ElementData.pictures(inStyle: sheet, of: document, budget: &budget)
            }
            node.forEachAttribute { _, value in
                guard let first = value.utf8.first, values.count < ElementData.maxLists,
                    first == "[" || first == "{",
                    let data = LooseParser.value(of: Array(value.utf8))
                else { return }
                values.append(data)
                joined += ElementData.objects(in: data)
            }
        }
        values += [.array(joined), .array(styled)]
    }

    /// Returns the objects of the lists in `data`, or the object itself.
    private static func objects(in data: LooseValue) -> [LooseValue] {
        let lists = [data] + data.members.filter { KeyRole($0.key) != .foreign }.map(\.value)
        let objects = lists.flatMap(\.elements).filter { !$0.members.isEmpty }
        return objects.isEmpty && !data.members.isEmpty ? [data] : objects
    }

    /// The number of selector conditions tested on nodes, for all rules of a page: some tenths of a second.
    private static let maxMatches = 20_000_000

    /// Returns the backgrounds that a style sheet gives to elements of the page, each with its element's text, except the page frame's.
    private static func pictures(
        inStyle sheet: String, of document: Document, budget: inout Int
    ) -> [LooseValue] {
        sheet.split(separator: "}").compactMap { rule in
            guard let url = Style.url(in: String(rule)), url.utf8.count < 2_000,
                AddressHints(url).looksLikePicture
            else { return nil }
            guard budget > 0, let text = rule.split(separator: "{").dropLast().last,
                let selector = try? Selector(Text.line(String(text)))
            else { return .text(url) }
            budget -= selector.conditionCount * document.nodeCount
            let elements = document.root.select(selector)
            guard let element = elements.first else { return .text(url) }
            guard ![.body, .html, .header, .footer, .nav].contains(element.name) else { return nil }
            guard elements.count == 1, let words = element.shortText(limit: 300), !words.isEmpty
            else { return .text(url) }
            return .object([
                .init(key: "image", value: .text(url)), .init(key: "title", value: .text(words)),
            ])
        }
    }
}
