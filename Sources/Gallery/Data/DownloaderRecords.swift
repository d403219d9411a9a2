import Basics
import Markup
import Network

/// Reads what downloaders tell of a gallery: the messages of gallery-dl (`-j`, https://github.com/mikf/gallery-dl) and the records of yt-dlp
/// (`-j`, `-J`).
struct DownloaderRecords {
    private let context: PageContext
    private var page: Page

    /// The header fields that a record may set; any other could change what a request means.
    private static let fields = wordSet(
        "referer origin user-agent accept accept-language authorization cookie")
    private static let kinds = wordSet("video url url_transparent playlist multi_video")

    private init(_ context: PageContext, title: String? = nil) {
        self.context = context
        page = context.page(title: title, [])
        // Whoever named the pictures was on the web.
        page.isCopy = context.address.isFile
    }

    /// Reads gallery-dl's messages, `[number, address, record]`, in an array or alone.
    static func messages(_ value: LooseValue, _ context: PageContext) -> Page? {
        let messages = value.elements.first?.integer == nil ? value.elements : [value]
        guard let first = messages.first?.elements, first.first?.integer != nil,
            first.last?.members.isEmpty == false
        else { return nil }
        var reader = DownloaderRecords(context)
        for message in messages.map(\.elements) where message.count > 1 {
            reader.read(message[0].integer, message[1].text, message[message.count - 1])
        }
        return reader.page
    }

    private mutating func read(_ kind: Int?, _ place: String?, _ record: LooseValue) {
        let address = context.resolve(place)
        switch kind {
        case -1: page.shortfall = record.line("message") ?? record.line("error")
        case 3:
            let small = context.resolve(record["preview_url"] ?? record["thumbnail"])
            let full = address.flatMap { AddressHints($0).couldBePicture ? $0 : nil }
            var picture = Picture(
                data: [
                    small.map { Picture.Variant(address: $0) }, record.variant(at: full),
                ], title: nil, link: full == nil ? address : nil, context)
            picture?.byteCount = (record["file_size"] ?? record["filesize"])?.integer
            if picture == nil { page.shortfall = "some files are no pictures" }
            add(picture, record)
        case 6: add(album(at: address), record)
        default: break
        }
    }

    /// Reads yt-dlp's records of videos, which are shown by their thumbnails, alone, in an array or in a playlist.
    static func videos(_ value: LooseValue, _ context: PageContext) -> Page? {
        let records = value.list
        guard let kind = records.first?["_type"]?.text, kinds.contains(kind) else { return nil }
        var reader = DownloaderRecords(context, title: records[0].line("title"))
        records.forEach { reader.read(video: $0) }
        return reader.page
    }

    private mutating func read(video record: LooseValue) {
        guard record["entries"] == nil else {
            return record.items("entries").forEach { read(video: $0) }
        }
        let link = context.resolve(record["webpage_url"] ?? record["url"])
        // The best one is the last.
        let variant = context.resolve(
            record["thumbnail"]?.text ?? record.items("thumbnails").last?["url"]?.text
        ).map { Picture.Variant(address: $0) }
        add(
            Picture(data: [variant], title: nil, link: link, context) ?? album(at: link), record)
    }

    private func album(at link: Address?) -> Picture? {
        link.map {
            Picture(
                variants: [Picture.Variant(address: $0)], link: $0, page: context.address,
                title: $0.lastPathComponent, kind: .album)
        }
    }

    private mutating func add(_ picture: Picture?, _ record: LooseValue) {
        guard var picture else { return }
        picture.describe(by: record)
        page.pictures.append(picture)
        let fields = (record["_http_headers"] ?? record["http_headers"])?.members.compactMap {
            field in
            Self.fields.contains(field.key.lowercased())
                ? field.value.text.map { (field.key, $0) } : nil
        }
        for variant in picture.variants { page.headers[variant.address] = fields }
    }
}

extension Picture {
    /// Adopts the texts, tags and date of a downloader's record.
    mutating func describe(by record: LooseValue) {
        let words = ObjectWords(record)
        title = words.title ?? record.line("content").map { String($0.prefix(300)) } ?? title
        let tags = record.items("tags").prefix(100).compactMap(\.text).joined(separator: ", ")
        let texts = nonNil(words.summary, String(tags.prefix(1_000)).line)
        summary = texts.isEmpty ? summary : texts.joined(separator: " · ")
        date = words.date ?? record.date("upload_date") ?? date
    }
}
