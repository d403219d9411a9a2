import Markup
import Network

import Glibc

/// One file or folder in a folder.
struct FolderEntry {
    let name: String
    /// The folder's path, with a slash at its end; one string shared by all entries.
    let folder: String
    let isFolder: Bool
    /// The file's size.
    let bytes: Int
    /// When it changed, in seconds since 1970.
    let changed: Int

    var path: String { folder + name }

    /// When it changed, as ISO 8601 in UTC.
    var date: String { CalendarDate(secondsSince1970: changed).iso }

    /// Whether the name or, failing that, the first bytes are those of a picture.
    ///
    /// Reads the file where the name says nothing.
    var isPicture: Bool {
        guard bytes > 0 else { return false }
        let hints = AddressHints(Address(path: path))
        if hints.looksLikePicture { return true }
        // On pages drawings are icons and logos; in a folder they are what is in it.
        guard hints.couldBePicture || name.lowercased().hasSuffix(".svg") else { return false }
        return ContentKind.isPicture(Folder.head(of: path))
    }
}

/// Folders of this machine, as the C library tells them.
enum Folder {
    /// What is in the folder, in natural order, hidden and special files left out.
    static func entries(of path: String, limit: Int) throws(FetchError) -> [FolderEntry] {
        guard let stream = opendir(path) else { throw error(errno) }
        defer { closedir(stream) }
        var entries: [FolderEntry] = []
        while entries.count < limit, let record = readdir(stream) {
            let name = withUnsafePointer(to: &record.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    String(cString: $0)
                }
            }
            guard !name.hasPrefix("."), let entry = entry(name, in: path) else { continue }
            entries.append(entry)
        }
        return entries.sorted { NaturalOrder.precedes($0.name, $1.name) }
    }

    /// The name of the folder at `path`.
    static func name(of path: String) -> String {
        Text.line(path.split(separator: "/").last.map(String.init) ?? path)
    }

    /// The first bytes of a file; empty if it cannot be read.
    static func head(of path: String) -> [UInt8] {
        // Not blocking: opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        // Declarations and comments may stand before the first tag of a drawing.
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    private static func entry(_ name: String, in folder: String) -> FolderEntry? {
        var status = stat()
        guard stat(folder + name, &status) == 0 else { return nil }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFDIR else { return nil }
        let changed = status.st_mtim.tv_sec
        return FolderEntry(
            name: name, folder: folder, isFolder: kind == S_IFDIR, bytes: Int(status.st_size),
            changed: Int(changed))
    }

    private static func error(_ code: Int32) -> FetchError {
        switch code {
        case ENOENT, ENOTDIR: .noSuchFile
        default: .unreadable(String(cString: strerror(code)).lowercased())
        }
    }
}
