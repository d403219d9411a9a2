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
        _ order: SaveOrder, completion: @escaping @Sendable (Result<String?, SaveError>) -> Void
    ) -> Subscription

    /// Completes an archive once all has been saved into it; does nothing for a folder. `completion` runs once, on any thread.
    ///
    /// `page` is that of the gallery in it.
    func pack(
        _ target: String, title: String, from page: Address,
        completion: @escaping @Sendable (SaveError?) -> Void
    ) -> Subscription
}

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

/// Fetches pictures as usual and writes them on a queue of its own.
///
/// Files are written as they arrive, and get their names once those written meanwhile are on the disk, too; then the state is told. One
/// that was named but is not known, since the program was killed in between, is found by its name and contents.
public final class PictureSaver: PictureSaving {
    /// What the user has chosen.
    public struct Options: Sendable {
        /// The folder, `.cbz` or `.warc.gz` that is meant by an order without a target.
        public var target: String
        /// The folder that other targets are relative to.
        public var workingFolder: String
        /// How files are named; nil is by title, and in an archive in order.
        public var template: NameTemplate?
        /// Whether a picture's record is written beside it.
        public var writesRecords = false
        /// Whether everything is saved even if it was saved before.
        public var isAgain = false

        /// Creates options for a folder.
        public init(target: String, workingFolder: String = ".") {
            (self.target, self.workingFolder) = (target, workingFolder)
        }
    }

    /// A file that has no name yet.
    private struct Written: Sendable {
        let order: SaveOrder
        let folder: SaveFolder
        let part: String
        let recordPart: String?
        let name: String
        /// What it is known by, its hash first.
        let names: [String]
        let completion: @Sendable (Result<String?, SaveError>) -> Void
    }

    private let fetcher: any Fetching
    private let state: StateStore?
    private let options: Options
    /// Serial, so that equal names are numbered in order.
    private let queue = DispatchQueue(label: "halftone.save")
    private let written = Locked<[Written]>([])

    /// Creates a saver; without `state` nothing is known to have been saved.
    public init(fetcher: any Fetching, options: Options, state: StateStore? = nil) {
        (self.fetcher, self.options, self.state) = (fetcher, options, state)
    }

    public func save(
        _ order: SaveOrder, completion: @escaping @Sendable (Result<String?, SaveError>) -> Void
    ) -> Subscription {
        let fetching = Locked<(subscription: Subscription?, isCancelled: Bool)>((nil, false))
        queue.asyncGuarded { [self] in
            let scope = target(order.target).scope
            if !isAgain(order), let name = order.addressName,
                state?.hasSaved([name], in: scope) == true
            {
                return completion(.success(nil))
            }
            let picture = order.picture
            let request = Request(picture.largest, for: .picture, referer: picture.largestReferer)
            let subscription = fetcher.fetch(request, priority: .visible) { [self] result in
                queue.asyncGuarded { [self] in
                    do throws(SaveError) {
                        switch result {
                        case .success(let response): try write(response, of: order, completion)
                        case .failure(let error): throw .notFetched(error.description)
                        }
                    } catch {
                        completion(.failure(error))
                    }
                }
            }
            let isCancelled = fetching.withLock {
                $0.subscription = subscription
                return $0.isCancelled
            }
            if isCancelled { subscription.cancel() }
        }
        return Subscription(onCancel: {
            fetching.withLock {
                $0.isCancelled = true
                return $0.subscription
            }?.cancel()
        })
    }

    public func pack(
        _ target: String, title: String, from page: Address,
        completion: @escaping @Sendable (SaveError?) -> Void
    ) -> Subscription {
        queue.asyncGuarded { [self] in
            nameWritten()
            do throws(SaveError) {
                try self.target(target).pack(title: title, from: page)
                completion(nil)
            } catch {
                completion(error)
            }
        }
        return .ended
    }

    /// Waits for the files being written, which would be truncated if the process exited.
    public func finish() { queue.sync { nameWritten() } }

