import Markup
import Network

/// Reads the addresses out of one attribute's value.
enum Offers {
    /// The addresses that `value` names, given what the attribute is for.
    static func read(
        _ value: String, as role: AttributeRole, in context: PageContext
    ) -> [Candidate.Found] {
        switch role {
        case .set: Srcset.parse(value).compactMap { found($0, in: context) }
        case .looseSet: looseSet(value, in: context)
        case .style: value.includes("url(") ? styled(value, in: context) : []
        case .background:
            value.includes("url(")
                ? styled(value, in: context) : single(value, .background, in: context)
        case .weak:
            single(value, .lazy, in: context).filter { AddressHints($0.address).looksLikePicture }
        default: single(value, role, in: context)
        }
    }

    private static func single(
        _ value: String, _ role: AttributeRole, in context: PageContext
    ) -> [Candidate.Found] {
        guard let address = context.resolve(value) else { return [] }
        let hints = AddressHints(address)
        guard hints.couldBeShown else { return [] }
        return [
            Candidate.Found(
                address: address, role: role, width: hints.size?.width, height: hints.size?.height)
        ]
    }

    private static func found(
        _ candidate: Srcset.Candidate, in context: PageContext
    ) -> Candidate.Found? {
        guard let address = context.resolve(candidate.url) else { return nil }
        let hints = AddressHints(address)
        guard hints.couldBeShown else { return nil }
        let isDoubled = (candidate.density ?? 1) > 1
        return Candidate.Found(
            address: address, role: isDoubled ? .large : .set,
            width: candidate.width ?? hints.size?.width,
            height: candidate.height ?? hints.size?.height)
    }

    /// `a.jpg 375, b.jpg 480`: like a `srcset` that forgot its units.
    private static func looseSet(_ value: String, in context: PageContext) -> [Candidate.Found] {
        let words = value.split(whereSeparator: \.isWhitespace)
        let set = words.map { word in
            let number = word.hasSuffix(",") ? word.dropLast() : word
            guard Int(number) != nil else { return String(word) }
            return word.hasSuffix(",") ? "\(number)w," : "\(number)w"
        }
        return Srcset.parse(set.joined(separator: " ")).compactMap { found($0, in: context) }
    }

    /// The `url(…)` of a background.
    private static func styled(_ value: String, in context: PageContext) -> [Candidate.Found] {
        Style.url(in: value).map { single($0, .background, in: context) } ?? []
    }
}

/// Inline styles, as far as pictures need them.
enum Style {
    /// The attribute.
    static let name = Name.styleAttribute

    /// Whether it takes the element off the page.
    static func hides(_ style: String) -> Bool {
        guard style.utf8.count >= 12, style.includes("none") else { return false }
        let compact = style.lowercased().filter { !$0.isWhitespace }
        return compact.includes("display:none")
    }

    /// What stands in the first `url(…)`.
    static func url(in style: String) -> String? {
        let bytes = Array(style.utf8)
        let mark = Array("url(".utf8)
        guard bytes.count > mark.count else { return nil }
        let start = (0...bytes.count - mark.count).first {
            bytes[$0..<$0 + mark.count].elementsEqual(mark)
        }
        guard let start else { return nil }
        var content = bytes[(start + mark.count)...].drop { $0 <= 0x20 }
        if let quote = content.first, quote == 0x22 || quote == 0x27 {
            content = content.dropFirst().prefix { $0 != quote }
        } else {
            content = content.prefix { $0 != UInt8(ascii: ")") }
        }
        while let last = content.last, last <= 0x20 { content.removeLast() }
        return content.isEmpty ? nil : String(decoding: content, as: UTF8.self)
    }

    /// A length in pixels, as `width: 120px`.
    static func pixels(_ property: String, in style: String) -> Int? {
        for part in style.lowercased().split(separator: ";") {
            let pair = part.split(separator: ":", maxSplits: 1).map { Text.line($0) }
            if pair.count == 2, pair[0] == property, pair[1].hasSuffix("px") {
                return Int(pair[1].dropLast(2))
            }
        }
        return nil
    }
}

/// The size at which a page shows a picture.
enum ShownSize {
    /// From `width` and `height`, or an inline style; nil where it does not say, or not in pixels.
    static func of(_ node: Node) -> (width: Int?, height: Int?) {
        let style = node.attribute(Style.name)
        func side(_ name: Name, _ property: String) -> Int? {
            if let value = node.attribute(name) {
                let digits = value.hasSuffix("px") ? value.dropLast(2) : value[...]
                if let pixels = Int(digits), (0...100_000).contains(pixels) { return pixels }
            }
            return style.flatMap { Style.pixels(property, in: $0) }
        }
        return (side(.width, "width"), side(.height, "height"))
    }
}
