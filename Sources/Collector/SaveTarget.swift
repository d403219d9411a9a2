import Archives
import Basics
import Gallery
import Glibc
import Network
import Pipeline

/// Where pictures are saved: a folder, or an archive, which they are packed into from a folder beside it.
///
/// So an archive that was interrupted goes on like a folder. Packed whole, it lies in that folder as `.packed` and is moved into its place
/// once nothing else is left there.
struct SaveTarget {
    /// What the pictures are packed into.
    enum Archive {
        /// A comic: a zip archive without compression.
        case comic
        /// A record of the web.
        case web
    }

    let path: String
    /// Nil for a folder.
    let archive: Archive?

    init(path: String) {
        self.path = path
        let name = path.lowercased()
        archive = name.hasSuffix(".cbz") ? .comic : name.hasSuffix(".warc.gz") ? .web : nil
    }

    /// The folder that the pictures are first put into.
    var folder: String { archive == nil ? path : path + ".part" }

    /// What is known to have been saved is known for all folders, and for each archive.
    var scope: String {
        guard archive != nil else { return "" }
        let (folder, name) = path.atLastSlash
        return (realPath(folder) ?? folder) + "/" + name
    }

    private var packed: String { folder + "/.packed" }

    /// Puts an archive that is already packed into its place.
    func settle() throws(SaveError) {
        guard archive != nil, access(packed.cPath, F_OK) == 0 else { return }
        for file in Self.files(at: folder) { unlink(file.cPath) }
        let (outer, name) = path.atLastSlash
        _ = try SaveFolder(path: outer).take(packed, as: name)
        // With what killed programs have left.
        removeFolder(folder)
    }

    /// Makes the archive of what is in the folder, if there is anything.
    func pack(title: String, from page: Address) throws(SaveError) {
        try settle()
        guard let archive else { return }
        let files = Self.files(at: folder)
        guard files != [folder] else { return }
        if files.isEmpty { return removeFolder(folder) }
        let part = folder + "/.packing"
        unlink(part.cPath)
        let file = createFile(part)
        guard file >= 0 else { throw SaveError(errno) }
        defer { close(file) }
        do throws(ArchiveError) {
            switch archive {
            case .comic: try writeComic(of: files, to: file, title, page)
            case .web: try writeRecords(of: files, to: file, title, page)
            }
        } catch {
            throw .notWritten(error.description)
        }
        guard fsync(file) == 0, rename(part.cPath, packed.cPath) == 0 else {
            throw SaveError(errno)
        }
        try settle()
    }

    private func writeComic(
        of files: [String], to descriptor: Int32, _ title: String, _ page: Address
    ) throws(ArchiveError) {
        let writer = try ArchiveWriter(to: descriptor, isZip: true)
        for path in files {
            guard let file = OpenFile(path) else { throw .system(systemReason(errno)) }
            try writer.add(String(path.dropFirst(folder.count + 1)), [], file)
        }
        let count = files.count { !$0.hasSuffix(".json") }
        let info = """
            <?xml version="1.0" encoding="utf-8"?>
            <ComicInfo><Title>\(title.escapedForMarkup)</Title><Web>\(page.text.escapedForMarkup)</Web>\
            <PageCount>\(count)</PageCount></ComicInfo>

            """
        try writer.add("ComicInfo.xml", Array(info.utf8))
        try writer.finish()
    }

    /// Writes each response, and a page with all of them, in a member of gzip of its own.
    private func writeRecords(
        of files: [String], to descriptor: Int32, _ title: String, _ page: Address
    ) throws(ArchiveError) {
        func write(_ head: String, _ file: OpenFile? = nil, _ tail: String = "")
            throws(ArchiveError)
        {
            let writer = try ArchiveWriter(to: descriptor, isZip: false)
            try writer.add("record", Array(head.utf8), file, Array(tail.utf8))
            try writer.finish()
        }
        var figures = ""
        for path in files where !path.hasSuffix(".json") {
            let record = smallFile(path + ".json", limit: 1 << 20).flatMap(LooseParser.value)
            guard let file = OpenFile(path), let address = record?["url"]?.text else {
                throw .system("\(path) is missing, or what is told of it")
            }
            let fields = "HTTP/1.1 200 OK\r\n\(record?["http"]?.text ?? "")\r\n"
            let head = Self.head(
                "response", address, "application/http;msgtype=response",
                fields.utf8.count + file.identity.size, file.identity.modified / 1_000_000_000)
            try write(head + fields, file, "\r\n\r\n")
            let link = address.escapedForMarkup
            let caption = record?["title"]?.text?.escapedForMarkup ?? ""
            figures +=
                "<figure><a href='\(link)'><img src='\(link)' alt=''></a><figcaption>\(caption)</figcaption></figure>\n"
        }
        let html = """
            <!DOCTYPE html><html><head><meta charset="utf-8"><title>\(title.escapedForMarkup)</title></head>
            <body><h1>\(title.escapedForMarkup)</h1>
            \(figures)</body></html>

            """
        try write(
            Self.head("conversion", page.text, "text/html", html.utf8.count, time(nil)) + html
                + "\r\n\r\n")
    }

    /// Returns the header of a record of WARC/1.1; its ID follows from what it is a record of.
    private static func head(
        _ type: String, _ address: String, _ mediaType: String, _ count: Int, _ seconds: Int
    ) -> String {
        let digits = Array(
            ContentHash(of: Array("\(type) \(address) \(seconds)".utf8)).text.prefix(32))
        let id = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
        return """
            WARC/1.1\r
            WARC-Type: \(type)\r
            WARC-Target-URI: \(address)\r
            WARC-Date: \(FolderEntry.isoDate(secondsSince1970: seconds))\r
            WARC-Record-ID: <urn:uuid:\(id.joined(separator: "-"))>\r
            Content-Type: \(mediaType)\r
            Content-Length: \(count)\r
            \r

            """
    }

    /// The paths of the files in a folder and those below, in natural order.
    private static func files(at path: String) -> [String] {
        guard let names = fileNames(in: path, limit: .max) else { return [path] }
        return names.sorted(by: NaturalOrder.precedes).flatMap { files(at: path + "/" + $0) }
    }
}
