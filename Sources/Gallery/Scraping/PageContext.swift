import Basics
import Markup
import Network

/// What is known about a page besides its elements.
struct PageContext {
    /// The page's address after redirects.
    let address: Address
    /// The base of relative links: the `linkBase` of the page's address unless `<base>` specifies another.
    let base: Address
    private let resolver: AddressResolver
    /// The response's header fields, with lowercase names.
    let headers: HeaderFields
    /// Records decisions; nil unless the page is to be explained.
    var log: DecisionLog?
    /// The resources saved with the page; nil if it was not saved.
    let saved: SavedPage?

    init(
        address: Address, document: Document, headers: HeaderFields = [],
        log: DecisionLog? = nil, saved: SavedPage? = nil
    ) {
        self.address = address
        self.headers = headers
        self.log = log
        self.saved = saved
        let own = address.linkBase
        let named = document.root.first(.base)?.attribute(.href).flatMap { own.resolving($0) }
        // A saved file refers to what is beside it, whatever base the page specified originally.
        let base = saved?.file == address ? nil : named
        self.base = base.flatMap { $0.isFile && !address.isFile ? nil : $0 } ?? own
        resolver = AddressResolver(base: self.base)
    }

    /// Resolves a reference on the page; nil for none and for what cannot or must not be fetched: a remote page must not reference local files.
    func resolve(_ reference: String?) -> Address? {
        guard var reference else { return nil }
        return reference.withUTF8 { resolve($0) }
    }

    /// Resolves a reference given as an attribute's bytes; see `resolve(_:)`.
    func resolve(_ reference: Bytes) -> Address? {
        guard reference.count > 0, let found = resolver.resolve(reference) else { return nil }
        return found.isFile && !address.isFile ? nil : found
    }

    /// Resolves a reference and appends the address's text to `texts`; returns the offset of its path.
    func resolve(
        _ reference: Bytes, appendingTo texts: inout [UInt8]
    ) -> Int? {
        let start = texts.count
        guard reference.count > 0,
            let pathStart = resolver.resolve(reference, appendingTo: &texts)
        else { return nil }
        guard texts[start] != "f" || address.isFile else {
            texts.removeSubrange(start...)
            return nil
        }
        return pathStart
    }

    func target(of link: Node) -> Address? {
        link.view { view in view.attribute(.href, of: link.order).flatMap { resolve($0) } }
    }
}

enum PageTitle {
    /// Returns the `<title>`, except those inside SVG, else the first `h1`.
    static func of(_ document: Document) -> String {
        let title = document.elements(.title).first { title in
            title.ancestors.allSatisfy { $0.tagName != "svg" }
        }
        let text = title?.textContent ?? ""
        return text.isEmpty ? document.root.first(.h1)?.textContent ?? "" : text
    }
}

/// The picture that represents a page on other sites (https://ogp.me): better than none.
enum OpenGraph {
    /// Returns the picture of `og:image` or `twitter:image`.
    static func picture(of document: Document, context: PageContext) -> Picture? {
        var properties: [String: String] = [:]
        for node in document.root.descendants where node.tagName == "meta" {
            let name = node.attribute("property") ?? node.attribute("name")
            if let name, let content = node.attribute("content"), properties[name] == nil {
                properties[name] = content
            }
        }
        let names = wordList(
            "og:image:secure_url og:image og:image:url twitter:image twitter:image:src")
        let found = names.lazy.compactMap { properties[$0] }.compactMap { context.resolve($0) }
            .first
        guard let found else { return nil }
        let width = properties["og:image:width"].flatMap { Pixels($0) }
        let height = properties["og:image:height"].flatMap { Pixels($0) }
        let title = properties["og:image:alt"] ?? properties["og:title"] ?? PageTitle.of(document)
        return Picture(
            variants: [Picture.Variant(address: found, width: width, height: height)],
            page: context.address, title: Text.line(title), width: width, height: height)
    }
}
