import Archives
import Basics
import Gallery
import Glibc
import Network

/// Where pictures are saved: a folder, or an archive, which they are packed into from a folder beside it.
///
/// So an archive that was interrupted goes on like a folder. Packed whole, it lies in that folder as `.packed`, and is moved into its place
/// once nothing else is left there.
struct SaveTarget {
    /// What the pictures are packed into: a zip archive for readers of comics, or records of the web.
    enum Archive { case comic, web }

    let path: String
    /// Nil for a folder.
    let archive: Archive?

    init(path: String) {
        let whole = path.lowercased()
        archive = whole.hasSuffix(".cbz") ? .comic : whole.hasSuffix(".warc.gz") ? .web : nil
        let (folder, name) = path.atLastSlash
        // One archive has one path, however it was typed.
        self.path = archive == nil ? path : "\(realPath(folder) ?? folder)/\(name)"
    }

    /// The folder that the pictures are first put into.
    var folder: String { archive == nil ? path : "\(path).part" }

    /// What was saved is known for all folders, and for each archive.
    var scope: String { archive == nil ? "" : path }

    /// What tells that the folder beside an archive was made here.
    private static let mark = ".halftone"

    /// Opens the folder that pictures are put into, for an archive as this program's alone, and puts an archive that is already packed
    /// into its place.
    func parts(below path: String) throws(SaveError) -> SaveFolder {
        if archive == nil { return try SaveFolder(path: folder).below(path) }
        makeFolder(folder, mode: 0o777)
        let parts = try SaveFolder(opening: folder, isOwn: true)
        let names = fileNames(in: parts.path, limit: .max, isAll: true) ?? []
        guard names.isEmpty || names.contains(Self.mark) else {
            throw .refused("\(folder.atLastSlash.name) is of something else: move it away")
        }
        close(createFile("\(parts.path)/\(Self.mark)"))
        try settle(parts)
        return parts
    }

    /// The files that an archive is made of.
    private func files(in parts: SaveFolder) -> [String] {
        (fileNames(in: parts.path, limit: .max) ?? []).sorted(by: NaturalOrder.precedes)
            .map { "\(parts.path)/\($0)" }
            .filter { linkStatus($0)?.kind == S_IFREG }
    }

    private func settle(_ parts: SaveFolder) throws(SaveError) {
        let packed = "\(parts.path)/.packed"
        guard access(packed.cPath, F_OK) == 0 else { return }
        // Nothing was added since, by the lock.
        for file in files(in: parts) { unlink(file.cPath) }
        let (outer, name) = path.atLastSlash
        _ = try SaveFolder(path: outer).take(packed, as: name)
    }

    /// Makes the archive of what is in the folder, if there is anything, which came from the gallery of `order`.
    func pack(_ opened: SaveFolder?, _ order: SaveOrder) throws(SaveError) {
        guard access(folder.cPath, F_OK) == 0 else { return }
        let parts = if let opened { opened } else { try self.parts(below: "") }
        let files = files(in: parts)
        if !files.isEmpty { try pack(files, in: parts, order) }
        // Whatever else is there stays.
        guard fileNames(in: parts.path, limit: 2, isAll: true) == [Self.mark] else { return }
        unlink("\(parts.path)/\(Self.mark)".cPath)
        rmdir(folder.cPath)
    }

    private func pack(
        _ files: [String], in parts: SaveFolder, _ order: SaveOrder
    ) throws(SaveError) {
        let part = "\(parts.path)/.packing"
        unlink(part.cPath)
        let file = createFile(part)
        guard file >= 0 else { throw SaveError(errno) }
        defer {
            close(file)
            // Unless it has got its name, it would only fill the disk.
            unlink(part.cPath)
        }
        do throws(ArchiveError) {
            if archive == .comic {
                try writeComic(files, to: file, order)
            } else {
                try writeRecords(files, to: file, order)
            }
        } catch {
            throw .notWritten("\(path.atLastSlash.name): \(error)")
        }
        guard fsync(file) == 0, rename(part.cPath, "\(parts.path)/.packed".cPath) == 0 else {
            throw SaveError(errno)
        }
        try settle(parts)
    }

    private func writeComic(
        _ files: [String], to descriptor: Int32, _ order: SaveOrder
    ) throws(ArchiveError) {
        let writer = try ArchiveWriter(to: descriptor, isZip: true)
        for path in files {
            try writer.add(path.atLastSlash.name, try Self.contents(path))
        }
        let count = files.count { !$0.hasSuffix(".json") }
        let info =
            "<?xml version=\"1.0\"?><ComicInfo><Title>\(order.gallery.escapedForMarkup)</Title><Web>\(order.picture.page.text.escapedForMarkup)</Web><PageCount>\(count)</PageCount></ComicInfo>\n"
        try writer.add("ComicInfo.xml", info.bytes)
        try writer.finish()
    }

    /// Writes each response, and a page with all of them.
    private func writeRecords(
        _ files: [String], to descriptor: Int32, _ order: SaveOrder
    ) throws(ArchiveError) {
        let records = WebRecords(descriptor: descriptor)
        var figures = ""
        for path in files where !path.hasSuffix(".json") {
            let record = LooseParser.value(of: try Self.contents("\(path).json"))
            let address = record?["url"]?.text ?? ""
            let fields = record?["http"]?.text ?? ""
            try records.write(Self.contents(path), at: address, fields: fields)
            let link = address.escapedForMarkup
            let caption = record?["title"]?.text?.escapedForMarkup ?? ""
            figures +=
                "<figure><a href='\(link)'><img src='\(link)'></a><figcaption>\(caption)</figcaption></figure>\n"
        }
        let title = order.gallery.escapedForMarkup
        let html =
            "<!DOCTYPE html><meta charset='utf-8'><title>\(title)</title><h1>\(title)</h1>\n\(figures)"
        try records.write("conversion", of: order.picture.page.text, "text/html", html.bytes)
    }

    private static func contents(_ path: String) throws(ArchiveError) -> [UInt8] {
        // The largest picture that is saved.
        guard let bytes = smallFile(path, limit: 1 << 30) else { throw .system("\(path) is gone") }
        return bytes
    }
}
