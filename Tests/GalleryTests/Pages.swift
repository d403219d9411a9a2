import Markup
import Network
import Testing
import Trace

@testable import Gallery

/// The address of test pages.
let testAddress = "https://photos.example/gallery/"

/// Reads `html` as the page at `address`.
func page(
    _ html: String, at address: String = testAddress, type: String? = "text/html",
    headers: [(name: String, value: String)] = [], recipes: [Recipe] = []
) throws -> Page {
    let address = try #require(Address(address))
    let response = Response(
        address: address, mediaType: type, headers: headers, body: Array(html.utf8),
        origin: .network)
    return try PageReader(recipes: recipes, tracer: .disabled).read(response)
}

/// Returns an address without the test site's part, for short expectations.
func short(_ address: Address?) -> String {
    guard let address else { return "-" }
    let prefix = "https://photos.example"
    return address.text.hasPrefix(prefix)
        ? String(address.text.dropFirst(prefix.count)) : address.text
}

extension Picture {
    /// Every address with its width: `/a.jpg`, `/b.jpg 640`.
    var ladder: [String] {
        variants.map { variant in short(variant.address) + (variant.width.map { " \($0)" } ?? "") }
    }
}
