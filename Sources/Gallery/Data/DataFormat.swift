import Basics
import Markup
import Network

/// Machine-readable formats, recognised by their shape: each reader returns a page, or nil for any other format.
///
/// A page without pictures that names a next page only refers to them, as a post of WordPress does to its media.
enum DataFormat {
    /// The maximum number of pictures on one page of data.
    static let maxPictures = 10_000

    private static let readers:
        [(name: String, read: @Sendable (LooseValue, PageContext) -> Page?)] = [
            ("a JSON Feed", JSONFeed.page), ("an IIIF manifest or collection", IIIFManifest.page),
            ("WordPress's data", WordPressData.page), ("a catalogue (OPDS)", Catalogue.page),
            ("messages of gallery-dl", DownloaderRecords.messages),
            ("records of yt-dlp", DownloaderRecords.videos),
            ("lines of --json", PictureLines.page),
        ]

    /// Returns the format's name and the page of `value`; nil if no format matches.
    static func read(_ value: LooseValue, _ context: PageContext) -> (name: String, page: Page)? {
        readers.lazy.compactMap { name, read in read(value, context).map { (name, $0) } }.first
    }
}

extension LooseValue {
    /// The elements of an array, or the value itself, since formats allow single values without brackets.
    var list: [LooseValue] {
        if case .array(let elements) = self { elements } else { [self] }
    }

    /// Returns the elements of the array at `key`, or the single value there; none if there is nothing.
    func items(_ key: String) -> [LooseValue] { self[key]?.list ?? [] }

    /// Returns the text at `key` as one line, unless that is empty.
    func line(_ key: String) -> String? { self[key]?.text?.line }

    func date(_ key: String) -> String? { self[key]?.text.flatMap(Dates.iso) }

    /// Returns the variant at an address with the size that this object gives.
    func variant(at address: Address?) -> Picture.Variant? {
        address.map {
            Picture.Variant(
                address: $0, width: self["width"]?.pixels, height: self["height"]?.pixels)
        }
    }

    /// Returns the address at `key` with the size given beside it.
    func variant(_ key: String, _ context: PageContext) -> Picture.Variant? {
        variant(at: context.resolve(self[key]))
    }
}

extension String {
    /// The text as one line; nil if that is empty.
    var line: String? {
        let line = Text.line(self)
        return line.isEmpty ? nil : line
    }
}

extension PageContext {
    /// Returns the address in a text of data; nil for any other value.
    func resolve(_ value: LooseValue?) -> Address? { resolve(value?.text) }

    /// Returns the pictures in markup embedded in data, after `describe` has added what the data says about them.
    func pictures(
        inMarkup html: String?, _ describe: (inout Picture) -> Void
    ) -> [Picture] {
        guard let html, html.utf8.contains("<"), html.utf8.count <= 1 << 20,
            let page = try? Scraper(document: Document(markup: html), context: self).page()
        else { return [] }
        return page.pictures.map { picture in
            var picture = picture
            describe(&picture)
            return picture
        }
    }

    /// Returns the page of data at this address; `next` is as written there.
    func page(
        title: String?, _ pictures: some Sequence<Picture>, next: String? = nil
    ) -> Page {
        var pictures = Array(pictures)
        let counts: [Address: Int] = pictures.reduce(into: [:]) {
            $0[$1.thumbnail, default: 0] += 1
        }
        // What several pictures show is there until they arrive.
        for (index, picture) in pictures.enumerated()
        where counts[picture.thumbnail] != 1 && picture.thumbnail != picture.image {
            pictures[index].variants.removeFirst()
        }
        return Page(address: address, title: title ?? "", pictures: pictures, next: resolve(next))
    }
}

extension Picture {
    /// Creates a picture from data, which mostly names its full size; nil without an address.
    init?(
        data variants: [Variant?], title: String?, date: String? = nil, link: Address? = nil,
        summary: String? = nil, isFullKnown: Bool = true, _ context: PageContext
    ) {
        let variants = variants.compactMap(\.self)
        guard let last = variants.last else { return nil }
        self.init(
            variants: variants, link: link, page: context.address,
            title: title ?? FileNameText.words(of: last.address), summary: summary, date: date,
            width: last.width, height: last.height)
        self.isFullKnown = isFullKnown
    }
}

/// Reads JSON Feed (https://www.jsonfeed.org/version/1.1/).
private enum JSONFeed {
    static func page(_ value: LooseValue, _ context: PageContext) -> Page? {
        guard value["version"]?.text?.includes("jsonfeed.org/version/") == true else { return nil }
        let pictures = value.items("items").lazy.flatMap { Self.pictures(of: $0, context) }
        return context.page(
            title: value.line("title"), pictures.prefix(DataFormat.maxPictures),
            next: value["next_url"]?.text)
    }

    private static func pictures(of item: LooseValue, _ context: PageContext) -> [Picture] {
        let title = item.line("title")
        let date = item.date("date_published")
        let link = context.resolve(item["url"] ?? item["external_url"])
        let summary = item.line("summary")
        func picture(_ variant: Picture.Variant?, title: String?) -> Picture? {
            Picture(
                data: [variant], title: title, date: date, link: link, summary: summary, context)
        }
        let found = item.items("attachments").filter {
            $0["mime_type"]?.text?.hasPrefix("image/") == true
        }.compactMap { picture($0.variant("url", context), title: $0.line("title") ?? title) }
        if !found.isEmpty { return found }
        let named = item.variant("image", context) ?? item.variant("banner_image", context)
        if let picture = picture(named, title: title) { return [picture] }
        return context.pictures(inMarkup: item["content_html"]?.text) { picture in
            picture.title = title ?? picture.title
            picture.date = date ?? picture.date
            picture.link = link ?? picture.link
        }
    }
}

/// Reads WordPress's REST API (https://developer.wordpress.org/rest-api/reference/media/): posts, and media of one post or all.
private enum WordPressData {
    static func page(_ value: LooseValue, _ context: PageContext) -> Page? {
        let objects = value.list
        guard let first = objects.first, first["_links"] != nil || first["source_url"] != nil,
            first["media_details"] != nil || first["content"]?["rendered"] != nil
        else { return nil }
        let pictures = objects.lazy.flatMap { Self.pictures(of: $0, context) }
            .prefix(DataFormat.maxPictures)
        // The post's media, if its text shows no pictures.
        let media = first["_links"]?["wp:attachment"]?.elements.first?["href"]?.text
        return context.page(
            title: objects.count == 1 ? ObjectWords(first).title : nil, pictures,
            next: LinkHeader.nextPages(in: context.headers).first
                ?? (pictures.isEmpty ? media : nil))
    }

    private static func pictures(of object: LooseValue, _ context: PageContext) -> [Picture] {
        let words = ObjectWords(object)
        let link = context.resolve(object["link"])
        guard let details = object["media_details"] else {
            return context.pictures(inMarkup: object["content"]?["rendered"]?.text) {
                $0.date = $0.date ?? words.date
                $0.link = $0.link ?? link
            }
        }
        guard (object["mime_type"]?.text ?? "image/").hasPrefix("image/"),
            let full = details.variant(at: context.resolve(object["source_url"]))
        else { return [] }
        let sizes = (details["sizes"]?.members ?? []).prefix(40).compactMap {
            $0.value.variant("source_url", context)
        }.filter { $0.address != full.address }.sorted {
            $0.comparedWidth < $1.comparedWidth
        }
        let picture = Picture(
            data: sizes + [full], title: words.title, date: words.date, link: link,
            summary: words.summary, context)
        return nonNil(picture)
    }
}
