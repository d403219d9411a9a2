import Basics
import Browser
import Collector
import Dispatch
import Gallery
import Network
import Pipeline
import Raster
import State
import Thumbnails
import Trace

/// Reads what files say and how their pictures look, and keeps it in the state database.
///
/// The index is loaded when it is first searched; searching does not wait for files that are being read.
final class PictureIndexer: PictureIndexing {
    private let thumbnails: any ThumbnailLoading
    private let state: StateStore?
    private let searching = DispatchQueue(label: "halftone.search")
    private let reading = DispatchQueue(label: "halftone.index")
    private let index = Locked<LookIndex?>(nil)

    init(_ thumbnails: any ThumbnailLoading, state: StateStore?) {
        self.thumbnails = thumbnails
        self.state = state
    }

    func find(_ fingerprint: UInt64, found: @escaping Receiver<IndexedPicture>) {
        searching.asyncGuarded { [self] in
            // Locked while it loads, or it would be kept without what is read meanwhile.
            let index = index.withLock { index in
                index = index ?? LookIndex(kept)
                return index
            }
            index?.pictures(like: fingerprint).first { FileIdentity(path: $0.path) != nil }
                .map(found)
        }
    }

    func index(_ address: Address, completion: @escaping Receiver<Int>) {
        reading.asyncGuarded { [self] in completion(read(address) { _ in }) }
    }

    /// Reads a file, or a folder with its sub-folders, where it forgets the files that are gone; returns the number of pictures.
    ///
    /// Blocks until that is done; `progress` gets lines.
    func read(_ address: Address, progress: (String) -> Void) -> Int {
        let folder =
            address.isFile ? try? FolderReader(isRecursive: true).page(at: address) : nil
        let files = folder?.pictures.map(\.image) ?? [address]
        let pictures = pictures(files) { progress("\($0) of \(files.count) pictures indexed") }
        if let path = folder?.address.filePath {
            state?.forget(
                pictures: kept.map(\.path).filter {
                    $0.hasPrefix(path) && FileIdentity(path: $0) == nil
                })
        }
        index.withLock { $0 = nil }
        return pictures.count { $0 != nil }
    }

    /// Returns for each file the largest of those that look the same, if there are others; blocks until all are read, or until it is
    /// cancelled.
    func twins(among files: [Address], _ isCancelled: () -> Bool) -> [IndexedPicture?] {
        let pictures = pictures(files, isCancelled) { _ in }
        let index = LookIndex(pictures.compactMap(\.self))
        return pictures.map {
            let alike = index.pictures(like: $0?.fingerprint ?? 0)
            return alike.count > 1 ? alike[0] : nil
        }
    }

    private var kept: [IndexedPicture] {
        (state?.pictures() ?? []).compactMap(IndexedPicture.init)
    }

    /// Returns the pictures in files; tells the number of files read so far.
    private func pictures(
        _ files: [Address], _ isCancelled: () -> Bool = { false }, progress: (Int) -> Void
    ) -> [IndexedPicture?] {
        var pictures: [IndexedPicture?] = []
        while pictures.count < files.count, !isCancelled() {
            // Enough for all decoders.
            let batch = Array(files[pictures.count...].prefix(64))
            pictures += facts(of: batch, .pictures, read: look).map {
                $0.flatMap(IndexedPicture.init)
            }
            progress(pictures.count)
        }
        return pictures
    }

    /// Begins to decode a file, when there is nothing else to do; what it returns waits for it.
    private func look(at path: String) -> () -> String? {
        let tile = PendingTile(
            path,
            ThumbnailRequest(
                address: Address(path: path), box: CellSize(columns: 16, rows: 8),
                style: RenderStyle(), mayBeEmbedded: true), thumbnails, .none, .idle)
        return {
            guard case .success(let thumbnail) = tile.wait() else { return nil }
            let facts = thumbnail.facts
            return IndexedPicture(
                path: path, fingerprint: facts.fingerprint, width: facts.size.width,
                height: facts.size.height)?.text
        }
    }

    /// Returns what is known of files: as kept while they are still the same, or else as read; `read` gets the path of each of these, and
    /// what it returns is called when all have been begun.
    ///
    /// Blocks on the disk; never call it on the main thread while there is a screen.
    func facts(
        of addresses: [Address], _ kind: FactKind, read: (String) -> () -> String?
    ) -> [String?] {
        let files = addresses.map { address in
            let path = address.filePath ?? ""
            return (path: path, identity: FileIdentity(path: path)?.text ?? "")
        }
        var facts = state?.facts(of: files, kind) ?? [:]
        let begun = files.filter { facts[$0.path] == nil }.map { ($0, read($0.path)) }
        let new = begun.compactMap { file, end in
            end().map { (path: file.path, identity: file.identity, value: $0) }
        }
        if !new.isEmpty { state?.keep(facts: new, kind) }
        for fact in new { facts[fact.path] = fact.value }
        return files.map { facts[$0.path] }
    }
}
