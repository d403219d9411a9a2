import Basics
import Glibc
import Markup
import Network

/// Reads a folder of this machine as a gallery.
///
/// Blocks on the disk, for ever on a dead network mount: never on the main thread or the coordinator's queue.
struct FolderReader {
    /// Entries of one folder that are looked at; a folder of a million files answers in seconds.
    private static let maxEntries = 1_000_000
    /// Entries below an album that are looked at for its first picture, over all levels.
    private static let maxAlbumEntries = 2_000
    private static let maxAlbumDepth = 3

    /// The pictures and albums of the folder at `path`, albums first, each in natural order.
    func page(at path: String) throws(PageError) -> Page {
        let path = path.hasSuffix("/") ? path : path + "/"
        let page = Address(path: path, isFolder: true)
        let entries = try FolderEntry.all(in: path, limit: FolderReader.maxEntries)
        var pictures = PictureList()
        for entry in entries where entry.isFolder {
            if let album = album(entry, on: page) { pictures.append(album) }
        }
        for entry in entries where !entry.isFolder && entry.isPicture {
            pictures.append(
                Picture(
                    listed: Address(path: entry.path), title: entry.name, date: entry.date,
                    byteCount: entry.bytes, page: page))
        }
        guard !pictures.isEmpty else { throw .noPictures }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return Page(address: page, title: Text.line(name), pictures: pictures)
    }

    /// Nil for a folder without pictures, or one that may not be read.
    private func album(_ entry: FolderEntry, on page: Address) -> Picture? {
        var left = FolderReader.maxAlbumEntries
        guard let first = firstPicture(in: entry.path + "/", depth: 0, left: &left) else {
            return nil
        }
        return Picture(
            variants: [Picture.Variant(address: Address(path: first.path))],
            link: Address(path: entry.path, isFolder: true), page: page,
            title: Text.line(entry.name), date: entry.date, kind: .album)
    }

    private func firstPicture(in path: String, depth: Int, left: inout Int) -> FolderEntry? {
        guard depth < FolderReader.maxAlbumDepth, left > 0,
            let entries = try? FolderEntry.all(in: path, limit: left)
        else { return nil }
        left -= entries.count
        if let picture = entries.first(where: { !$0.isFolder && $0.isPicture }) { return picture }
        for folder in entries where folder.isFolder {
            if let found = firstPicture(in: folder.path + "/", depth: depth + 1, left: &left) {
                return found
            }
        }
        return nil
    }
}

/// One file or folder in a folder.
struct FolderEntry {
    let name: String
    /// The folder's path, with a slash at its end; one string shared by all entries.
    let folder: String
    let isFolder: Bool
    let bytes: Int
    /// Seconds since 1970.
    let changed: Int

    var path: String { folder + name }

    var date: String { Self.isoDate(secondsSince1970: changed) }

    /// Whether the name or, failing that, the first bytes are those of a picture.
    var isPicture: Bool {
        guard bytes > 0 else { return false }
        let hints = AddressHints(Address(path: path))
        if hints.looksLikePicture { return true }
        // On pages drawings are icons and logos; in a folder they are what is in it.
        guard hints.couldBePicture || name.lowercased().hasSuffix(".svg") else { return false }
        return ContentKind.isPicture(Self.head(of: path))
    }

    /// What is in the folder at `path`, which ends with a slash, in natural order; hidden and special files are left out.
    static func all(in path: String, limit: Int) throws(PageError) -> [FolderEntry] {
        guard let names = fileNames(in: path, limit: limit) else {
            let code = errno
            if code == ENOENT || code == ENOTDIR { throw .fetch(.noSuchFile) }
            throw .fetch(.unreadable(String(cString: strerror(code)).lowercased()))
        }
        return names.compactMap { FolderEntry($0, in: path) }
            .sorted { NaturalOrder.precedes($0.name, $1.name) }
    }

    private init?(_ name: String, in folder: String) {
        var status = stat()
        guard stat(folder + name, &status) == 0 else { return nil }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFDIR else { return nil }
        self.name = name
        self.folder = folder
        isFolder = kind == S_IFDIR
        // A file with holes may claim any size.
        bytes = min(Int(status.st_size), 1 << 48)
        changed = status.st_mtim.tv_sec
    }

    /// `2018-11-26T10:00:00Z`; files may claim any time, of which the years 1 to 9999 can be written.
    static func isoDate(secondsSince1970 seconds: Int) -> String {
        var time = min(max(seconds, -62_135_596_800), 253_402_300_799)
        var parts = tm()
        var text = [CChar](repeating: 0, count: 32)
        gmtime_r(&time, &parts)
        let length = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text[..<length].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func head(of path: String) -> [UInt8] {
        // Not blocking: opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        // Declarations and comments may stand before the first tag of a drawing.
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}

/// What there is at a path.
enum FileKind {
    case folder, file, nothing

    /// Follows symbolic links; blocks on the disk.
    ///
    /// What exists but may not be looked at counts as a file, so that reading it tells the reason.
    init(atPath path: String) {
        var status = stat()
        if stat(path, &status) == 0 {
            self = status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
        } else {
            self = errno == EACCES ? .file : .nothing
        }
    }
}
