import Basics
import Markup
import Network

/// A IIIF manifest of a work or collection of works, versions 2 and 3 (https://iiif.io/api/presentation/3.0/).
struct IIIFManifest {
    private let context: PageContext

    /// The width of requested thumbnails in pixels.
    private static let small = 400

    static func page(_ value: LooseValue, _ context: PageContext) -> Page? {
        let reader = IIIFManifest(context: context)
        let pictures: [Picture]
        switch reader.type(of: value) {
        case "Manifest":
            let canvases =
                value["items"]?.elements
                ?? value.items("sequences").flatMap { $0.items("canvases") }
            pictures = canvases.prefix(DataFormat.maxPictures).compactMap(reader.picture)
        case "Collection" where value["label"] != nil:
            pictures = wordList("items members collections manifests").flatMap(value.items)
                .prefix(DataFormat.maxPictures).compactMap(reader.album)
        default: return nil
        }
        return Page(
            address: context.address, title: reader.label(value["label"]) ?? "", pictures: pictures,
            next: reader.address(value["next"]))
    }

    /// Returns the type without prefix: `Manifest` for `sc:Manifest`.
    private func type(of value: LooseValue) -> String {
        let type = (value["type"] ?? value["@type"])?.text ?? ""
        return String(type.trimmingPrefix("sc:"))
    }

    private func picture(_ canvas: LooseValue) -> Picture? {
        let annotation =
            canvas.items("items").first?.items("items").first ?? canvas.items("images").first
        let body = (annotation?["body"] ?? annotation?["resource"])?.list.first
        // The first of several choices is the default.
        guard let image = body?.items("items").first ?? body?["default"] ?? body,
            let address = address(image)
        else { return nil }
        let width = (image["width"] ?? canvas["width"])?.pixels
        let height = (image["height"] ?? canvas["height"])?.pixels
        let full = Picture.Variant(address: address, width: width, height: height)
        let thumbnail =
            variant(canvas["thumbnail"])
            ?? image.items("service").lazy.compactMap { scaled($0, of: full) }.first
        return Picture(
            data: [thumbnail, full], title: label(canvas["label"]), date: canvas.date("navDate"),
            summary: label(canvas["summary"]), context)
    }

    /// Returns a smaller version from a server that scales (https://iiif.io/api/image/3.0/); compliance level 0 does not.
    private func scaled(_ service: LooseValue, of full: Picture.Variant) -> Picture.Variant? {
        guard let base = (service["id"] ?? service["@id"])?.text, let width = full.width?.count,
            width > Self.small,
            service.items("profile").first?.text?.includes("level0") != true
        else { return nil }
        let end = base.hasSuffix("/") ? "" : "/"
        return context.resolve("\(base)\(end)full/\(Self.small),/0/default.jpg").map {
            Picture.Variant(address: $0, width: Pixels(Self.small))
        }
    }

    private func album(_ work: LooseValue) -> Picture? {
        guard ["Manifest", "Collection"].contains(type(of: work)), let link = address(work) else {
            return nil
        }
        return Picture(
            variants: [variant(work["thumbnail"]) ?? Picture.Variant(address: link)], link: link,
            page: context.address, title: label(work["label"]) ?? "",
            summary: label(work["summary"]), date: work.date("navDate"),
            kind: .album)
    }

    private func variant(_ value: LooseValue?) -> Picture.Variant? {
        value?.list.first.flatMap { $0.variant(at: address($0)) }
    }

    /// Returns the address given as a text or as an object's `id`.
    private func address(_ value: LooseValue?) -> Address? {
        context.resolve(value?.text ?? value?["id"]?.text ?? value?["@id"]?.text)
    }

    /// Returns the label in `"Page 1"`, `{"@value": …}` or `{"en": ["Page 1"]}`, or in the first of several objects.
    private func label(_ value: LooseValue?) -> String? {
        guard let value = value?.list.first else { return nil }
        let text =
            value.text ?? value["@value"]?.text
            ?? (value["en"] ?? value.members.first?.value)?.list.first?.text
        return text?.line
    }
}
