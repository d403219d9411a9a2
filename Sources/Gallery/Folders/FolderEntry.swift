import Archives
import Basics
import Glibc
import Markup
public import Network

/// A file or folder in a folder.
package struct FolderEntry {
    let name: String
    /// The folder's path with a trailing slash; one string shared by all entries.
    let folder: String
    let isFolder: Bool
    let bytes: Int
    /// Seconds since 1970; 0 if unknown.
    let changed: Int
    var path: String { folder + name }

    /// Whether the name or, failing that, the first bytes are those of a picture.
    ///
    /// An empty or broken file is shown as a failed picture.
    var isPicture: Bool { Self.isPicture(name) { OpenFile(path)?.piece() } }

    /// Whether the name or, failing that, what the file starts with is a picture's.
    static func isPicture(_ name: String, _ start: () -> [UInt8]?) -> Bool {
        let hints = AddressHints(Address(path: "/\(name)"))
        if hints.looksLikePicture || furtherEndings.contains(name.ending) { return true }
        // SVGs on pages are icons and logos; in a folder they are content.
        guard hints.couldBePicture || name.ending == "svg" else { return false }
        return start().map(ContentKind.isPicture) ?? false
    }

    /// On pages these are not looked for.
    private static let furtherEndings =
        Address.videoEndings.union(
            wordSet("pnm pbm pgm ppm pam pfm psd jp2 j2k jpx qoi ico tga apng svgz"))

    static let archiveEndings = wordSet(
        """
        zip cbz tar cbt 7z cb7 rar cbr tgz txz tbz tbz2 tlz gz xz bz2 lz zst mhtml mht warc
        """)

    /// Whether the name and the first bytes are those of an archive.
    var isArchive: Bool {
        Self.archiveEndings.contains(name.ending) && Archive.isOne(atPath: path)
    }

    /// Whether it is a folder, a document or an archive.
    var isAlbum: Bool { isFolder || isDocument || isArchive }

    /// Whether it is a document, by its name: an album of its pages.
    var isDocument: Bool { name.ending == "pdf" }

    private var isRaw: Bool { AddressHints(name).ending == .raw }
    private var stem: String { name.withoutEnding.lowercased() }

    /// Returns the pictures among `entries`, without raw files beside another picture of the same name: the camera's own JPEG.
    static func pictures(among entries: [FolderEntry]) -> [FolderEntry] {
        let pictures = entries.filter { !$0.isFolder && $0.isPicture }
        guard pictures.contains(where: \.isRaw) else { return pictures }
        let others = Set(pictures.lazy.filter { !$0.isRaw }.map(\.stem))
        return pictures.filter { !$0.isRaw || !others.contains($0.stem) }
    }

    /// The endings of files that are one picture if they have one name: a raw file, the camera's own JPEG and a side-car; a photograph, the
    /// moment around it and a side-car.
    private static let families = [
        wordSet("dng cr2 cr3 nef arw orf rw2 pef raf jpg jpeg xmp"),
        wordSet("heic heif hif mov xmp"),
    ]

    /// Returns the names of the other files in its folder that are one picture with the one at `path`; blocks on the disk.
    package static func companions(of path: String) -> [String] {
        let (folder, name) = path.atLastSlash
        guard let family = families.first(where: { $0.contains(name.ending) }) else { return [] }
        let stem = "\(name.withoutEnding.lowercased())."
        return (fileNames(in: folder, limit: 100_000) ?? []).filter { other in
            let own = other.lowercased()
            // Two photographs of one name are two pictures, each with its side-car.
            let isOthers =
                AddressHints(name).ending == .photo
                && [other, String(other.withoutEnding)].contains {
                    $0 != name && AddressHints($0).ending == .photo
                }
            return other != name && !isOthers && own.hasPrefix(stem)
                && own.dropFirst(stem.count).split(separator: ".").allSatisfy {
                    family.contains(String($0))
                }
        }
    }

    /// Returns the contents of the folder at `path`, which ends with a slash, in natural order, without hidden and special files.
    static func all(in path: String, limit: Int) throws(PageError) -> [FolderEntry] {
        guard let names = fileNames(in: path, limit: limit) else {
            throw .fetch(FetchError(errno))
        }
        return names.compactMap { FolderEntry($0, in: path) }
            .sorted { NaturalOrder.precedes($0.name, $1.name) }
    }

    /// Creates the entry of the file at the absolute `path`; nil for anything that is not a file.
    init?(path: String) {
        let (folder, name) = path.atLastSlash
        self.init(name, in: folder)
        if isFolder { return nil }
    }

    func picture(_ title: String, on page: Address) -> Picture {
        var picture = Picture(
            listed: Address(path: path), title: title, byteCount: bytes, page: page)
        if changed != 0 { picture.moment = .secondsSince1970(changed) }
        return picture
    }

    func album(at address: Address, cover: Address, on page: Address) -> Picture {
        Picture(
            variants: [Picture.Variant(address: cover)], link: address, page: page,
            title: Text.line(name),
            date: changed == 0 ? nil : Self.isoDate(secondsSince1970: changed), kind: .album)
    }

    init?(_ name: String, in folder: String) {
        guard let status = fileStatus(folder + name), [S_IFREG, S_IFDIR].contains(status.kind)
        else { return nil }
        self.name = name
        self.folder = folder
        isFolder = status.kind == S_IFDIR
        // A sparse file may claim any size.
        bytes = min(Int(status.st_size), 1 << 48)
        changed = status.st_mtim.tv_sec
    }

    /// Formats a time as `2018-11-26T10:00:00Z`, clamped to the years 1 to 9999, since files may claim any time.
    package static func isoDate(secondsSince1970 seconds: Int) -> String {
        utcText(min(max(seconds, -62_135_596_800), 253_402_300_799), "%Y-%m-%dT%H:%M:%SZ")
    }

    /// Opens the file at `path` if its name or first bytes are a picture's, or a document's; nil otherwise.
    static func shownFile(_ path: String) -> OpenFile? {
        OpenFile(path).flatMap { file in
            let head = file.piece()
            return furtherEndings.contains(path.ending) || ContentKind.isPicture(head)
                || ContentKind.isDocument(head) ? file : nil
        }
    }
}

/// What exists at a path.
public enum FileKind: Sendable {
    case folder, file, nothing

    /// Checks what exists at `path`, following symbolic links; blocks on the disk.
    ///
    /// What exists but cannot be examined counts as a file, so that reading it reports the reason.
    public init(atPath path: String) {
        if let status = fileStatus(path) {
            self = status.kind == S_IFDIR ? .folder : .file
        } else {
            self = errno == EACCES ? .file : .nothing
        }
    }
}

extension Address {
    fileprivate static let videoEndings = wordSet(
        "mp4 m4v mov 3gp webm mkv avi mpg mpeg vob m2ts mts flv ogv")

    /// The media type of a video by its name; nil for other files.
    public var videoType: String? {
        let ending = lastPathComponent.ending
        return Self.videoEndings.contains(ending) ? "video/\(ending)" : nil
    }
}
