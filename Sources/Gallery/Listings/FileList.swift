import Basics
import Markup
import Network

/// nginx's autoindex as JSON or XML: `[{"name": …, "type": "file", "mtime": …, "size": …}]` and `<list><file …>…</file></list>`
/// (https://nginx.org/en/docs/http/ngx_http_autoindex_module.html); Caddy's JSON has the same shape by other names.
struct FileList {
    private struct Entry {
        var name: String
        var isFolder: Bool
        var date: String?
        var bytes: Int?
    }

    private let context: PageContext
    private let entries: [Entry]

    /// Nil if the value is no such list.
    init?(json value: LooseValue, context: PageContext) {
        let entries = value.elements.compactMap(FileList.entry)
        guard !entries.isEmpty, entries.count == value.elements.count else { return nil }
        self.context = context
        self.entries = entries
    }

    /// Nil if the document is no such list.
    init?(xml document: Document, context: PageContext) {
        guard let list = document.root.children.first(where: { !$0.isText }), list.tagName == "list"
        else { return nil }
        self.context = context
        entries = list.children.compactMap { node in
            guard ["file", "directory", "other"].contains(node.tagName) else { return nil }
            return Entry(
                name: node.text(limit: 4_096), isFolder: node.tagName == "directory",
                date: node.attribute("mtime").flatMap(Dates.iso),
                bytes: node.attribute("size").flatMap { Int($0) })
        }
    }

    /// Its folders as albums, then its pictures, each in natural order.
    func page() throws(PageError) -> Page {
        let pictures = ListingOrder.sorted(entries.compactMap(picture))
        guard !pictures.isEmpty else { throw .noPictures }
        let title = Address(String(context.address.text.dropLast())).map(\.lastPathComponent) ?? ""
        return Page(address: context.address, title: Text.line(title), pictures: pictures)
    }

    private static func entry(_ value: LooseValue) -> Entry? {
        guard let name = value["name"]?.text else { return nil }
        let type = value["type"]?.text
        guard type != nil || value["is_dir"] != nil else { return nil }
        let time = (value["mtime"] ?? value["mod_time"])?.text
        return Entry(
            name: name,
            isFolder: type == "directory" || value["is_dir"] == .flag(true) && name.hasSuffix("/"),
            date: time.flatMap { Dates.iso($0) ?? Dates.isoOfMail($0) },
            bytes: value["size"]?.integer)
    }

    private func picture(_ entry: Entry) -> Picture? {
        let name = entry.name.hasSuffix("/") ? String(entry.name.dropLast()) : entry.name
        // A name is one step: with a slash in it, it is a way out.
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")),
            let address = context.resolve(
                "./" + PercentEncoding.encode(name) + (entry.isFolder ? "/" : ""))
        else { return nil }
        if entry.isFolder {
            return Picture(
                listedFolder: address, title: name, date: entry.date, page: context.address)
        }
        guard AddressHints(address).looksLikePicture else { return nil }
        return Picture(
            listed: address, title: name, date: entry.date, byteCount: entry.bytes,
            page: context.address)
    }
}
