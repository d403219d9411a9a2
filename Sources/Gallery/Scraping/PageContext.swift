import Basics
import Markup
import Network

/// What is known of a page besides its elements.
struct PageContext {
    /// Where it came from, after redirects.
    let address: Address
    /// What its relative links are relative to: the address, unless `<base>` says otherwise.
    let base: Address
    private let resolver: AddressResolver
    /// The response's header fields, names in lower case.
    let headers: [(name: String, value: String)]
    /// Where decisions are written; nil unless the page is to be explained.
    var log: DecisionLog?
    /// What was kept with the page; nil for one that was not saved.
    let saved: SavedPage?

    init(
        address: Address, document: Document, headers: [(name: String, value: String)] = [],
        log: DecisionLog? = nil, saved: SavedPage? = nil
    ) {
        self.address = address
        self.headers = headers
        self.log = log
        self.saved = saved
        let named = document.root.first(.base)?.attribute(.href).flatMap { address.resolving($0) }
        // What lies beside a saved file is meant, whatever the page said when it was elsewhere.
        let base = saved?.file == address ? nil : named
        self.base = base.flatMap { $0.isFile && !address.isFile ? nil : $0 } ?? address
        resolver = AddressResolver(base: self.base)
    }

    /// The absolute address of a reference on the page; nil for what cannot or must not be fetched: a remote page has no
    /// business with files.
    func resolve(_ reference: String) -> Address? {
        var reference = reference
        return reference.withUTF8 { resolve($0) }
    }

    /// The same of an attribute's bytes.
    func resolve(_ reference: UnsafeBufferPointer<UInt8>) -> Address? {
        guard reference.count > 0, let found = resolver.resolve(reference) else { return nil }
        return found.isFile && !address.isFile ? nil : found
    }

    /// The same, with the address's text appended to `texts`; returns where its path starts.
    func resolve(
        _ reference: UnsafeBufferPointer<UInt8>, appendingTo texts: inout [UInt8]
    ) -> Int? {
        let start = texts.count
        guard reference.count > 0,
            let pathStart = resolver.resolve(reference, appendingTo: &texts)
        else { return nil }
        guard texts[start] != UInt8(ascii: "f") || address.isFile else {
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
    /// `<title>`, of which SVG has others, else the first `h1`.
    static func of(_ document: Document) -> String {
        let title = document.elements(.title).first { title in
            title.ancestors.allSatisfy { $0.tagName != "svg" }
        }
        let text = title?.textContent ?? ""
        return text.isEmpty ? document.root.first(.h1)?.textContent ?? "" : text
    }
}

/// The one picture by which a page wants to be known (https://ogp.me): better than none.
enum OpenGraph {
    /// The picture of `og:image` or `twitter:image`.
    static func picture(of document: Document, context: PageContext) -> Picture? {
        var properties: [String: String] = [:]
        for node in document.root.descendants where node.tagName == "meta" {
            let name = node.attribute("property") ?? node.attribute("name")
            if let name, let content = node.attribute("content"), properties[name] == nil {
                properties[name] = content
            }
        }
        let names = [
            "og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src",
        ]
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
