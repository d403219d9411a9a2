import Basics
import Markup
import Network

/// What is known about a page besides its elements.
struct PageContext {
    /// The page's address after redirects.
    let address: Address
    /// The base of relative links: the `linkBase` of the page's address unless `<base>` specifies another.
    var base: Address { didSet { resolver = AddressResolver(base: base) } }
    private var resolver: AddressResolver
    /// The response's header fields, with lowercase names.
    let headers: HeaderFields
    /// Records decisions; nil unless the page is to be explained.
    var log: DecisionLog?
    /// The folders that scripts put before bare names of files, from small to large pictures.
    var folders: [String] = []
    /// The resources saved with the page; nil if it was not saved.
    let saved: SavedPage?
    /// Whether references may lead to files of this machine.
    private let namesFiles: Bool

    init(
        address: Address, document: Document, headers: HeaderFields = [],
        log: DecisionLog? = nil, saved: SavedPage? = nil, isData: Bool = false
    ) {
        namesFiles = address.isFile && !isData
        self.address = address
        self.headers = headers
        self.log = log
        self.saved = saved
        let own = address.linkBase
        let named = document.elements(.base).lazy.compactMap { $0.attribute(.href) }.first
            .flatMap(own.resolving)
        // A saved file refers to what is beside it, whatever base the page specified originally.
        let base = saved?.file == address ? nil : named
        self.base = base.flatMap { $0.isFile && !address.isFile ? nil : $0 } ?? own
        resolver = AddressResolver(base: self.base)
    }

    /// Resolves a reference on the page; nil for none and for what cannot or must not be fetched: a remote page must not reference local files.
    func resolve(_ reference: String?) -> Address? {
        guard var reference else { return nil }
        return reference.withUTF8(resolve)
    }

    /// Resolves a reference in a script's data: a bare name once in each folder that scripts put before names.
    func resolve(inData reference: String) -> [Address] {
        folders.isEmpty || reference.includes("/")
            ? nonNil(resolve(reference))
            : folders.compactMap { resolve($0 + reference) }
    }

    /// Resolves a reference given as an attribute's bytes; see `resolve(_:)`.
    func resolve(_ reference: Bytes) -> Address? {
        guard reference.count > 0, let found = resolver.resolve(reference) else { return nil }
        return found.isFile && !namesFiles ? nil : found
    }

    /// Resolves a reference and appends the address's text to `texts`; returns the offset of its path.
    func resolve(
        _ reference: Bytes, appendingTo texts: inout [UInt8]
    ) -> Int? {
        let start = texts.count
        guard reference.count > 0,
            let pathStart = resolver.resolve(reference, appendingTo: &texts)
        else { return nil }
        guard !Address.isFile(texts[start + 1]) || namesFiles else {
            texts.removeSubrange(start...)
            return nil
        }
        return pathStart
    }
}

extension Node {
    /// The words of its `rel`.
    var relations: [Substring] {
        attribute(.rel)?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
    }
}

extension Document {
    /// The text of `<title>`, except for those inside SVG, else of the first `h1`.
    var title: String {
        // Bounded, as a hostile page may nest a million titles.
        let title = elements(.title).prefix(1_000).first { title in
            title.ancestors.prefix(1_000).allSatisfy { $0.tagName != "svg" }
        }
        let text = title?.textContent ?? ""
        return text.isEmpty ? root.first(.h1)?.textContent ?? "" : text
    }
}

/// The picture that represents a page on other sites (https://ogp.me): better than none.
struct OpenGraph {
    private var properties: [String: String] = [:]
    private let context: PageContext

    init(of document: Document, context: PageContext) {
        self.context = context
        for node in document.elements(.meta) {
            let name = node.attribute("property") ?? node.attribute("name")
            if let name, let content = node.attribute("content"), properties[name] == nil {
                properties[name] = content
            }
        }
    }

    /// The addresses in `og:image` and `twitter:image`, the best first.
    var addresses: [Address] {
        wordList("og:image:secure_url og:image og:image:url twitter:image twitter:image:src")
            .compactMap { context.resolve(properties[$0]) }
    }

    /// The best of them, with the size that the page states.
    var picture: Picture.Variant? {
        addresses.first.map {
            Picture.Variant(
                address: $0, width: properties["og:image:width"].flatMap(Pixels.init),
                height: properties["og:image:height"].flatMap(Pixels.init))
        }
    }

    /// The type of thing that the page is about.
    var type: String? { properties["og:type"] }
    /// Whether it is an article that was published at some time.
    var isPublished: Bool { properties["article:published_time"] != nil }
}
