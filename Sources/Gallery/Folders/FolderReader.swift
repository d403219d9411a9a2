public import Archives
public import Basics
import Glibc
import Markup
public import Network

/// Reads folders and lists of files as galleries.
///
/// Blocks on the disk, indefinitely on a dead network mount: never call it on the main thread or the coordinator's queue.
public struct FolderReader: Sendable {
    private let fileLists: [Address: [String]]
    private let isRecursive: Bool
    private let ignored: Set<String>
    let archives: ArchiveCache
    private let watch: FolderWatch?
    private let clock: SecondsClock
    /// Entries that are read from one folder, or in total if recursive; a folder of a million files takes seconds.
    private static let maxEntries = 1_000_000
    /// Entries below an album that are searched for its first picture, over all levels.
    private static let maxAlbumEntries = 2_000
    private static let maxAlbumDepth = 3
    /// Seconds per folder in which archives are opened for their first picture, about a millisecond each: no folder waits for them.
    private static let coverSeconds = 0.25
    private static let maxDepth = 64
    /// Seconds for the records beside a folder's pictures, of which some thousand are read in one.
    private static let recordSeconds = 2.0
    /// More than what any site says about a picture.
    private static let recordBytes = 1 << 18

    /// Creates a reader; `isRecursive` makes a folder and all its subfolders one gallery, without albums.
    ///
    /// `sources` may contain lists of files. Subfolders with the names in `ignored` are left out of such a gallery. `archives` is shared with
    /// the code that reads the pictures. `watch` tells of changes in the folders read. `clock` tells seconds.
    public init(
        sources: [Source] = [], isRecursive: Bool = false, ignored: Set<String> = [],
        archives: ArchiveCache = ArchiveCache(), watch: FolderWatch? = nil,
        clock: @escaping SecondsClock = { SteadyClock.now }
    ) {
        let lists = sources.filter { !$0.files.isEmpty }.map { ($0.address, $0.files) }
        fileLists = Dictionary(lists) { first, _ in first }
        self.isRecursive = isRecursive
        self.ignored = ignored
        self.archives = archives
        self.watch = watch
        self.clock = clock
    }

    /// Whether `path` contains pictures rather than being one: a folder, an archive, or a page in an archive.
    static func isContainer(_ path: String) -> Bool {
        switch FileKind(atPath: path) {
        case .folder: true
        case .file: Archive.isOne(atPath: path) && path.ending != "svgz"
        case .nothing:
            ArchiveCache.archivePath(of: path) != nil
                && !AddressHints(Address(path: path)).looksLikePicture
        }
    }

    /// Whether there are pictures, folders or archives in the folder at `path`; blocks on the disk.
    public static func hasContents(inFolder path: String) -> Bool {
        // The first of a hundred thousand names that is one answers for most folders.
        (fileNames(in: path, limit: 100_000) ?? []).contains {
            FolderEntry($0, in: "\(path)/").map { $0.isAlbum || $0.isPicture } ?? false
        }
    }

    /// Returns the page of the folder or list of files at `address`.
    public func page(at address: Address) throws(PageError) -> Page {
        let folder = Address(path: address.filePath ?? "/", isFolder: true)
        let path = folder.filePath ?? "/"
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let pictures: PictureList
        if let files = fileLists[address] {
            watch?.begin(files: files, of: address)
            pictures = PictureList(
                files.compactMap(FolderEntry.init(path:)).map { $0.picture($0.name, on: folder) })
        } else if isRecursive {
            pictures = try allPictures(in: path, on: folder)
        } else {
            watch?.begin(path, of: folder)
            pictures = try picturesAndAlbums(in: path, on: folder)
        }
        guard !pictures.isEmpty else { throw .noPictures }
        return Page(address: folder, title: Text.line(name), pictures: pictures)
    }

