public import Archives
import Basics
public import Pipeline
public import Trace

/// Fetches from memory, disk, servers and local files; the implementation that the program uses.
///
/// Its state lives on the coordinator's queue, files and the disk cache on `halftone.disk`, servers on the transfer thread; local picture
/// files are read where they are decoded.
public final class Fetcher: Fetching {
    let options: NetworkOptions
    let coordinator: Coordinator
    let cache: HTTPCache
    let freshness: Freshness
    let shared: SharedTransfers
    let tracer: Tracer
    let transfers: Transfers

    /// The disk cache and its queue, shared with others that store something there.
    public let store: DiskStore
    /// The recently opened local archives.
    public let archives: ArchiveCache
    /// The bytes of fetched pictures waiting to be decoded.
    public var backlog: Backlog { transfers.backlog }

    /// Creates a fetcher; nothing is opened, created or started before the first request.
    public convenience init(
        options: NetworkOptions, coordinator: Coordinator, tracer: Tracer = .disabled
    ) {
        self.init(
            options: options, coordinator: coordinator,
            transfers: Transfers(.init(options: options, tracer: tracer)), tracer: tracer)
    }

    init(
        options: NetworkOptions, coordinator: Coordinator, transfers: Transfers,
        tracer: Tracer = .disabled
    ) {
        self.options = options
        self.coordinator = coordinator
        self.tracer = tracer
        self.transfers = transfers
        archives = ArchiveCache(limit: options.maxBytes)
        store = DiskStore(coordinator: coordinator) { later in
            options.cacheFolder.map {
                DiskCache(folder: $0, capacity: options.cacheBytes, later: later)
            }
        }
        cache = HTTPCache(options: options, store: store)
        shared = SharedTransfers(coordinator: coordinator, transfers: transfers, cache: cache)
        freshness = Freshness(sessionStart: currentSeconds())
    }

    /// The number of requests in flight; callable from any thread.
    public var transfersInFlight: Int { transfers.inFlightCount }

    /// Implements `Fetching`; a file is read, everything else comes from memory, disk or its server.
    public func fetch(
        _ request: Request, priority: Priority,
        completion: @escaping @Sendable (Result<Response, FetchError>) -> Void
    ) -> Subscription {
        coordinator.subscribe { [self] in
            Retrieval<Never>(request, by: self, priority: priority, flow: .none, derive: nil) {
                completion(
                    $0.flatMap { found in
                        // Without `derive`, the stored body is always read.
                        guard case .body(let response) = found else { return .failure(.cancelled) }
                        return .success(response)
                    })
            }.start()
        }
    }

    /// Finds a picture's bytes, or a result derived from them; see `Fetching`.
    public func find<Derived: Sendable>(
        _ request: Request, priority: Priority, flow: Flow,
        derive: @escaping @Sendable (ContentHash) -> Derived?,
        completion: @escaping @Sendable (Result<Found<Derived>, FetchError>) -> Void
    ) -> Subscription {
        Retrieval(
            request, by: self, priority: priority, flow: flow, derive: derive,
            completion: completion
        ).start()
    }

    /// Reports partial data from servers as it arrives; see `Fetching`.
    public func watch(_ address: Address, receive: @escaping @Sendable (Arrival) -> Void)
        -> Subscription
    {
        transfers.watch(address, receive: receive)
    }

    /// Notes that a file is a copy of a page of the web; see `Fetching`.
    public func note(copy file: Address, of original: Address?) {
        transfers.peers.note(copy: file, of: original)
    }

    /// Returns the progress of a watched picture.
    public func progress(of address: Address) -> FetchProgress? { transfers.progress(of: address) }

    /// Returns the contents of a file or archive entry; the identity of an entry is its archive's.
    private func contents(
        of path: String
    ) throws(FetchError) -> (bytes: [UInt8], identity: FileIdentity?, file: OpenFile?) {
        let reason: FetchError
        do throws(FetchError) {
            let (bytes, file) = try contentsOfFile(at: path, limit: options.maxBytes)
            return (bytes, file?.identity, file)
        } catch {
            reason = error
        }
        guard reason == .noSuchFile else { throw reason }
        let now = realtimeNanoseconds()
        let identity = ArchiveCache.identity(of: path)
        let bytes: [UInt8]?
        do throws(ArchiveError) {
            bytes = try archives.contents(ofEntryAt: path)
        } catch {
            throw FetchError(error)
        }
        guard let bytes else { throw reason }
        return (bytes, identity?.isSettled(at: now) == true ? identity : nil, nil)
    }

    /// Reads a local file and stores the hash of a picture, so that it need not be read again; callable from any thread.
    func read(_ path: String, for request: Request) -> Result<Response, FetchError> {
        let (bytes, identity, file): ([UInt8], FileIdentity?, OpenFile?)
        do {
            (bytes, identity, file) = try contents(of: path)
        } catch {
            return .failure(error)
        }
        var response = Response(address: request.address, body: bytes, origin: .file)
        response.file = file
        if request.purpose == .picture, store.cache != nil, let identity {
            _ = cache.admit(request.generation, for: HTTPCache.key(of: request))
            coordinator.perform { [store, hash = response.hash] in
                store.later(holding: bytes.count) { disk in
                    // The hash may be long known if the file was read for the viewer.
                    guard disk.hashOfFile(at: path) == nil else { return }
                    disk.note(hash.value, ofFileAt: path, identity)
                }
            }
        }
        return .success(response)
    }
}
