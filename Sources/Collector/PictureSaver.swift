import Basics
import Dispatch
import Gallery
import Glibc
import ImageCodecs
public import Network
public import Pipeline
public import State

/// Saves pictures to files; the view model knows neither folder nor network.
public protocol PictureSaving: Sendable {
    /// Fetches the largest known size of a picture and writes it to a new file; callable on any thread.
    ///
    /// `completion` runs exactly once, on any thread, with the file's path, nil if it was saved before, or the error.
    func save(
        _ order: SaveOrder, completion: @escaping Receiver<SaveResult>)

    /// Completes the archives that pictures were saved into; callable on any thread. `completion` runs exactly once, on any thread.
    func pack(completion: @escaping Receiver<SaveError?>)
}

/// The path of a picture's file, nil if it was saved before, or why it was not saved.
public typealias SaveResult = Result<String?, SaveError>

/// The reason why a picture was not saved, or its file not changed; its description is one line without the picture's name.
public enum SaveError: Error, Hashable, CustomStringConvertible {
    /// The picture could not be fetched.
    case notFetched(String)
    /// The data is not a picture.
    case noPicture
    /// The folder or file could not be written.
    case notWritten(String)
    /// The file stays as it is.
    case refused(String)

    /// Creates the error for an errno.
    public init(_ number: Int32) { self = .notWritten(systemReason(number)) }

    /// The reason in plain language.
    public var description: String {
        switch self {
        case .notFetched(let reason), .refused(let reason): reason
        case .noPicture: "is not a picture of a known format"
        case .notWritten(let reason): "cannot be written: \(reason)"
        }
    }
}

/// Fetches pictures as usual, writes them on a queue of its own, and names them on another.
///
/// Files are written as they arrive, and get their names in batches, once a whole batch is on the disk; then the state is told. One that was
/// named but is not known, since the program was killed in between, is found by its name and contents.
public final class PictureSaver: PictureSaving {
    /// What the user has chosen.
    public struct Options: Sendable {
        /// The folder, `.cbz` or `.warc.gz` that is meant by an order without a target.
        public var target: String
        /// The folder that targets are relative to.
        public var workingFolder = "."
        /// How files are named; nil is by title, and in an archive in order.
        public var template: NameTemplate?
        /// Whether a picture's record is written beside it.
        public var writesRecords = false
        /// Whether everything is saved even if it was saved before.
        public var isAgain = false

        /// Creates options for a folder.
        public init(target: String) { self.target = target }
    }

    /// A picture that is asked for.
    private struct Asked: Sendable {
        let order: SaveOrder
        let target: SaveTarget
        let completion: Receiver<SaveResult>

        /// What it is known by besides its contents; nil for a file, which may change, and for what is longer than any address.
        var address: SavedName? {
            let address = order.picture.largest
            return address.isFile || address.text.utf8.count > 4096
                ? nil : [target.scope, address.text]
        }
    }

    /// A file that has no name yet.
    private struct Written: Sendable {
        let folder: SaveFolder
        let part: String
        let name: String
        let record: String?
        /// What is known once it is named: its hash and address.
        let names: [SavedName]
        let completion: Receiver<SaveResult>
    }

    /// How many pictures of a gallery are under way: some are fetched while others go to the disk.
    public static let atOnce = 1024

    private let fetcher: any Fetching
    private let state: StateStore?
    private let options: Options
    /// Serial, so that equal names are numbered in order.
    private let queue = DispatchQueue(label: "halftone.save")
    /// Waits for the disk while other files are written.
    private let naming = DispatchQueue(label: "halftone.save.name")
    /// What has not been looked for in the state yet.
    private let asked = Locked<[Asked]>([])
    private let written = Locked<[Written]>([])
    /// The folders used so far, by the paths asked for.
    private let folders = Locked<[String: SaveFolder]>([:])
    /// The numbers that this run has given to files of one name, the first and the last: others need not be looked for there.
    private let numbers = Locked<[String: (first: Int, last: Int)]>([:])
    /// The first orders for archives that are to be completed, by path.
    private let archives = Locked<[String: SaveOrder]>([:])

    /// Creates a saver; without `state` nothing is known to have been saved.
    public init(fetcher: any Fetching, options: Options, state: StateStore? = nil) {
        self.fetcher = fetcher
        self.options = options
        self.state = state
    }

    /// Fetches and writes the picture of `order` on the saver's queue.
    public func save(
        _ order: SaveOrder, completion: @escaping Receiver<SaveResult>
    ) {
        let path = order.target.isEmpty ? options.target : order.target
        let target = SaveTarget(
            path: path.hasPrefix("/") ? path : "\(options.workingFolder)/\(path)")
        let count = asked.withLock { asked in
            asked.append(Asked(order: order, target: target, completion: completion))
            return asked.count
        }
        // The state is asked once about all that come until it can be.
        guard count == 1 else { return }
        queue.asyncGuarded { [self] in
            let asked = asked.exchange([])
            let known = known(asked.compactMap(\.address))
            for picture in asked {
                let path = picture.target.path
                if picture.target.archive != nil {
                    archives.withLock { $0[path] = $0[path] ?? picture.order }
                }
                if let address = picture.address, known.contains(address) {
                    picture.completion(.success(nil))
                } else {
                    fetch(picture)
                }
            }
        }
    }

