import Markup
import Network

/// Reads the addresses out of one attribute's value, on the bytes of the page where a page has thousands of them.
struct Offers {
    let context: PageContext

    /// Adds the addresses that `value` names, given what the attribute is for.
    func read(
        _ value: UnsafeBufferPointer<UInt8>, as role: AttributeRole, into findings: inout Findings
    ) {
        switch role {
        case .set: set(value, into: &findings)
        case .looseSet: looseSet(String(decoding: value, as: UTF8.self), into: &findings)
        case .style:
            if value.includes("url(") { styled(value, into: &findings) }
        case .background:
            if value.includes("url(") {
                styled(value, into: &findings)
            } else {
                add(value, .background, into: &findings)
            }
        case .weak:
            guard let offer = offer(value, .lazy, in: &findings.addresses),
                findings.addresses.hints(of: offer.address).looksLikePicture
            else { return }
            findings.append(offer)
        default: add(value, role, into: &findings)
        }
    }

    private func add(
        _ reference: UnsafeBufferPointer<UInt8>, _ role: AttributeRole,
        into findings: inout Findings
    ) {
        guard let offer = offer(reference, role, in: &findings.addresses) else { return }
        findings.append(offer)
    }

    private func offer(
        _ reference: UnsafeBufferPointer<UInt8>, _ role: AttributeRole,
        in addresses: inout AddressNumbers
    ) -> Candidate.Found? {
        // Placeholders written into the page are the commonest reference that leads nowhere.
        guard !reference.begins(with: "data:"),
            let number = addresses.insert(reference, in: context)
        else { return nil }
        let hints = addresses.hints(of: number)
        guard hints.couldBeShown else { return nil }
        return Candidate.Found(
            address: number, role: role, width: hints.size?.width, height: hints.size?.height)
    }

    private func set(_ value: UnsafeBufferPointer<UInt8>, into findings: inout Findings) {
        Srcset.forEach(in: value) { candidate in
            let isDoubled = (candidate.density ?? 1) > 1
            guard
                var offer = offer(
                    candidate.url, isDoubled ? .large : .set, in: &findings.addresses)
            else { return }
            offer.width = candidate.width ?? offer.width
            offer.height = candidate.height ?? offer.height
            findings.append(offer)
        }
    }

    /// `a.jpg 375, b.jpg 480`: like a `srcset` that forgot its units.
    private func looseSet(_ value: String, into findings: inout Findings) {
        let words = value.split(whereSeparator: \.isWhitespace)
        let parts = words.map { word in
            let number = word.hasSuffix(",") ? word.dropLast() : word
            guard Int(number) != nil else { return String(word) }
            return word.hasSuffix(",") ? "\(number)w," : "\(number)w"
        }
        var text = parts.joined(separator: " ")
        text.withUTF8 { set($0, into: &findings) }
    }

    /// The `url(…)` of a background.
    private func styled(_ value: UnsafeBufferPointer<UInt8>, into findings: inout Findings) {
        guard var url = Style.url(in: String(decoding: value, as: UTF8.self)) else { return }
        url.withUTF8 { add($0, .background, into: &findings) }
    }
}
