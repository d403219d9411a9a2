import Glibc
import Markup
import Network

/// Reads a folder of this machine as a gallery.
///
/// Blocks on the disk: keep it off the coordinator's queue.
struct FolderReader {
    /// Entries of one folder that are looked at; a folder of a million files answers in seconds.
    private static let maxEntries = 1_000_000
    /// Entries below an album that are looked at for its first picture, over all levels.
    private static let maxAlbumEntries = 2_000
    /// Levels below an album.
    private static let maxAlbumDepth = 3

    /// The pictures and albums of the folder at `path`, albums first, each in natural order.
    func page(at path: String) throws(PageError) -> Page {
        let path = path.hasSuffix("/") ? path : path + "/"
        let page = Address(path: path, isFolder: true)
        let entries = try list(path)
        var pictures = PictureList()
        for entry in entries where entry.isFolder {
            if let album = album(entry, on: page) { pictures.append(album) }
        }
        for entry in entries where !entry.isFolder && entry.isPicture {
            pictures.append(picture(entry, on: page))
        }
        guard !pictures.isEmpty else { throw .noPictures }
        return Page(address: page, title: Folder.name(of: path), pictures: pictures)
    }

    private func list(_ path: String) throws(PageError) -> [FolderEntry] {
        do throws(FetchError) {
            return try Folder.entries(of: path, limit: FolderReader.maxEntries)
        } catch {
            throw .fetch(error)
        }
    }

    private func picture(_ entry: FolderEntry, on page: Address) -> Picture {
        var picture = Picture(
            variants: [Picture.Variant(address: Address(path: entry.path))], page: page,
            title: Text.line(entry.name), date: entry.date, byteCount: entry.bytes)
        picture.isFullKnown = true
        return picture
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
            let entries = try? Folder.entries(of: path, limit: left)
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