    /// Returns the opened folder at a path relative to the target's.
    private func folder(
        of target: SaveTarget, below path: String = ""
    ) throws(SaveError) -> SaveFolder {
        let given = "\(target.folder)/\(path)"
        if let known = folders.withLock({ $0[given] }) { return known }
        let folder = try target.parts(below: path)
        folders.withLock { $0[given] = folder }
        return folder
    }

    private func fetch(_ asked: Asked) {
        // Nothing is fetched in vain for an archive that another program saves into.
        if asked.target.archive != nil {
            do throws(SaveError) { _ = try folder(of: asked.target) } catch {
                return asked.completion(.failure(error))
            }
        }
        let picture = asked.order.picture
        _ = fetcher.fetch(
            Request(picture.largest, for: .picture, referer: picture.largestReferer),
            priority: .visible
        ) { [self] result in
            let count = (try? result.get().body.count) ?? 0
            fetcher.backlog.add(count)
            queue.asyncGuarded { [self] in
                defer { fetcher.backlog.add(-count) }
                do throws(SaveError) {
                    let fetched = result.mapError { SaveError.notFetched($0.description) }
                    try write(fetched.get(), of: asked)
                } catch {
                    asked.completion(.failure(error))
                }
            }
        }
    }

    /// Packs what was collected for archives, on the saver's queue.
    public func pack(completion: @escaping Receiver<SaveError?>) {
        queue.asyncGuarded { [self] in
            naming.sync { nameWritten() }
            var failure: SaveError?
            for (path, order) in archives.exchange([:]) {
                let target = SaveTarget(path: path)
                let parts = folders.withLock { $0.removeValue(forKey: "\(target.folder)/") }
                do throws(SaveError) {
                    try target.pack(parts, order)
                } catch {
                    failure = error
                }
            }
            completion(failure)
        }
    }

    /// Waits for the files being written.
    public func finish() {
        queue.sync {}
        naming.sync { nameWritten() }
    }

    private func known(_ names: [SavedName]) -> Set<SavedName> {
        options.isAgain ? [] : state?.saved(among: names) ?? []
    }

    private func write(_ response: Response, of asked: Asked) throws(SaveError) {
        let order = asked.order
        let target = asked.target
        guard let format = ImageFormat(sniffing: response.body) else { throw .noPicture }
        let template = options.template ?? (target.archive == nil ? .usual : .ordered)
        let (path, name) = template.path(
            of: order, format: format, isFlat: target.archive != nil
        ).atLastSlash
        let folder = try folder(of: target, below: path)
        var others: PictureRecord.Values = []
        if target.archive == .web {
            let address = order.picture.largest
            guard address.isOnWeb else {
                throw .refused("is not from the web, which such an archive is for")
            }
            others = [("url", address.text), ("http", response.keptFields)]
        }
        let record =
            options.writesRecords || !others.isEmpty
            ? "\(order.record(others: others).line)\n" : nil
        let content = [target.scope, "sha256:\(response.hash.value.text)"]
        let part = try folder.part { writeAll(response.body, to: $0) }
        let file = Written(
            folder: folder, part: part, name: name, record: record,
            names: nonNil(content, asked.address)
        ) { result in
            // Until it is packed, a file for an archive is elsewhere.
            asked.completion(
                result.map { $0.map { target.archive == nil ? $0 : target.path } })
        }
        let count = written.withLock { files in
            files.append(file)
            return files.count
        }
        // A batch is what comes in a moment, and until the last batch has its names: disk and state have the least to do for many at once.
        if count == 1 { naming.asyncAfter(deadline: .now() + 0.05) { [self] in nameWritten() } }
    }

    /// Puts what has been written onto the disk and then into its place, except for what has been saved under another name.
    private func nameWritten() {
        let files = written.exchange([])
        if files.isEmpty { return }
        let errors = Dictionary(files.map { ($0.folder.path, $0.part) }) { first, _ in first }
            .mapValues { synchronize($0, withOthers: files.count > 1) }
        var known = known(files.map { $0.names[0] })
        var names: [SavedName] = []
        let results = files.map { file in
            Result { () throws(SaveError) -> String? in
                defer { unlink(file.part.cPath) }
                if let error = errors[file.folder.path], error != 0 { throw SaveError(error) }
                let isKnown = known.contains(file.names[0])
                let key = "\(file.folder.path)/\(file.name)"
                var (first, last) = numbers.withLock { $0[key] } ?? (10_000, 0)
                let twin =
                    isKnown ? nil : file.folder.twin(of: file.part, as: file.name, before: first)
                var path = twin
                if !isKnown, twin == nil {
                    path = try file.folder.take(
                        file.part, as: file.name, after: &last, beside: file.record)
                    // Most names are taken once.
                    if last > 1 { numbers.withLock { $0[key] = (min(first, last), last) } }
                }
                if let path {
                    do throws(SaveError) {
                        try file.folder.put(file.record, beside: path, isNew: twin == nil)
                    } catch {
                        // It would be known, and never get its record.
                        if twin == nil { unlink(path.cPath) }
                        throw error
                    }
                }
                known.insert(file.names[0])
                names += file.names
                return twin == nil || options.isAgain ? path : nil
            }
        }
        state?.keep(saved: names)
        // All at once, so that who waits for them is woken once.
        for (file, result) in zip(files, results) { file.completion(result) }
    }
}
