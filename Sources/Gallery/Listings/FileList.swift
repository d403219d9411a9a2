import Basics
import Markup
import Network

/// Listings by nginx's autoindex in JSON or XML: `[{"name": …, "type": "file", "mtime": …, "size": …}]` and `<list><file …>…</file></list>`
/// (https://nginx.org/en/docs/http/ngx_http_autoindex_module.html); Caddy's JSON has the same shape with other names.
struct FileList {
    let context: PageContext

    /// Returns the page of a JSON listing; nil if the value is something else.
    func page(json value: LooseValue) throws(PageError) -> Page? {
        let isOne = value.elements.allSatisfy {
            $0["name"]?.text != nil && ($0["type"]?.text != nil || $0["is_dir"] != nil)
        }
        guard isOne, !value.elements.isEmpty else { return nil }
        return try page(
            value.elements.map { entry in
                let name = entry["name"]?.text ?? ""
                return picture(
                    name,
                    isFolder: entry["type"]?.text == "directory"
                        || entry["is_dir"] == .flag(true) && name.hasSuffix("/"),
                    date: (entry["mtime"] ?? entry["mod_time"])?.text,
                    byteCount: entry["size"]?.integer)
            })
    }

    func page(xml document: Document) throws(PageError) -> Page? {
        guard let list = document.root.children.first(where: { !$0.isText }), list.tagName == "list"
        else { return nil }
        let entries = list.children.filter { ["file", "directory", "other"].contains($0.tagName) }
        return try page(
            entries.map { node in
                picture(
                    node.text(limit: 4_096), isFolder: node.tagName == "directory",
                    date: node.attribute("mtime"),
                    byteCount: node.attribute("size").flatMap { Int(bounded: $0) })
            })
    }

    private func page(_ pictures: [Picture?]) throws(PageError) -> Page {
        let title = Text.line(DirectoryListing.name(of: context.address))
        return try Page(
            listing: pictures.compactMap(\.self), title: title, address: context.address)
    }

    private func picture(
        _ entry: String, isFolder: Bool, date: String?, byteCount: Int?
    ) -> Picture? {
        let name = entry.hasSuffix("/") ? String(entry.dropLast()) : entry
        let path = "./" + PercentEncoding.encode(name) + (isFolder ? "/" : "")
        // A name is one path component; with a slash it could leave the folder.
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains("/"),
            let address = context.resolve(path)
        else { return nil }
        return Picture(
            entry: address, title: name, date: date.flatMap(Dates.iso),
            byteCount: byteCount.flatMap { $0 < 0 ? nil : $0 }, page: context.address)
    }
}
