import Archives
import Basics
import Markup
import Network

/// An archive as a gallery: all pictures and archives in it, or the page it was made from.
struct ArchivedGallery {
    private let archive: Archive
    private let path: String
    /// The path of the wanted page in the archive; nil for the first page.
    private let entry: String?
    private let address: Address

    /// Creates the gallery of an open archive at `address`.
    init(_ archive: Archive, at address: Address) {
        self.archive = archive
        self.address = address
        path = address.filePath ?? ""
        entry = nil
    }

    /// Opens the archive at `address`, which may continue with the path of a page in it.
    ///
    /// Blocks on the disk.
    init(at address: Address, in cache: ArchiveCache) throws(PageError) {
        let whole = address.filePath ?? ""
        let isWhole =
            FileKind(atPath: whole) == .file || FolderEntry.archiveEndings.contains(whole.ending)
        let outer = isWhole ? nil : ArchiveCache.archivePath(of: whole)
        path = outer ?? whole
        entry = outer.map { String(Substring(whole.utf8.dropFirst($0.utf8.count + 1))) }
        self.address = address
        do throws(ArchiveError) {
            archive = try cache.archive(at: path)
        } catch {
            throw .fetch(FetchError(error))
        }
    }

    /// Returns all pictures, and archives as albums, a folder's files before its subfolders, each in natural order.
    func page() throws(PageError) -> Page {
        var found = archive.entries.filter(isShown).map { entry in
            (steps: entry.path.split(separator: "/").map(String.init), entry: entry)
        }
        guard !found.isEmpty else {
            throw archive.failure.map { .fetch(FetchError($0)) } ?? .noPictures
        }
        found.sort { Self.precedes($0.steps, $1.steps) }
        let first = found[0].steps.dropLast()
        let common = found.reduce(first.count) { count, other in
            zip(first.prefix(count), other.steps.dropLast()).prefix { $0 == $1 }.count
        }
        var page = Page(
            address: address,
            title: Text.line((address.isFile ? Address(path: path) : address).fileTitle),
            pictures: found.lazy.map { steps, entry in
                var picture = Picture(
                    listed: address(of: entry),
                    title: steps.dropFirst(common).joined(separator: "/"),
                    date: entry.changed.map(FolderEntry.isoDate),
                    byteCount: entry.byteCount, page: address)
                if FolderEntry.archiveEndings.contains(entry.path.ending) {
                    picture.kind = .album
                    picture.link = picture.image
                }
                return picture
            })
        page.shortfall = archive.failure.map { "the archive could not be read to its end: \($0)" }
        return page
    }

    private func address(of entry: Archive.Entry) -> Address {
        address.isFile ? Address(path: "\(path)/\(entry.path)") : address.entry(entry.path)
    }

    /// Whether an entry is an archive or a picture, as in a folder, or in a web archive by its media type; of names without ending alone
    /// the contents are looked at, as far as need be.
    private func isShown(_ entry: Archive.Entry) -> Bool {
        if archive.isOfWeb, let type = entry.mediaType { return type.hasPrefix("image/") }
        let (_, name) = entry.path.atLastSlash
        // Videos are played from files.
        return !entry.path.split(separator: "/").contains(where: \.isHiddenName)
            && address(of: entry).videoType == nil
            && (address.isFile && FolderEntry.archiveEndings.contains(name.ending)
                || FolderEntry.isPicture(name) {
                    name.contains(".") && name.ending != "svg"
                        ? nil : try? archive.contents(of: entry.path, isWhole: false)
                })
    }

    private static func precedes(_ left: [String], _ right: [String]) -> Bool {
        for (depth, (one, other)) in zip(left, right).enumerated() {
            let isFile = (depth == left.count - 1, depth == right.count - 1)
            if isFile.0 != isFile.1 { return isFile.0 }
            if one != other { return NaturalOrder.precedes(one, other) }
        }
        return false
    }

    /// The page that a web archive was made from, with its saved resources; nil if there is none.
    var original: (response: Response, saved: SavedPage)? {
        let main = archive.entries.first {
            $0.location != nil && ["text/html", "application/xhtml+xml"].contains($0.mediaType)
                && (entry == nil || $0.path == entry)
        }
        guard archive.isOfWeb, let main, var body = try? archive.contents(of: main.path) else {
            return nil
        }
        let origin = main.location.flatMap(Address.init).flatMap { $0.isFile ? nil : $0 }
        // A base in a file would let the page name other files of this disk.
        guard let nowhere = Address("https://file.invalid/"),
            let base = origin
                ?? nowhere.resolving(PlaceholderHosts.address(of: main.location ?? ""))
        else { return nil }
        var copies: [String: Address] = [:]
        for entry in archive.entries {
            let location = PlaceholderHosts.address(of: entry.location ?? "")
            // Some programs write parts' locations relative to the page, others to where that is.
            for found in [base.resolving(location), nowhere.resolving(location)] {
                if let name = found?.withoutEncryption {
                    copies[name] = copies[name] ?? address(of: entry)
                }
            }
        }
        var redirects: [String: Address] = [:]
        for (place, target) in archive.redirects {
            guard let place = base.resolving(place) else { continue }
            redirects[place.withoutEncryption] = place.resolving(target)
        }
        body = PlaceholderHosts.addressed(body, withFiles: origin == nil)
        let response = Response(
            address: base, mediaType: main.mediaType, charset: main.charset, body: body,
            origin: .file)
        let saved = SavedPage(file: address, original: origin) { [copies, redirects] address in
            var place = address.withoutEncryption
            // As many redirects as are followed on the web.
            for _ in 0..<10 where copies[place] == nil {
                place = redirects[place]?.withoutEncryption ?? place
            }
            return copies[place]
        }
        return (response, saved)
    }
}

extension Address {
    /// The text without the difference between http and https, which crawlers do not make.
    fileprivate var withoutEncryption: String {
        scheme == "https" ? "http" + text.dropFirst(5) : text
    }
}

/// Maps references that name parts of a mail but are no addresses of the web to addresses on hosts that cannot exist.
private enum PlaceholderHosts {
    private static let hosts = [
        (scheme: "cid:".bytes, host: "https://cid.invalid/"),
        (scheme: "file://".bytes, host: "https://file.invalid"),
    ]

    static func address(of location: String) -> String {
        guard let (scheme, host) = hosts.first(where: { location.utf8.starts(with: $0.scheme) })
        else { return location }
        return host + location.dropFirst(scheme.count)
    }

    /// Returns the page with the schemes replaced after a quotation mark, an equals sign or an opening parenthesis.
    static func addressed(_ page: [UInt8], withFiles: Bool) -> [UInt8] {
        let hosts = hosts.prefix(withFiles ? 2 : 1)
        var addressed: [UInt8] = []
        addressed.reserveCapacity(page.count + 1024)
        var at = 0
        while at < page.count {
            if at > 0, "\"'=(".utf8.contains(page[at - 1]),
                let (scheme, host) = hosts.first(where: { page[at...].starts(with: $0.scheme) })
            {
                addressed += host.utf8
                at += scheme.count
            } else {
                addressed.append(page[at])
                at += 1
            }
        }
        return addressed
    }
}
