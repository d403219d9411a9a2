import Basics
import Markup
import Network

/// ActivityPub collections (https://www.w3.org/TR/activitypub/#outbox): what an account has published, and its attachments.
enum ActivityStream {
    private static let collections = wordSet(
        "OrderedCollection OrderedCollectionPage Collection CollectionPage")
    private static let notes = wordSet("Note Article Page Image Question")

    static func page(_ value: LooseValue, _ context: PageContext) -> Page? {
        let type = value["type"]?.text ?? ""
        func page(_ objects: [LooseValue], next: LooseValue?) -> Page {
            let pictures = objects.lazy.flatMap { Self.pictures(of: $0, context) }
            return context.page(
                title: value.line("name"), pictures.prefix(DataFormat.maxPictures), next: next?.text
            )
        }
        // An account.
        if let outbox = value["outbox"], value["inbox"] != nil { return page([], next: outbox) }
        if notes.contains(type), value["attachment"] != nil { return page([value], next: nil) }
        guard collections.contains(type) else { return nil }
        if let items = value["orderedItems"] ?? value["items"] {
            return page(items.list, next: value["next"])
        }
        guard let first = value["first"] else { return nil }
        return first.text == nil ? self.page(first, context) : page([], next: first)
    }

    /// Returns the pictures of an activity (only of the account's own objects), or of a standalone note.
    private static func pictures(of item: LooseValue, _ context: PageContext) -> [Picture] {
        let type = item["type"]?.text ?? ""
        if type == "Create" || type == "Add", let object = item["object"] {
            return pictures(of: object, context)
        }
        guard notes.contains(type) else { return [] }
        let words = ObjectWords(item)
        let said = (item["content"] ?? item["summary"])?.text.flatMap { text in
            ObjectWords.plain(String(text.prefix(1 << 16))).line
        }
        let link = (address(item["url"], context) ?? address(item["id"], context))?.address
        return item.items("attachment").prefix(40).compactMap { attached in
            guard isPicture(attached), var full = address(attached["url"], context) else {
                return nil
            }
            full.width = full.width ?? attached["width"]?.pixels
            full.height = full.height ?? attached["height"]?.pixels
            let title = attached.line("name") ?? attached.line("summary") ?? words.title ?? said
            return Picture(
                data: [full], title: title, date: words.date, link: link,
                summary: said == title ? nil : said, context)
        }
    }

    private static func isPicture(_ attached: LooseValue) -> Bool {
        attached["type"]?.text == "Image"
            || ([attached] + attached.items("url")).contains {
                $0["mediaType"]?.text?.hasPrefix("image/") == true
            }
    }

    /// Returns the address of a text or of a link with `href`, or the first of several.
    private static func address(
        _ value: LooseValue?, _ context: PageContext
    ) -> Picture.Variant? {
        value?.list.lazy.compactMap { link in
            link.variant(at: context.resolve(link.text ?? link["href"]?.text))
        }.first
    }
}
