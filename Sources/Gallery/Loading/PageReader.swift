import Archives
import Basics
import Markup
package import Network
package import Pipeline
package import Trace

/// Parses responses into pages.
///
/// Takes milliseconds for a typical page and a second for the largest: never call it on the main thread or the coordinator's queue.
package struct PageReader: Sendable {
    private let recipes: @Sendable () -> [Recipe]
    private let teaching: RecipeTeaching
    private let folders: FolderReader
    private let countPages: @Sendable (Response) throws -> Int
    private let tracer: Tracer
    private let explain: Receiver<String>?
    private let makesRecipe: Bool

    /// The maximum number of a document's pages.
    private static let maxPages = 10_000

    /// Creates a reader; the recipes of `teaching` and then `recipes` are tried in order before the generic scraper.
    ///
    /// Both are evaluated for each page on the thread that reads it. `countPages` returns the number of pages of a document, whose file is in
    /// the response if it is local. `explain` receives an account of how each page was read, on the thread that read it; with `makesRecipe`,
    /// a recipe that would read the page the same way, and no existing recipe is tried.
    package init(
        recipes: @autoclosure @escaping @Sendable () -> [Recipe] = [],
        teaching: RecipeTeaching = RecipeTeaching(),
        folders: FolderReader = FolderReader(), tracer: Tracer = .disabled,
        explain: Receiver<String>? = nil, makesRecipe: Bool = false,
        countPages: @escaping @Sendable (Response) throws -> Int = { _ in 1 }
    ) {
        self.recipes = recipes
        self.teaching = teaching
        self.folders = folders
        self.countPages = countPages
        self.tracer = tracer
        self.explain = explain
        self.makesRecipe = makesRecipe
    }

    /// Parses `response` into a page; throws the reason if it has none.
    package func read(_ response: Response) throws(PageError) -> Page {
        let span = tracer.begin("scrape", detail: response.address.text)
        let page = explained(response.address) { log throws(PageError) in
            try self.page(of: response, log)
        }
        span.end(page.outcome)
        return try page.get()
    }

    /// Reads the folder, list of files or archive at `address`; fails with the reason if it has no page.
    ///
    /// Blocks on the disk.
    func folder(at address: Address) -> PageResult {
        explained(address) { log throws(PageError) in
            guard let path = address.filePath, FileKind(atPath: path) != .folder else {
                log?.way = "a folder"
                return try folders.page(at: address)
            }
            return try archive(at: address, log)
        }
    }

    /// Returns the page that an archive was made from, if it has pictures, else all pictures in the archive.
    private func archive(at address: Address, _ log: DecisionLog?) throws(PageError) -> Page {
        let gallery = try ArchivedGallery(at: address, in: folders.archives)
        if let (response, saved) = gallery.original,
            let page = try? html(response, log, saved), !page.isWithoutPictures
        {
            return page
        }
        log?.way = "an archive"
        let page = try gallery.page()
        if let shortfall = page.shortfall { log?.note(shortfall) }
        return page
    }

    private func explained(
        _ address: Address, read: (DecisionLog?) throws(PageError) -> Page
    ) -> PageResult {
        let log = makesRecipe ? nil : explain.map { _ in DecisionLog(address: address) }
        let result = Result { () throws(PageError) in try read(log) }
        if let log { explain?(log.text(result: result.outcome)) }
        return result
    }

    private func page(of response: Response, _ log: DecisionLog?) throws(PageError) -> Page {
        guard !response.body.isEmpty else { throw .empty }
        switch ContentKind(of: response) {
        case .picture: return picture(response, log)
        case .document: return try document(response, log)
        case .archive: return try archive(response, log)
        case .html: return try html(response, log)
        case .feed:
            log?.way = "a feed"
            let (document, context) = parsed(response, .feed, log)
            return try Feed(document: document, context: context).page()
        case .json: return try json(response, log)
        case .fileList:
            log?.way = "a directory listing in XML"
            let (document, context) = parsed(response, .fileList, log)
            guard let page = try FileList(context: context).page(xml: document) else {
                throw .notAGallery("XML")
            }
            return page
        case .lines:
            log?.way = "a file server's listing"
            return try FileList(context: parsed(response, .lines, log).1).page(lines: response.body)
        case .other(let kind): throw .notAGallery(kind)
        }
    }

    /// Returns a page that consists of this one picture.
    private func picture(_ response: Response, _ log: DecisionLog?) -> Page {
        log?.way = "a picture"
        let address = response.address
        // A file is called the same as in its folder's listing.
        let title = address.isFile ? address.fileTitle : FileNameText.words(of: address)
        let entry = address.filePath.flatMap(FolderEntry.init(path:))
        let picture = Picture(
            listed: address, title: title, byteCount: entry?.bytes ?? response.body.count,
            page: address)
        return Page(address: address, title: title, pictures: [picture])
    }

    /// Returns a page with a document's pages, of which there is at least one.
    private func document(
        _ response: Response, _ log: DecisionLog?
    ) throws(PageError) -> Page {
        log?.way = "a document"
        let address = response.address
        let count: Int
        do { count = try countPages(response) } catch { throw .document("\(error)") }
        var page = Page(
            address: address, title: address.fileTitle,
            pictures: (1...min(count, Self.maxPages)).lazy.map { number in
                Picture(
                    listed: address.page(number), title: "Page \(number)", page: address)
            })
        if count > Self.maxPages { page.shortfall = "only \(Self.maxPages) of its \(count) pages" }
        return page
    }

    /// Returns a page with the pictures in an archive, which stays open.
    private func archive(
        _ response: Response, _ log: DecisionLog?
    ) throws(PageError) -> Page {
        log?.way = "an archive"
        let archive: Archive
        do throws(ArchiveError) {
            archive = try folders.archives.open(response)
        } catch {
            throw .fetch(FetchError(error))
        }
        return try ArchivedGallery(archive, at: response.address).page()
    }

    private func html(
        _ response: Response, _ log: DecisionLog?, _ saved: SavedPage? = nil
    ) throws(PageError) -> Page {
        let (document, context) = parsed(response, .html, log, saved)
        if let how = response.headers[":rendered"] { log?.note("it was rendered \(how)") }
        let page: Page
        do throws(PageError) {
            page = try self.page(of: document, context)
        } catch {
            let isLogin = document.root.descendants.contains {
                $0.tagName == "input" && $0.attribute("type") == "password"
            }
            throw isLogin ? .needsLogin : error
        }
        guard let saved = context.saved else { return page }
        log?.note("it was saved" + (saved.original.map { " from \($0.text)" } ?? ""))
        return saved.kept(page)
    }

    private func page(of document: Document, _ context: PageContext) throws(PageError) -> Page {
        let log = context.log
        let address = context.saved?.original ?? context.address
        var found: Page?
        for recipe in makesRecipe ? [] : teaching.recipes + recipes()
        where found == nil && recipe.matches(address) {
            log?.way = "a page, by the recipe ‘\(recipe.name)’"
            found = recipe.page(document, context: context)
            if found == nil { log?.note("the recipe ‘\(recipe.name)’ found no picture") }
        }
        if teaching.shows(context.address) {
            let page = Scraper(document: document, context: context).everything(besides: found)
            page.next.map(teaching.show)
            return page
        }
        if let found { return found }
        if let page = try? DirectoryListing(document, context: context)?.page() {
            log?.way = "a directory listing"
            return page
        }
        log?.way = "a page, by its structure (\(document.encoding))"
        let page = try Scraper(document: document, context: context).page()
        if makesRecipe, let explain {
            RecipeMaker(document, context: context, page: page).text.map(explain)
        }
        return page
    }

    /// Parses a directory listing, a known API format, or any list of objects with pictures.
    private func json(_ response: Response, _ log: DecisionLog?) throws(PageError) -> Page {
        log?.way = "data (JSON)"
        guard let value = LooseParser.lines(of: response.body) else {
            throw .notAGallery("broken JSON")
        }
        let (_, context) = parsed(response, .json, log)
        if let page = try FileList(context: context).page(json: value) { return page }
        if let (name, found) = DataFormat.read(value, context) {
            log?.way = name
            var page = found
            // A server cannot choose what others are sent.
            if response.origin != .file { page.headers = [:] }
            guard !page.isWithoutPictures || page.next != nil else {
                throw page.shortfall.map(PageError.document) ?? .noPictures
            }
            return page
        }
        let found = ScriptDataGallery(in: [value], context: context)
        guard !found.pictures.isEmpty else {
            throw .notAGallery(response.mediaType ?? "application/json")
        }
        return Page(
            address: response.address, title: ObjectWords(value).title ?? "",
            pictures: found.pictures, next: found.next)
    }

    /// Returns where else the pictures may be when `page`, read from `response`, has none.
    func alternatives(to response: Response, _ page: Page?) -> [Address] {
        switch ContentKind(of: response) {
        case .html:
            let (document, context) = parsed(response)
            return AlternativeSources(document: document, context: context).addresses
        case .json: return nonNil(page?.next)
        default: return []
        }
    }

    /// Returns what the page behind `picture` is; throws if it is neither a picture's detail page nor a gallery.
    func detail(
        _ response: Response, of picture: Picture, rule: DetailRule?
    ) throws(PageError) -> Detail {
        guard !response.body.isEmpty else { throw .empty }
        switch ContentKind(of: response) {
        case .picture: return .picture(Picture.Variant(address: response.address), .itself)
        case .feed, .fileList, .lines, .document, .archive: return .album
        case .json: throw .notAGallery("data (JSON)")
        case .other(let kind): throw .notAGallery(kind)
        case .html: break
        }
        let (document, context) = parsed(response)
        // Recipes describe galleries, so a page that one can read is an album.
        if (teaching.recipes + recipes()).contains(where: {
            $0.matches(response.address) && $0.page(document, context: context) != nil
        }) {
            return .album
        }
        if DirectoryListing(document, context: context) != nil { return .album }
        guard let detail = DetailPage(document, context: context, of: picture, rule: rule).detail
        else { throw .noPictures }
        return detail
    }

    /// Returns a recipe made from examples on the page; throws the reason if there is none.
    func lesson(
        of response: Response, _ examples: RecipeExamples
    ) throws(PageError) -> RecipeLesson {
        let (document, context) = parsed(response)
        let page = Scraper(document: document, context: context).everything()
        return try RecipeMaker(document, context: context, page: page).lesson(examples)
    }

    /// Returns the number of pictures that a recipe finds on the page.
    func count(of response: Response, by recipe: Recipe) -> Int {
        let (document, context) = parsed(response)
        return recipe.page(document, context: context)?.pictures.count ?? 0
    }

    private func parsed(
        _ response: Response, _ kind: ContentKind = .html, _ log: DecisionLog? = nil,
        _ saved: SavedPage? = nil
    ) -> (Document, PageContext) {
        let document =
            switch kind {
            case .html: Document(html: response.body, charset: response.charset)
            case .feed, .fileList: Document(xml: response.body, charset: response.charset)
            default: Document(html: [])
            }
        let context = PageContext(
            address: response.address, document: document, headers: response.headers, log: log,
            saved: saved ?? SavedPage(document, in: response), isData: kind == .json)
        return (document, context)
    }
}

extension PageResult {
    fileprivate var outcome: String {
        switch self {
        case .failure(let error): return error.description
        case .success(let page):
            let albums = page.pictures.count { $0.kind == .album }
            return
                "\(page.pictures.count - albums) pictures, \(albums) albums, "
                + "\(page.related.count) related sections, "
                + (page.next.map { "next page \($0.text)" } ?? "no next page")
        }
    }
}
