import Basics
package import Dispatch
public import Network
public import Pipeline
package import Trace

/// Loads pages: fetches and parses them, or reads folders from disk.
///
/// Never reads the disk or parses a page on the caller's thread: each load has its own queue, since one page of 64 MB or one folder on a
/// dead mount must not block the others, as it could on a pool of one thread per processor.
public final class GalleryLoader: PageLoading, DetailLoading {
    private let fetcher: any Fetching
    private let reader: PageReader
    private let tracer: Tracer
    private let workers: DispatchQueue?

    /// Responses to try besides the page's own: four alternative forms, one of which may lead to another.
    private static let maxSteps = 5

    /// Creates a loader; `workers` replaces the queues of all loads in tests.
    package init(
        fetcher: any Fetching, reader: PageReader = PageReader(), tracer: Tracer = .disabled,
        workers: DispatchQueue? = nil
    ) {
        self.fetcher = fetcher
        self.reader = reader
        self.tracer = tracer
        self.workers = workers
    }

    /// Loads a page, folder, listing or picture; callable on any thread.
    public func load(
        _ request: Request, completion: @escaping LoadReceiver<Page>
    ) -> Subscription {
        if request.address.text.contains(Page.streamMark) {
            return DispatchQueue.userInitiated.cancellable { _ in
                completion(.success(Page(stream: request)))
            }
        }
        return start("page", request, completion) { [self] in
            noted(reader.folder(at: request.address))
        } read: { [self] response, load in
            let read = page(of: response)
            guard read.isWithoutPictures else { return load.finish(read) }
            look(
                in: reader.alternatives(to: response, try? read.get()), of: response,
                generation: request.generation, steps: Self.maxSteps, for: load, read)
        }
    }

    /// Fetches the page that `picture` links to and finds the picture on it.
    public func loadDetail(
        of picture: Picture, rule: DetailRule?, generation: CacheGeneration, priority: Priority,
        completion: @escaping LoadReceiver<Detail>
    ) -> Subscription {
        guard let link = picture.link else {
            DispatchQueue.global().async { completion(.failure(.noPictures)) }
            return .ended
        }
        let request = Request(link, for: .page, referer: picture.page, generation: generation)
        return start("detail", request, priority: priority, completion) {
            .success(.album)
        } read: { [reader] response, load in
            load.finish(
                Result { () throws(PageError) in
                    try reader.detail(response, of: picture, rule: rule)
                })
        }
    }

    /// Makes a recipe from examples on a page; callable on any thread, completes as `load` does.
    @Sendable public func learn(
        _ examples: RecipeExamples,
        completion: @escaping LoadReceiver<RecipeLesson>
    ) -> Subscription {
        start("lesson", Request(examples.page, for: .page), completion) {
            .failure(.noPictures)
        } read: { [reader] response, load in
            load.finish(
                Result { () throws(PageError) in try reader.lesson(of: response, examples) })
        }
    }

    /// Counts the pictures that a recipe finds on a page, as `learn` does.
    public func count(
        by recipe: Recipe, on page: Address,
        completion: @escaping LoadReceiver<Int>
    ) -> Subscription {
        let request = Request(page, for: .page, generation: .next())
        return start("test", request, completion) {
            .failure(.noPictures)
        } read: { [reader] response, load in
            load.finish(.success(reader.count(of: response, by: recipe)))
        }
    }

    /// Starts a load that finishes with `folder` if `request` names a local folder or archive, else passes the response to `read`; both run
    /// on a worker.
    private func start<Value>(
        _ name: StaticString, _ request: Request, priority: Priority = .urgent,
        _ completion: @escaping LoadReceiver<Value>,
        folder: @escaping @Sendable () -> Result<Value, PageError>,
        read: @escaping @Sendable (Response, PendingLoad<Value>) -> Void
    ) -> Subscription {
        let span = tracer.begin(name, detail: request.address.text)
        let load = PendingLoad<Value>(priority: priority, workers: workers) { result in
            if case .failure(let error) = result { span.end("\(error)") } else { span.end("ok") }
            completion(result)
        }
        let fetch = { @Sendable [fetcher] in
            load.fetch(request, from: fetcher) { result in
                switch result {
                case .success(let response): read(response, load)
                case .failure(let error): load.finish(.failure(PageError(error)))
                }
            }
        }
        // Links from network pages are never looked up on the local disk.
        if request.referer?.isFile ?? true, let path = request.address.filePath {
            load.perform {
                if FolderReader.isContainer(path) {
                    load.finish(folder())
                } else if let file = FolderEntry.shownFile(path) {
                    // It is read where it is decoded, however large it is.
                    var response = Response(
                        address: request.address, mediaType: "image/*", body: file.piece(),
                        origin: .file)
                    response.file = file
                    read(response, load)
                } else {
                    fetch()
                }
            }
        } else {
            fetch()
        }
        return load.subscription
    }

    /// Reads what a program has printed of a page; takes as long as reading a page does.
    package func page(of response: Response) -> PageResult {
        noted(Result { () throws(PageError) in try reader.read(response) })
    }

    /// Tells the fetcher of a saved page, whose links are those of the page on the web, and of what its pictures are to be requested with.
    private func noted(_ page: PageResult) -> PageResult {
        guard let read = try? page.get() else { return page }
        if read.isCopy { fetcher.note(copy: read.address, of: read.original) }
        if !read.headers.isEmpty { fetcher.note(headers: read.headers) }
        return page
    }

    /// Tries the feeds, data or frames that a page without pictures names, and data that these name in turn, in at most `steps` requests;
    /// if none has pictures, finishes with the page itself.
    private func look(
        in forms: [Address], of response: Response, generation: CacheGeneration, steps: Int,
        for load: PendingLoad<Page>, _ page: PageResult
    ) {
        guard let form = forms.first, steps > 0 else { return load.finish(page) }
        let step = Request(form, for: .data, referer: response.address, generation: generation)
        load.fetch(step, from: fetcher) { [self] result in
            var further: [Address] = []
            if let other = try? result.get(), var found = try? reader.read(other) {
                if !found.isWithoutPictures {
                    if found.next == nil, let next = try? page.get().next, !forms.contains(next) {
                        found.next = next
                    }
                    return load.finish(.success(found))
                }
                if ContentKind(of: other) == .json {
                    further = reader.alternatives(to: other, found)
                }
            }
            look(
                in: further + forms.dropFirst(), of: response, generation: generation,
                steps: steps - 1, for: load, page)
        }
    }
}

extension PageResult {
    /// Whether the page was read, but no picture was found on it.
    package var isWithoutPictures: Bool {
        switch self {
        case .success(let page): page.isWithoutPictures
        case .failure(.noPictures), .failure(.needsScripts): true
        case .failure: false
        }
    }
}
