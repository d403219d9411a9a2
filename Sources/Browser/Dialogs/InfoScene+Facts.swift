import Basics
import Gallery
import Network
import Raster
import Thumbnails

extension InfoScene {
    typealias Entry = (label: String, value: String?)

    /// Creates the info panel of `picture` from its page, the file shown, the file of its largest size, and `others`, such as errors.
    init(
        of picture: Picture, facts: PictureFacts?, largest: PictureFacts? = nil,
        _ texts: LocalTexts, showsPosition: Bool, others: [Entry]
    ) {
        let page: [Entry] = [
            (picture.largest.isFile ? "Path" : "URL", texts.text(picture.largest)),
            ("Thumbnail", picture.variants.count > 1 ? texts.text(picture.thumbnail) : nil),
            ("Full size", picture.isFullGuessed ? "guessed from the address" : nil),
            ("Page", texts.text(picture.page)), ("Link", picture.link.map(texts.text)),
            ("Date", picture.date), ("About", picture.summary),
            ("Size", picture.pixels(largest)), ("File", picture.byteCount.map(Quantity.bytes)),
        ]
        // A position may reveal where people live, so it is shown only on demand.
        let position = facts?.position.map { showsPosition ? $0 : "is in the file: I shows it" }
        let camera: [Entry] = (facts?.cameraTexts ?? []).filter { $0.text != picture.summary }
            .map { ($0.label, $0.text) }
        let times: [Entry] = (facts?.timings.lines ?? []).enumerated().map { index, line in
            (index == 0 ? "Time" : "", line)
        }
        self.init(
            title: picture.caption,
            facts: (page + camera + [("Position", position)]).compactMap(Self.fact)
                + Self.fileFacts(facts)
                + (others + times).compactMap(Self.fact))
    }

    /// The facts of the shown file, which may be one of the smaller sizes.
    private static func fileFacts(_ facts: PictureFacts?) -> [Fact] {
        guard let facts else { return [] }
        let shown = nonNil(
            "\(facts.size.width) × \(facts.size.height)", facts.formatName,
            Quantity.bytes(facts.byteCount),
            facts.frameCount > 1 ? "animated, \(facts.frameCount) frames" : nil,
            facts.duration, facts.isPartial ? "incomplete" : nil)
        return [
            Fact(label: "Shown", value: shown.joined(separator: ", ")),
            Fact(label: "Colour", value: hex(facts.dominant), swatch: facts.dominant),
            Fact(label: "Tint", value: hex(facts.tint), swatch: facts.tint),
        ]
    }

    private static func fact(_ label: String, _ value: String?) -> Fact? {
        guard let value, !value.isEmpty else { return nil }
        return Fact(label: label, value: value.oneLine())
    }

    private static func hex(_ color: RGB) -> String {
        "#\(String(0x100_0000 + color.packed, radix: 16, uppercase: true).dropFirst())"
    }
}
