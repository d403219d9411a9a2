import Markup
import Network
import Trace

/// Makes a page of a response.
///
/// Costs milliseconds for a usual page, a second for the largest: keep it off the coordinator's queue.
struct PageReader: Sendable {
    let recipes: [Recipe]
    let tracer: Tracer

    /// The page of `response`, or why there is none.
    func read(_ response: Response) throws(PageError) -> Page {
        guard !response.body.isEmpty else { throw .empty }
        switch ContentKind(of: response) {
        case .picture: return picture(response)
        case .html: return try traced(response, html)
        case .feed: return try traced(response, feed)
        case .other(let kind): throw .notAGallery(kind)
        }
    }

    private func traced(
        _ response: Response, _ read: (Response) throws(PageError) -> Page
    ) throws(PageError) -> Page {
        let span = tracer.begin("scrape", detail: response.address.text)
        do throws(PageError) {
            let page = try read(response)
            span.end("\(page.pictures.count) pictures")
            return page
        } catch {
            span.end(error.description)
            throw error
        }
    }

    /// A picture is a section of one.
    private func picture(_ response: Response) -> Page {
        let title = Titles.fromFileName(response.address)
        let picture = Picture(
            rungs: [Picture.Rung(address: response.address)], page: response.address, title: title,
            byteCount: response.body.count)
        return Page(address: response.address, title: title, pictures: [picture])
    }

    private func html(_ response: Response) throws(PageError) -> Page {
        let document = Document(html: response.body, charset: response.charset)
        let context = PageContext(
            address: response.address, document: document, headers: response.headers)
        if let recipe = recipes.first(where: { $0.matches(response.address) }),
            let page = recipe.page(document, context: context)
        {
            return page
        }
        if let listing = DirectoryListing(document, context: context) {
            return try listing.page()
        }
        return try Scraper(document: document, context: context).page()
    }

    private func feed(_ response: Response) throws(PageError) -> Page {
        let document = Document(xml: response.body, charset: response.charset)
        let context = PageContext(
            address: response.address, document: document, headers: response.headers)
        return try Feed(document: document, context: context).page()
    }
}
