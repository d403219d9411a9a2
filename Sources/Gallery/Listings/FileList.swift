import Basics
import Markup
import Network

/// Listings by nginx's autoindex in JSON or XML: `[{"name": …, "type": "file", "mtime": …, "size": …}]` and `<list><file …>…</file></list>`
/// (https://nginx.org/en/docs/http/ngx_http_autoindex_module.html); Caddy's JSON has the same shape with other names.
enum FileList {
    /// Returns the page of a JSON listing; nil if the value is something else.
    static func page(json value: LooseValue, context: PageContext) throws(PageError) -> Page? {
        let entries = value.elements.compactMap(Entry.init)
        guard !entries.isEmpty, entries.count == value.elements.count else { return nil }
        return try page(entries, context)
    }

    static func page(xml document: Document, context: PageContext) throws(PageError) -> Page? {
        guard let list = document.root.children.first(where: { !$0.isText }), list.tagName == "list"
        else { return nil }
        return try page(list.children.compactMap(Entry.init), context)
    }

    private static func page(_ entries: [Entry], _ context: PageContext) throws(PageError) -> Page {
        let title = Address(String(context.address.text.dropLast())).map(\.lastPathComponent) ?? ""
        let pictures = entries.compactMap { $0.picture(in: context) }
        return try Page(listing: pictures, title: Text.line(title), address: context.address)
    }

    private struct Entry {
        var name: String
        var isFolder: Bool
        var date: String?
        var byteCount: Int?

        init?(_ value: LooseValue) {
            guard let name = value["name"]?.text else { return nil }
            let type = value["type"]?.text
            guard type != nil || value["is_dir"] != nil else { return nil }
            let time = (value["mtime"] ?? value["mod_time"])?.text
            self.name = name
            isFolder = type == "directory" || value["is_dir"] == .flag(true) && name.hasSuffix("/")
            date = time.flatMap(Dates.iso)
            byteCount = value["size"]?.integer
        }

        init?(_ node: Node) {
            guard ["file", "directory", "other"].contains(node.tagName) else { return nil }
            name = node.text(limit: 4_096)
            isFolder = node.tagName == "directory"
            date = node.attribute("mtime").flatMap(Dates.iso)
            byteCount = node.attribute("size").flatMap { Int(bounded: $0) }
        }

        func picture(in context: PageContext) -> Picture? {
            let name = name.hasSuffix("/") ? String(name.dropLast()) : name
            let path = "./" + PercentEncoding.encode(name) + (isFolder ? "/" : "")
            // A name is one path component; with a slash it could leave the folder.
            guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains("/"),
                let address = context.resolve(path)
            else { return nil }
            return Picture(
                entry: address, title: name, date: date,
                byteCount: byteCount.flatMap { $0 < 0 ? nil : $0 }, page: context.address)
        }
    }
}
