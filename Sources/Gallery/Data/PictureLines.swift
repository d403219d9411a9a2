import Basics
import Network

/// Reads lines of `--json`, and those of other programs with the same keys, which only the reader's own input may have.
enum PictureLines {
    static func page(_ value: LooseValue, _ context: PageContext) -> Page? {
        guard context.address.isFile,
            ["image", "path", "kind"].contains(where: { value.list.first?[$0]?.text != nil })
        else { return nil }
        let page = context.page(
            title: nil, value.list.lazy.compactMap { Picture(record: $0, context) })
        return page.isWithoutPictures ? nil : page
    }
}

extension Picture {
    /// Creates a picture from an object with the keys of `--json` and any others, which are kept; nil without an address.
    ///
    /// Only "path" names a file of this machine.
    init?(record: LooseValue, _ context: PageContext) {
        let base = context.base.filePath?.atLastSlash.folder ?? ""
        let path = record["path"]?.text.map { $0.hasPrefix("/") ? $0 : base + $0 }
        let file = path.map { Address(path: $0) }
        let (folder, name) = (path ?? "").atLastSlash
        let isAlbum =
            record["kind"]?.text == "album" || FolderEntry(name, in: folder)?.isAlbum == true
        let link = context.resolve(record["link"]) ?? (isAlbum ? file : nil)
        let image = file ?? context.resolve(record["image"]) ?? (isAlbum ? link : nil)
        let words = ObjectWords(record)
        self.init(
            data: [record.variant("thumbnail", context), record.variant(at: image)],
            title: words.title, date: words.date, link: link, summary: words.summary, context)
        if isAlbum { kind = .album }
        page = context.resolve(record["page"]) ?? page
        for member in record.members.prefix(40)
        where !PictureRecord.names.contains(member.key) && member.value != .null {
            let text = member.value.text ?? member.value.json
            if text.utf8.count <= 1_000 { others[member.key] = text.oneLine() }
        }
    }
}
