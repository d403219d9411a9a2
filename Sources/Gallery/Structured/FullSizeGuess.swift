public import Network

/// Where the full picture behind a thumbnail's address probably is, when the page does not say (SCRAPING 4.2 D).
///
/// A guess is no fact: `--json`, `--urls` and the grid never use one. A viewer may try the guesses in turn before the picture that the page
/// named, which stands in for all that answer 404. Nothing is guessed across hosts, nor where the page named a full size itself.
public struct FullSizeGuess: Hashable, Sendable {
    /// By what a guess was made: the addresses of one gallery are made alike.
    public enum Rule: Hashable, Sendable {
        /// MediaWiki's folders of thumbnails.
        case wiki
        /// Without the query that asks for a size.
        case query
        /// Without the marks in the file's name.
        case name
        /// Out of the folder of thumbnails, without the marks in the name.
        case folderAndName
        /// Out of the folder of thumbnails.
        case folder
    }

    /// Where the full picture may be; on the host of the thumbnail.
    public let address: Address
    /// By what it was guessed.
    public let rule: Rule

    /// The guesses for a picture, the likeliest first; empty where the page knows better or nothing is known of the address.
    public static func guesses(for picture: Picture) -> [FullSizeGuess] {
        guard picture.kind == .picture, picture.variants.count == 1, picture.full == nil,
            !picture.isFullKnown, picture.link != picture.image
        else { return [] }
        return guesses(for: picture.image)
    }

    static func guesses(for address: Address) -> [FullSizeGuess] {
        let query = address.text.firstIndex(of: "?")
        let text = query.map { String(address.text[..<$0]) } ?? address.text
        guard let slash = text.lastIndex(of: "/"),
            let point = text[slash...].lastIndex(of: "."), point > slash
        else { return [] }
        var guesses: [(text: String, rule: Rule)] = []
        if let wiki = wiki(text) { guesses.append((wiki, .wiki)) }
        if query != nil, isResizer(address) { guesses.append((text, .query)) }
        let stem = text[text.index(after: slash)..<point]
        let folder = text[...slash]
        let ending = text[point...]
        let plain = marked?.match(stem)
        if let plain { guesses.append((folder + plain + ending, .name)) }
        if let parent = withoutFolder(folder) {
            if let plain { guesses.append((parent + plain + ending, .folderAndName)) }
            guesses.append((parent + stem + ending, .folder))
        }
        var seen: Set<Address> = [address]
        return guesses.compactMap { guess in
            guard let address = Address(guess.text), seen.insert(address).inserted else {
                return nil
            }
            return FullSizeGuess(address: address, rule: guess.rule)
        }
    }

    /// `…/thumb/a/ab/X.jpg/220px-X.jpg` is `…/a/ab/X.jpg` (MediaWiki).
    private static func wiki(_ text: String) -> String? {
        guard let range = text.firstRange(of: "/thumb/"), let slash = text.lastIndex(of: "/"),
            slash > range.upperBound
        else { return nil }
        let name = text[text.index(after: slash)...]
        let folder = text[range.upperBound..<slash]
        let digits = name.prefix(while: \.isNumber)
        guard !digits.isEmpty, name.dropFirst(digits.count).hasPrefix("px-"),
            let original = folder.split(separator: "/").last, original.contains(".")
        else { return nil }
        return text[..<range.lowerBound] + "/" + folder
    }

    /// Queries that only ask for another size: `?w=300`, `?resize=…`, `?fit=…`.
    private static func isResizer(_ address: Address) -> Bool {
        let query = address.text.drop { $0 != "?" }.dropFirst()
        let sizes = wordList(
            """
            w h width height resize fit crop ssl quality q strip size zoom dpr auto format
            """)
        let keys = query.split(separator: "&").map { $0.prefix { $0 != "=" } }
        return !keys.isEmpty && keys.allSatisfy { sizes.contains(String($0)) }
    }

    /// `photo-300x200`, `photo_thumb`, `thumb_photo`, `photo-e1234567890123` and the like; the group is what is left without their marks.
    private static let marked = try? Pattern(
        #"""
        (?x) (?| (.+) [-_] \d{2,5} x \d{2,5} (?:-\d+)?
        | (.+) - (?:e\d{13} | scaled | cropped | c-default)
        | (.+?) [-_.] (?:thumb | thumbnail | tn | small | th | sm | preview | medium | t | s)
        | \.? (?:thumbs? | tn | th | small) [-_.] (.+) )
        """#)

    /// `…/thumbs/` is `…/`.
    private static func withoutFolder(_ folder: Substring) -> String? {
        let names = wordList(
            """
            thumb thumbs thumbnail thumbnails small tn .thumbs .thumbnails previews preview mini th
            """)
        let steps = folder.dropLast()
        guard let slash = steps.lastIndex(of: "/"),
            names.contains(steps[steps.index(after: slash)...].lowercased())
        else { return nil }
        return String(steps[...slash])
    }
}
