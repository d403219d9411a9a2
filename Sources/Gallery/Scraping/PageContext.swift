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
    /// Where decisions are written; nil unless somebody asked.
    private(set) var log: DecisionLog?

    /// The same without anybody to tell.
    var untold: PageContext {
        var context = self
        context.log = nil
        return context
    }

    init(
        address: Address, document: Document, headers: [(name: String, value: String)] = [],
        log: DecisionLog? = nil
    ) {
        self.address = address
        self.headers = headers
        self.log = log
        base = PageContext.base(of: document, at: address)
        resolver = AddressResolver(base: base)
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

    /// Where a link leads.
    func target(of link: Node) -> Address? {
        link.view { view in view.attribute(.href, of: link.order).flatMap { resolve($0) } } ?? nil
    }

    private static func base(of document: Document, at address: Address) -> Address {
        guard let element = document.root.first(.base), let href = element.attribute(.href),
            let base = address.resolving(href),
            !base.isFile || address.isFile
        else { return address }
        return base
    }
}
