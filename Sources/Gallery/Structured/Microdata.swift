import Markup
import Network

/// `itemtype=…/ImageObject` (https://html.spec.whatwg.org/#microdata): which `contentUrl` belongs to which picture.
struct Microdata {
    private let context: PageContext
    private let scope: Name?
    private let property: Name?

    /// Levels around a picture at which its item may stand.
    private static let reach = 8
    /// Elements of one item that are looked at.
    private static let maxElements = 100

    init(_ document: Document, context: PageContext) {
        self.context = context
        scope = document.name("itemtype")
        property = document.name("itemprop")
    }

    /// Adds to `candidate` what the item around it says of it.
    func enrich(_ candidate: inout Candidate, in findings: inout Findings) {
        guard let scope, let property,
            let item = findings.document.node(candidate.node).ancestors.prefix(Microdata.reach)
                .first(where: { $0.has(scope) }),
            let type = item.attribute(scope),
            type.hasSuffix("ImageObject") || type.hasSuffix("Photograph")
        else { return }
        for node in item.descendants.prefix(Microdata.maxElements) where !node.isText {
            guard let name = node.attribute(property) else { continue }
            switch name {
            case "contentUrl", "contentURL":
                guard let address = address(of: node) else { continue }
                let number = findings.addresses.insert(address).number
                findings.add(
                    Candidate.Found(address: number, role: .full, width: nil, height: nil),
                    to: &candidate)
                candidate.isExplicit = true
            case "name", "caption", "caption description", "headline":
                let known = findings.captions[candidate.node]
                findings.captions[candidate.node] = known ?? caption(of: node)
            default: break
            }
        }
    }

    private func address(of node: Node) -> Address? {
        let text = node.attribute("content") ?? node.attribute(.href) ?? node.attribute(.src)
        return text.flatMap { context.resolve($0) }.flatMap {
            AddressHints($0).couldBePicture ? $0 : nil
        }
    }

    private func caption(of node: Node) -> String? {
        let text = node.attribute("content").map { Text.line($0) } ?? node.textContent
        return text.isEmpty || text.utf8.count > 300 ? nil : text
    }
}