    /// Returns all pictures below `root`, each folder's own before those of its subfolders.
    private func allPictures(in root: String, on page: Address) throws(PageError)
        -> PictureList
    {
        var pictures = PictureList()
        let end = clock() + Self.recordSeconds
        // A stack; the next folder is the last element.
        var folders = [(path: root, depth: 0)]
        var left = Self.maxEntries
        while let (path, depth) = folders.popLast(), left > 0 {
            let entries: [FolderEntry]
            watch?.begin(path, of: page)
            do throws(PageError) {
                entries = try FolderEntry.all(in: path, limit: left)
            } catch {
                // An unreadable subfolder only loses its own pictures.
                if depth == 0 { throw error }
                continue
            }
            left -= entries.count
            pictures.append(
                contentsOf: self.pictures(among: entries, below: root, on: page, until: end))
            for entry in entries.reversed()
            // A link may lead out of what was named, or form a cycle.
            where entry.isFolder && depth < Self.maxDepth && !ignored.contains(entry.name)
                && linkStatus(entry.path)?.kind == S_IFDIR
            {
                folders.append(("\(entry.path)/", depth + 1))
            }
        }
        return pictures
    }

    /// Returns the albums (folders and archives), then the pictures, both in natural order.
    private func picturesAndAlbums(
        in path: String, on page: Address
    ) throws(PageError) -> PictureList {
        let entries = try FolderEntry.all(in: path, limit: Self.maxEntries)
        let end = clock() + Self.coverSeconds
        let albums = PictureList(
            entries.lazy.compactMap { entry in
                entry.isFolder
                    ? Self.album(entry, on: page)
                    : entry.isAlbum ? archive(entry, on: page, until: end) : nil
            })
        let files = pictures(
            among: entries, below: path, on: page, until: clock() + Self.recordSeconds)
        return albums + files
    }

    /// Returns the pictures among `entries`, called by their paths below `root`, or as records of gallery-dl beside them say
    /// (`--write-metadata`), as far as these are read in time.
    private func pictures(
        among entries: [FolderEntry], below root: String, on page: Address, until end: Double
    ) -> some Sequence<Picture> {
        let records = Set(entries.lazy.map(\.name).filter { $0.hasSuffix(".json") })
        return FolderEntry.pictures(among: entries).lazy.map { [clock] entry in
            let title = entry.path.utf8.dropFirst(root.utf8.count)
            var picture = entry.picture(String(utf8: title), on: page)
            let name = "\(entry.name).json"
            if records.contains(name), clock() < end,
                let record = smallFile(entry.folder + name, limit: Self.recordBytes)
            {
                LooseParser.value(of: record).map { picture.describe(by: $0) }
            }
            return picture
        }
    }

    /// Returns the album of a folder; nil if it has no pictures or cannot be read.
    private static func album(_ entry: FolderEntry, on page: Address) -> Picture? {
        var left = maxAlbumEntries
        guard let first = firstPicture(in: "\(entry.path)/", depth: 0, left: &left) else {
            return nil
        }
        return entry.album(
            at: Address(path: entry.path, isFolder: true), cover: Address(path: first.path),
            on: page)
    }

    /// Returns the album of a document, or of an archive, with its first picture if finding that unpacks nothing and ends in time; nil if it has no pictures.
    private func archive(_ entry: FolderEntry, on page: Address, until end: Double) -> Picture? {
        let address = Address(path: entry.path)
        var cover = entry.isDocument ? address.page(1) : nil
        let seconds = end - clock()
        if cover == nil, seconds > 0,
            let archive = try? Archive(
                path: entry.path, limit: 1 << 16, canUnpack: false, seconds: seconds, clock: clock)
        {
            let page = try? ArchivedGallery(archive, at: address).page()
            if page == nil, archive.failure == nil { return nil }
            cover = page?.pictures.first(where: \.isDrawable)?.thumbnail
        }
        return entry.album(at: address, cover: cover ?? address, on: page)
    }

    private static func firstPicture(in path: String, depth: Int, left: inout Int) -> FolderEntry? {
        guard depth < maxAlbumDepth, left > 0,
            let entries = try? FolderEntry.all(in: path, limit: left)
        else { return nil }
        left -= entries.count
        if let picture = entries.first(where: {
            !$0.isFolder && $0.bytes > 0 && $0.isPicture
        }) {
            return picture
        }
        for folder in entries where folder.isFolder {
            if let found = firstPicture(in: "\(folder.path)/", depth: depth + 1, left: &left) {
                return found
            }
        }
        return nil
    }
}
