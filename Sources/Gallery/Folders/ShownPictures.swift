import Basics
import Network

/// What other programs have had shown in this run, newest first: a gallery of its own.
public final class ShownPictures: Sendable {
    /// Its section; the address is that of nothing else, and is not kept as a place.
    public static let source = Source(
        argument: "Shown", address: Address(normal: "file:///?files=shown", pathStart: 7))
    private let shown = Locked<[Source]>([])

    /// More than anyone looks back at.
    private static let most = 1000

    /// Creates an empty gallery.
    public init() {}

    /// Puts a picture, or what has any, before the others.
    public func add(_ source: Source) {
        shown.withLock {
            $0.removeAll { $0.address == source.address }
            $0.insert(source, at: 0)
            $0.removeLast(max(0, $0.count - Self.most))
        }
    }

    /// The files in it.
    public var paths: [String] { shown.current.compactMap(\.address.filePath) }

    /// The gallery as it is now, without files that are gone; blocks on the disk.
    public var page: Page {
        Page(
            address: Self.source.address, title: Self.source.argument,
            pictures: shown.current.compactMap(picture))
    }

    private func picture(_ shown: Source) -> Picture? {
        var isPicture = AddressHints(shown.address).looksLikePicture
        if let path = shown.address.filePath {
            if FileKind(atPath: path) == .nothing { return nil }
            let entry = FolderEntry(path: path)
            isPicture = entry?.isAlbum == false
            if let entry, isPicture { return entry.picture(entry.name, on: Self.source.address) }
        }
        return Picture(
            variants: [Picture.Variant(address: shown.address)],
            link: isPicture ? nil : shown.address, page: Self.source.address, title: shown.argument,
            kind: isPicture ? .picture : .album)
    }
}
