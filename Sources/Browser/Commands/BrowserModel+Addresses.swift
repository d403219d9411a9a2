import Gallery
import Network

/// The selected picture's address, handed to others.
extension BrowserModel {
    /// Longer than any real address; terminals drop what is much longer without a word.
    private static let longestCopied = 8192

    /// Asks the terminal to keep the address of the picture, or of the album's page.
    func copyAddress() -> Effect {
        guard let address = selectedAddress else { return .none }
        guard address.text.utf8.count <= Self.longestCopied else {
            show(message: "the address is too long to copy")
            return .none
        }
        show(message: "copied \(address)")
        return .copy(address.text)
    }

    /// Opens that address in the user's browser.
    func openElsewhere() {
        guard let address = selectedAddress else { return }
        show(message: services.opening?.open(address) ?? "there is no browser to open it in")
    }

    private var selectedAddress: Address? {
        guard let picture = level.selection.flatMap(level.sections.picture) else { return nil }
        return picture.kind == .album ? picture.link ?? picture.image : picture.largest
    }
}
