import Basics
import Glibc
import Markup
import Network

/// Listings by nginx's autoindex in JSON or XML: `[{"name": …, "type": "file", "mtime": …, "size": …}]` and `<list><file …>…</file></list>`
/// (https://nginx.org/en/docs/http/ngx_http_autoindex_module.html), and by file servers in lines; Caddy's JSON has the same shape with
/// other names.
struct FileList {
    let context: PageContext

    /// Returns the page of a JSON listing; nil if the value is something else.
    func page(json value: LooseValue) throws(PageError) -> Page? {
        let isOne = value.elements.allSatisfy {
            $0["name"]?.text != nil && ($0["type"]?.text != nil || $0["is_dir"] != nil)
        }
        guard isOne, !value.elements.isEmpty else { return nil }
        return try page(
            value.elements.lazy.compactMap { entry in
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
            entries.lazy.compactMap { node in
                picture(
                    node.text(limit: 4_096), isFolder: node.tagName == "directory",
                    date: node.attribute("mtime"),
                    byteCount: node.attribute("size").flatMap { Int(bounded: $0) })
            })
    }

    /// Returns the page of lines as `ls -l` prints them: `-rw-r--r-- 1 owner group 4096 Nov 25 17:08 name`.
    func page(lines: [UInt8]) throws(PageError) -> Page {
        try page(
            lines.split { $0 == "\n" || $0 == "\r" }.lazy.compactMap {
                picture(line: String(systemBytes: $0))
            })
    }

    /// Returns the entry of a line; nil for anything but a file, a folder or a link, which counts as a file.
    private func picture(line: String) -> Picture? {
        let words = line.split(separator: " ")
        // Owners and groups may be missing, and called anything.
        let month = words.prefix(7).indices.dropFirst(2).last {
            Int(bounded: words[$0 - 1]) != nil && words.count > $0 + 2
                && Dates.iso("1 \(words[$0]) 2000") != nil
        }
        guard let kind = line.first, "-dl".contains(kind), let month else { return nil }
        // Some servers put the day before the month.
        let isDayFirst = words[month + 1].count > 2
        let (size, day) = isDayFirst ? (month - 2, month - 1) : (month - 1, month + 1)
        let time = words[max(month, day) + 1]
        var name = String(line[time.endIndex...].dropFirst())
        if kind == "l", let arrow = name.firstRange(of: " -> ") {
            name = String(name[..<arrow.lowerBound])
        }
        guard !name.hasPrefix(".") else { return nil }
        return picture(
            name, isFolder: kind == "d", date: date("\(words[day]) \(words[month])", String(time)),
            byteCount: Int(bounded: words[size]))
    }

    /// Returns a date whose time is in place of the year if it is less than a year ago.
    private func date(_ day: String, _ time: String) -> String? {
        guard time.contains(":") else { return "\(day) \(time)" }
        let tomorrow = FolderEntry.isoDate(secondsSince1970: Glibc.time(nil) + 86_400)
        let year = Int(tomorrow.prefix(4)) ?? 0
        return [year, year - 1].map { "\(day) \($0) \(time)" }
            .first { Dates.iso($0).map { $0 < tomorrow } ?? false }
    }

    private func page(_ pictures: some Sequence<Picture>) throws(PageError) -> Page {
        let title = Text.line(DirectoryListing.name(of: context.address))
        return try Page(
            listing: pictures, title: title, address: context.address)
    }

    private func picture(
        _ entry: String, isFolder: Bool, date: String?, byteCount: Int?
    ) -> Picture? {
        let name = entry.hasSuffix("/") ? String(entry.dropLast()) : entry
        let path =
            "./" + PercentEncoding.encode(name.systemBytes) + (isFolder ? "/" : "")
        // A name is one path component; with a slash it could leave the folder.
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains("/"),
            name.utf8.allSatisfy({ $0 >= 0x20 }),
            let address = context.resolve(path)
        else { return nil }
        return Picture(
            entry: address, title: name, date: date.flatMap(Dates.iso),
            byteCount: byteCount.flatMap { $0 < 0 ? nil : $0 }, page: context.address)
    }
}
