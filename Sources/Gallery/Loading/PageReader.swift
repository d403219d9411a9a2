import Basics
import Markup
package import Network
package import Trace

/// Makes a page of a response.
///
/// Costs milliseconds for a usual page, a second for the largest: keep it off the coordinator's queue.
package struct PageReader: Sendable {
    let recipes: [Recipe]
    let tracer: Tracer
    /// Is told how each page was read, if somebody wants to know; on the thread that reads.
    let explain: (@Sendable (Explanation) -> Void)?

    /// Makes a reader; `recipes` are tried in order before the generic scraper.
    package init(
        recipes: [Recipe] = [], tracer: Tracer = .disabled,
        explain: (@Sendable (Explanation) -> Void)? = nil
    ) {
        self.recipes = recipes
        self.tracer = tracer
        self.explain = explain
    }

    /// The page of `response`, or why there is none.
    package func read(_ response: Response) throws(PageError) -> Page {
        let log = explain.map { _ in DecisionLog(address: response.address) }
        do throws(PageError) {
            guard !response.body.isEmpty else { throw .empty }
            let page = try read(response, log)
            tell(log, page.outcome)
            return page
        } catch {
            tell(log, error.description)
            throw error
        }
    }

    /// The page of the folder at `path`, or why there is none.
    ///
    /// Blocks on the disk.
    func folder(at path: String) throws(PageError) -> Page {
        let log = explain.map { _ in DecisionLog(address: Address(path: path, isFolder: true)) }
        log?.read(as: "a folder")
        do throws(PageError) {
            let page = try FolderReader().page(at: path)
            tell(log, page.outcome)
            return page
        } catch {
            tell(log, error.description)
            throw error
        }
    }

    private func tell(_ log: DecisionLog?, _ result: @autoclosure () -> String) {
        guard let log, let explain else { return }
        log.end(result())
        explain(log.explanation)
    }

    private func read(_ response: Response, _ log: DecisionLog?) throws(PageError) -> Page {
        switch ContentKind(of: response) {
        case .picture: return picture(response, log)
        case .html: return try traced(response, log, html)
        case .feed: return try traced(response, log, feed)
        case .json: return try traced(response, log, json)
        case .fileList: return try traced(response, log, fileList)
        case .other(let kind): throw .notAGallery(kind)
        }
    }

    private func traced(
        _ response: Response, _ log: DecisionLog?,
        _ read: (Response, DecisionLog?) throws(PageError) -> Page
    ) throws(PageError) -> Page {
        let span = tracer.begin("scrape", detail: response.address.text)
        do throws(PageError) {
            let page = try read(response, log)
            span.end("\(page.pictures.count) pictures")
            return page
        } catch {
            span.end(error.description)
            throw error
        }
    }

    /// A picture is a section of one.
    private func picture(_ response: Response, _ log: DecisionLog?) -> Page {
        log?.read(as: "a picture")
        let title = Titles.fromFileName(response.address)
        var picture = Picture(
            variants: [Picture.Variant(address: response.address)], page: response.address,
            title: title,
            byteCount: response.body.count)
        picture.isFullKnown = true
        return Page(address: response.address, title: title, pictures: [picture])
    }

    private func html(_ response: Response, _ log: DecisionLog?) throws(PageError) -> Page {
        let document = Document(html: response.body, charset: response.charset)
        let context = PageContext(
            address: response.address, document: document, headers: response.headers,
            log: log)
        for recipe in recipes where recipe.matches(response.address) {
            log?.read(as: "a page, by the recipe ‘\(recipe.name)’")
            if let page = recipe.page(document, context: context) { return page }
            log?.note("the recipe ‘\(recipe.name)’ found no picture")
        }
        if let page = try? DirectoryListing(document, context: context)?.page() {
            log?.read(as: "a directory listing")
            return page
        }
        log?.read(as: "a page, by its structure (\(document.encoding))")
        return try Scraper(document: document, context: context).page()
    }

    private func feed(_ response: Response, _ log: DecisionLog?) throws(PageError) -> Page {
        log?.read(as: "a feed")
        let (document, context) = xml(response, log)
        return try Feed(document: document, context: context).page()
    }

    private func fileList(_ response: Response, _ log: DecisionLog?) throws(PageError) -> Page {
        log?.read(as: "a directory listing in XML")
        let (document, context) = xml(response, log)
        guard let list = FileList(xml: document, context: context) else {
            throw .notAGallery("XML")
        }
        return try list.page()
    }

    private func xml(_ response: Response, _ log: DecisionLog?) -> (Document, PageContext) {
        let document = Document(xml: response.body, charset: response.charset)
        return (
            document,
            PageContext(
                address: response.address, document: document, headers: response.headers,
                log: log)
        )
    }

    /// A server's listing, or any list of objects with pictures: JSON Feed, the answers of programs.
    private func json(_ response: Response, _ log: DecisionLog?) throws(PageError) -> Page {
        log?.read(as: "data (JSON)")
        guard let value = LooseParser.value(of: response.body) else {
            throw .notAGallery("broken JSON")
        }
        let context = PageContext(
            address: response.address, document: Document(html: []), headers: response.headers,
            log: log)
        if let list = FileList(json: value, context: context) { return try list.page() }
        let found = StateGallery(in: [value], context: context)
        guard !found.pictures.isEmpty else {
            throw .notAGallery(response.mediaType ?? "application/json")
        }
        return Page(
            address: response.address, title: ObjectWords(value).title ?? "",
            pictures: found.pictures, next: found.next)
    }

    /// Where a page without pictures sends its readers: another page, its feed, a frame; asked only after the page gave nothing.
    func otherForm(of response: Response) -> Address? {
        guard ContentKind(of: response) == .html else { return nil }
        let document = Document(html: response.body, charset: response.charset)
        let context = PageContext(address: response.address, document: document)
        return OtherForms.address(in: document, context: context)
    }
}

extension Page {
    /// A line for who asked how the page was read.
    fileprivate var outcome: String {
        let albums = pictures.count { $0.kind == .album }
        return
            "\(pictures.count - albums) pictures, \(albums) albums, \(related.count) related sections, "
            + (next.map { "next page \($0.text)" } ?? "no next page")
    }
}
