import Basics
import Network

/// What other programs have had shown in this run, newest first: a gallery of its own.
public final class ShownPictures: Sendable {
    /// Its section; the address is that of nothing else, and is not kept as a place.
    public static let source = Source(
        argument: "Shown", address: Address(normal: "file:///?files=shown", pathStart: 7))
    private let shown = Locked<[Source]>([])
    private let watch: FolderWatch

    /// More than anyone looks back at.
    private static let most = 1000

    /// Creates an empty gallery; `watch` tells of changes of its files.
    public init(watch: FolderWatch) { self.watch = watch }

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
        watch.begin(files: paths, of: Self.source.address)
        return Page(
            address: Self.source.address, title: Self.source.argument,
            pictures: shown.current.compactMap { $0.picture(on: Self.source.address) })
    }
}
