import Markup
import Network

extension PageReader {
    /// What the page behind `picture` is; throws if it is neither a picture's nor a gallery's.
    func detail(
        _ response: Response, of picture: Picture, rule: DetailRule?
    ) throws(PageError) -> Detail {
        guard !response.body.isEmpty else { throw .empty }
        switch ContentKind(of: response) {
        case .picture: return .picture(Picture.Variant(address: response.address), .itself)
        case .html: return try htmlDetail(response, of: picture, rule: rule)
        case .feed, .fileList: return .album
        case .json: throw .notAGallery("data (JSON)")
        case .other(let kind): throw .notAGallery(kind)
        }
    }

    private func htmlDetail(
        _ response: Response, of picture: Picture, rule: DetailRule?
    ) throws(PageError) -> Detail {
        let document = Document(html: response.body, charset: response.charset)
        let context = PageContext(
            address: response.address, document: document, headers: response.headers)
        for recipe in recipes where recipe.matches(response.address) {
            // A recipe is for galleries: its site knows what one is.
            if recipe.page(document, context: context) != nil { return .album }
        }
        if DirectoryListing(document, context: context) != nil { return .album }
        let page = DetailPage(document, context: context, of: picture, rule: rule)
        guard let detail = page.detail else { throw .noPictures }
        return detail
    }
}
