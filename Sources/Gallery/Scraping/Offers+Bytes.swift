import Markup
import Network

/// The ways of `Offers` that a page takes thousands of times, on the bytes of the page.
extension Offers {
    /// Appends the addresses that `value` names, given what the attribute is for.
    static func read(
        _ value: UnsafeBufferPointer<UInt8>, as role: AttributeRole, in context: PageContext,
        into found: inout [Candidate.Found]
    ) {
        switch role {
        case .plain, .thumbnail, .lazy, .medium, .large, .full:
            if let offer = offer(value, role, in: context) { found.append(offer) }
        case .set:
            Srcset.forEach(in: value) { candidate in
                let isDoubled = (candidate.density ?? 1) > 1
                guard var offer = offer(candidate.url, isDoubled ? .large : .set, in: context)
                else { return }
                offer.width = candidate.width ?? offer.width
                offer.height = candidate.height ?? offer.height
                found.append(offer)
            }
        case .style where !value.includes("url("): break
        default: found += read(String(decoding: value, as: UTF8.self), as: role, in: context)
        }
    }

    private static func offer(
        _ reference: UnsafeBufferPointer<UInt8>, _ role: AttributeRole, in context: PageContext
    ) -> Candidate.Found? {
        // Placeholders written into the page are the commonest reference that leads nowhere.
        guard !reference.starts(with: "data:".utf8), let address = context.resolve(reference) else {
            return nil
        }
        let hints = AddressHints(address)
        guard hints.couldBeShown else { return nil }
        return Candidate.Found(
            address: address, role: role, width: hints.size?.width, height: hints.size?.height)
    }
}

extension ShownSize {
    /// As `of`, without texts where width and height are plain numbers, as they mostly are.
    static func of(_ node: Node, _ view: PageView) -> (width: Int?, height: Int?) {
        let width = view.attribute(.width, of: node.order)
        let height = view.attribute(.height, of: node.order)
        let style = view.attribute(Style.name, of: node.order)
        if width == nil, height == nil, !(style?.includes("px") ?? false) { return (nil, nil) }
        if let width = width?.plainNumber, let height = height?.plainNumber, width <= 100_000,
            height <= 100_000
        {
            return (width, height)
        }
        return of(node)
    }
}