    private func target(_ path: String) -> SaveTarget {
        let path = path.isEmpty ? options.target : path
        return SaveTarget(path: path.hasPrefix("/") ? path : "\(options.workingFolder)/\(path)")
    }

    private func isAgain(_ order: SaveOrder) -> Bool { order.isAgain || options.isAgain }

    private func write(
        _ response: Response, of order: SaveOrder,
        _ completion: @escaping @Sendable (Result<String?, SaveError>) -> Void
    ) throws(SaveError) {
        guard let format = ImageFormat(sniffing: response.body) else { throw .noPicture }
        let target = target(order.target)
        try target.settle()
        let hash = "sha256:" + response.hash.value.text
        let names = [hash] + [order.addressName].compactMap(\.self)
        let isKnown =
            !isAgain(order) && state?.hasSaved([hash], in: target.scope) == true
            || written.withLock { $0.contains { $0.names[0] == hash } }
        if isKnown {
            state?.keep(saved: names, in: target.scope)
            return completion(.success(nil))
        }
        let template = options.template ?? (target.archive == nil ? .usual : .ordered)
        let (path, name) = template.path(of: order, format: format).atLastSlash
        let folder = try SaveFolder(path: target.folder).below(path)
        var record: String?
        if options.writesRecords || target.archive == .web {
            let address = order.picture.largest
            guard target.archive != .web || address.isOnWeb else {
                throw .refused("is not from the web, which its archives are for")
            }
            let answer = [("url", address.text), ("http", response.recordedFields)]
            record =
                PictureRecord(
                    order.picture, section: order.section, index: order.index,
                    others: target.archive == .web ? answer : []
                ).line + "\n"
        }
        let write: (String) throws(SaveError) -> String = { text throws(SaveError) in
            try folder.part { writeAll(Array(text.utf8), to: $0) }
        }
        if let twin = folder.twin(of: response.body, as: name) {
            if let record { _ = moveFile(try write(record), to: twin + ".json") }
            state?.keep(saved: names, in: target.scope)
            return completion(.success(isAgain(order) ? twin : nil))
        }
        let part = try folder.part { writeAll(response.body, to: $0) }
        let recordPart = try record.map(write)
        let isFirst = written.withLock {
            $0.append(
                Written(
                    order: order, folder: folder, part: part, recordPart: recordPart, name: name,
                    names: names, completion: completion))
            return $0.count == 1
        }
        // Those that have arrived by now are written before.
        if isFirst { queue.asyncGuarded { [self] in nameWritten() } }
    }

    /// Puts what has been written onto the disk and then into its place.
    private func nameWritten() {
        let files = written.withLock { files in
            defer { files = [] }
            return files
        }
        guard let first = files.first else { return }
        let error = synchronize(first.part, withOthers: files.count > 1)
        var known: [String: [String]] = [:]
        let results = files.map { file in
            Result<String?, SaveError> { () throws(SaveError) in
                defer {
                    ([file.part, file.recordPart] as [String?]).forEach {
                        $0.map { _ = unlink($0.cPath) }
                    }
                }
                guard error == 0 else { throw SaveError(error) }
                let path = try file.folder.take(file.part, as: file.name)
                if let record = file.recordPart { _ = moveFile(record, to: path + ".json") }
                known[target(file.order.target).scope, default: []] += file.names
                return path
            }
        }
        for (scope, names) in known { state?.keep(saved: names, in: scope) }
        for (file, result) in zip(files, results) { file.completion(result) }
    }
}

extension SaveOrder {
    /// What a picture is known by besides its contents; nil for a file, which may change, and for what is longer than any address.
    fileprivate var addressName: String? {
        let address = picture.largest
        return address.isFile || address.text.utf8.count > 4096 ? nil : address.text
    }
}

extension Response {
    /// The header fields for an archive of the web: without those that concern the transfer only, or the reader.
    fileprivate var recordedFields: String {
        let dropped = [
            "connection", "content-encoding", "content-length", "keep-alive", "set-cookie",
            "transfer-encoding",
        ]
        return headers.filter { !dropped.contains($0.name) }
            .map { "\($0.name): \($0.value)\r\n" }.joined()
    }
}
