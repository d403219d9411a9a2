public import Dispatch
public import Network
public import Pipeline
public import Trace

/// Loads pages: fetches them, and reads what came; folders are read from disk.
///
/// The caller's thread never touches the disk nor reads a page: that is done on Dispatch's own workers, whose number is not
/// limited here, since one page of 64 MB or one folder on a dead mount must not hold back the others.
public final class GalleryLoader: PageLoading, DetailLoading {
    private let fetcher: any Fetching
    private let reader: PageReader
    private let tracer: Tracer
    private let workers: DispatchQueue

    /// Makes a loader; `recipes` are tried in order before the generic scraper, evaluated on the threads that read pages.
    ///
    /// `workers` must be concurrent. `explain` gets a text for people on how each page was read, on the thread that read it.
    public init(
        fetcher: any Fetching, recipes: @autoclosure @escaping @Sendable () -> [Recipe] = [],
        tracer: Tracer = .disabled,
        workers: DispatchQueue = .global(), explain: (@Sendable (String) -> Void)? = nil
    ) {
        self.fetcher = fetcher
        self.tracer = tracer
        self.workers = workers
        reader = PageReader(recipes: recipes(), tracer: tracer, explain: explain)
    }

    /// Loads the page, folder, listing or picture at `address`; callable on any thread.
    public func load(
        _ address: Address, referer: Address?, generation: CacheGeneration,
        completion: @escaping @Sendable (Result<Page, PageError>) -> Void
    ) -> Subscription {
        let span = tracer.begin("page", detail: address.text)
        let load = PendingLoad<Page>(priority: .urgent, workers: workers) { result in
            if case .failure(let error) = result { span.end("\(error)") } else { span.end("ok") }
            completion(result)
        }
        let request = Request(address, for: .page, referer: referer, generation: generation)
        readFolder(of: request, for: load) { [reader] path in
            load.finish(Result { () throws(PageError) in try reader.folder(at: path) })
        } otherwise: { [self] in
            load.fetch(request, from: fetcher) { [self] in receive($0, of: request, for: load) }
        }
        return load.subscription
    }

    /// Calls `read` on a worker if `request` is for a folder of this machine and comes from this machine, else `otherwise`.
    ///
    /// What a page of the network links to is never looked up on the disk.
    private func readFolder<Value>(
        of request: Request, for load: PendingLoad<Value>,
        read: @escaping @Sendable (String) -> Void, otherwise: @escaping @Sendable () -> Void
    ) {
        guard request.referer?.isFile ?? true, let path = request.address.filePath else {
            return otherwise()
        }
        load.perform {
            if FileKind(atPath: path) == .folder { read(path) } else { otherwise() }
        }
    }

    private func receive(
        _ result: Result<Response, FetchError>, of request: Request, for load: PendingLoad<Page>
    ) {
        let response: Response
        switch result {
        case .success(let received): response = received
        case .failure(let error): return load.finish(.failure(PageError(error)))
        }
        let page = Result { () throws(PageError) in try reader.read(response) }
        guard page.isWithoutPictures, let other = reader.otherForm(of: response) else {
            return load.finish(page)
        }
        // A page without pictures may have a feed or frame that names them. One step only: a page that leads on and on is not
        // followed, and if the step does not help, the page itself is the answer.
        let step = Request(
            other, for: .page, referer: response.address, generation: request.generation)
        load.fetch(step, from: fetcher) { [reader] result in
            let found = (try? result.get()).flatMap { try? reader.read($0) }
            guard var found, !found.isWithoutPictures else { return load.finish(page) }
            if found.next == nil { found.next = try? page.get().next }
            load.finish(.success(found))
        }
    }

    /// Fetches the page that `picture` links to and finds the picture on it.
    public func loadDetail(
        of picture: Picture, rule: DetailRule?, priority: Priority,
        completion: @escaping @Sendable (Result<Detail, PageError>) -> Void
    ) -> Subscription {
        guard let link = picture.link else {
            workers.async { completion(.failure(.noPictures)) }
            return .ended
        }
        let span = tracer.begin("detail", detail: link.text)
        let load = PendingLoad<Detail>(priority: priority, workers: workers) { result in
            span.end("\(result)")
            completion(result)
        }
        let request = Request(link, for: .page, referer: picture.page)
        readFolder(of: request, for: load) { _ in
            load.finish(.success(.album))
        } otherwise: { [fetcher, reader] in
            load.fetch(request, from: fetcher) { result in
                load.finish(
                    Result { () throws(PageError) in
                        switch result {
                        case .success(let response):
                            try reader.detail(response, of: picture, rule: rule)
                        case .failure(let error): throw PageError(error)
                        }
                    })
            }
        }
        return load.subscription
    }
}

extension Result<Page, PageError> {
    /// Whether there is a page, but no picture that could be found on it.
    fileprivate var isWithoutPictures: Bool {
        switch self {
        case .success(let page): page.isWithoutPictures
        case .failure(.noPictures), .failure(.needsScripts): true
        case .failure: false
        }
    }
}
