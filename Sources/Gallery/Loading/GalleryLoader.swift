import Dispatch
public import Network
public import Pipeline
public import Trace

/// Loads pages: fetches, and reads what came on a queue of its own; folders are read from disk.
public final class GalleryLoader: PageLoading {
    let fetcher: any Fetching
    let reader: PageReader
    let tracer: Tracer
    /// Concurrent: a page of 64 MB must not hold back the others.
    let queue = DispatchQueue(label: "halftone.pages", attributes: .concurrent)

    /// Makes a loader; `recipes` are tried in order before the generic scraper.
    ///
    /// `explain` is told how each page was read, on the thread that read it; nobody asking costs nothing.
    public init(
        fetcher: any Fetching, recipes: [Recipe] = [], tracer: Tracer = .disabled,
        explain: (@Sendable (Explanation) -> Void)? = nil
    ) {
        self.fetcher = fetcher
        self.tracer = tracer
        reader = PageReader(recipes: recipes, tracer: tracer, explain: explain)
    }

    /// Loads the page, folder, listing or picture at `address`; callable on any thread.
    ///
    /// `completion` runs exactly once, on a queue of the loader's; cancelling tells it `cancelled`.
    /// - Parameters:
    ///   - referer: the page that named the address; one from the network may not name local folders and files.
    ///   - generation: what the cache may answer with.
    public func load(
        _ address: Address, referer: Address?, generation: CacheGeneration,
        completion: @escaping @Sendable (Result<Page, PageError>) -> Void
    ) -> Subscription {
        let span = tracer.begin("page", detail: address.text)
        let load = PageLoad { [queue] result in
            span.end(result.outcome)
            queue.async { completion(result) }
        }
        let isLocal = referer?.isFile ?? true
        if isLocal, let path = address.filePath, Disk.kind(of: path) == .folder {
            readFolder(path, for: load)
        } else {
            fetch(
                Request(address, for: .page, referer: referer, generation: generation), for: load)
        }
        return Subscription(
            onCancel: { load.cancel() }, onPriority: { load.setPriority($0) })
    }

    private func readFolder(_ path: String, for load: PageLoad) {
        queue.async { [reader] in
            guard !load.isOver else { return }
            load.finish(Result { () throws(PageError) in try reader.folder(at: path) })
        }
    }

    private func fetch(_ request: Request, for load: PageLoad) {
        let transfer = fetcher.fetch(request, priority: .urgent) { [self] result in
            queue.async { [self] in
                guard !load.isOver else { return }
                receive(result, of: request, for: load)
            }
        }
        load.waits(for: transfer)
    }

    private func receive(
        _ result: Result<Response, FetchError>, of request: Request, for load: PageLoad
    ) {
        do throws(PageError) {
            switch result {
            case .success(let response): load.finish(.success(try reader.read(response)))
            case .failure(.cancelled): throw .cancelled
            case .failure(let error): throw .fetch(error)
            }
        } catch {
            if let response = try? result.get(), error.isWithoutPictures,
                let other = reader.otherForm(of: response)
            {
                fetchOther(other, of: response, request, failing: error, for: load)
            } else {
                load.finish(.failure(error))
            }
        }
    }

    /// A page without pictures may have a feed or frame that names them; the page's own failure is told if that does not help.
    ///
    /// One step only: a page that leads on and on is not followed.
    private func fetchOther(
        _ other: Address, of response: Response, _ request: Request, failing error: PageError,
        for load: PageLoad
    ) {
        let request = Request(
            other, for: .page, referer: response.address, generation: request.generation)
        let transfer = fetcher.fetch(request, priority: .urgent) { [queue, reader] result in
            queue.async {
                guard !load.isOver else { return }
                let page = (try? result.get()).flatMap { try? reader.read($0) }
                load.finish(page.map { .success($0) } ?? .failure(error))
            }
        }
        load.waits(for: transfer)
    }
}

extension Result<Page, PageError> {
    /// A word or two for the trace.
    fileprivate var outcome: String {
        switch self {
        case .success: "ok"
        case .failure(let error): error.description
        }
    }
}
