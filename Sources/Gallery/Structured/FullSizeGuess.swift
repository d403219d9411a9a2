public import Network

/// A guess at the full picture's address, derived from a thumbnail's address when the page does not name one.
///
/// `--json`, `--urls` and the grid never use a guess. A viewer may try the guesses in turn, and falls back to the picture that the page
/// named if all return 404. Nothing is guessed across hosts, or if the page named a full size itself.
public struct FullSizeGuess: Hashable, Sendable {
    /// How a guess was made; the addresses of one gallery are built alike.
    public enum Rule: Hashable, Sendable {
        /// MediaWiki's thumbnail folders.
        case wiki
        /// Removes size parameters from the query.
        case query
        /// Removes a size component from the path.
        case step
        /// Removes size marks from the file name.
        case name
        /// Removes the thumbnail folder and the marks in the name.
        case folderAndName
        /// Removes the thumbnail folder.
        case folder
    }

    /// The possible address of the full picture, on the thumbnail's host.
    public let address: Address
    /// The rule that made the guess.
    public let rule: Rule

    /// Returns the guesses for a picture, likeliest first; none if the page names more, or no rule matches the address.
    public static func guesses(for picture: Picture) -> [FullSizeGuess] {
        guard picture.kind == .picture, picture.variants.count == 1, picture.full == nil,
            !picture.isFullKnown, picture.link != picture.image
        else { return [] }
        return guesses(for: picture.image)
    }

    static func guesses(for address: Address) -> [FullSizeGuess] {
        let path = address.withoutQuery
        let folder = address.folder
        let query = address.text.dropFirst(path.count)
        let name = path.dropFirst(folder.count)
        let stem = name.withoutEnding
        let ending = name.dropFirst(stem.count)
        var guesses: [(text: String?, rule: Rule)] = [
            (original(of: path), .wiki), (withoutSize(query: query).map { path + $0 }, .query),
            (withoutStep(String(path)), .step),
        ]
        if !ending.isEmpty {
            let plain = marked?.match(stem).map { $0 + ending }
            let parent = foldered?.match(folder)
            guesses += [
                (plain.map { folder + $0 }, .name),
                (parent.flatMap { parent in plain.map { parent + $0 } }, .folderAndName),
                (parent.map { $0 + name }, .folder),
            ]
        }
        return guesses.compactMap { text, rule in
            text.flatMap(Address.init).map { FullSizeGuess(address: $0, rule: rule) }
        }.filter { $0.address != address }.unique(by: \.address)
    }

    /// `…/thumb/a/ab/X.jpg/220px-X.jpg`; the group is what `…/a/ab/X.jpg` has in place of the thumbnail folder (MediaWiki).
    private static let wiki = try? Pattern(#".*?/thumb/((?:.*/)?[^/]*\.[^/]*)/\d+px-[^/]*"#)

    private static func original(of path: Substring) -> String? {
        guard let rest = wiki?.match(path), let thumb = path.firstRange(of: "/thumb/") else {
            return nil
        }
        return "\(path[..<thumb.lowerBound])/\(rest)"
    }

    private static let sizes = wordSet(
        "w h width height resize fit crop ssl quality q strip size zoom dpr auto format")
    /// Signed addresses only work unchanged.
    private static let signed = try? Pattern(
        "(?:.*[^a-z])?(?:s|sig|sign|signature|token|hash|hmac|key|policy|expires)[^a-z]*")

    /// Returns the query without size parameters such as `w=300`, `resize=…`, `fit=…`; nil if there are none.
    ///
    /// Other parameters stay: `?v=7&width=300`.
    private static func withoutSize(query: Substring) -> String? {
        let parts = query.dropFirst().split(separator: "&").map { part in
            (key: String(part.prefix { $0 != "=" }), text: part)
        }
        let rest = parts.filter { !sizes.contains($0.key) }
        guard rest.count < parts.count,
            !rest.contains(where: { signed?.match($0.key) != nil })
        else { return nil }
        return rest.isEmpty ? "" : "?" + rest.map(\.text).joined(separator: "&")
    }

    /// A path component such as `w_300,c_fill` or `300x200`, which requests a size and can be omitted.
    private static let sizing = try? Pattern(
        #"(?:[a-z]{1,2}_[^,]+,)*[wh]_\d+(?:,[a-z]{1,2}_[^,]+)*|\d{2,4}x\d{2,4}"#)
    /// A size such as `s320` or `w400-h300-c`; `s0` requests the original.
    private static let sized = try? Pattern(#"(?:[swh]|w\d+-h)\d{2,4}(?:-[a-z]{1,4}\d*)*"#)

    /// Returns the path without the size for a resizing server: a component before the name, a suffix of the name after `=`, or
    /// `/v1/fill/…` after the original's path.
    private static func withoutStep(_ text: String) -> String? {
        var steps = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        // Scheme, empty component, host and name.
        guard steps.count > 3, let name = steps.popLast(), !name.isEmpty else { return nil }
        if let sign = name.lastIndex(of: "="), sized?.match(name[sign...].dropFirst()) != nil {
            return (steps + ["\(name[...sign])s0"]).joined(separator: "/")
        }
        guard steps.count > 3 else { return nil }
        if let place = steps.indices.dropFirst(4).first(where: {
            steps[$0] == "v1" && steps[$0 - 1].includes(".")
        }) {
            return steps[..<place].joined(separator: "/")
        }
        if sized?.match(steps[steps.count - 1]) != nil {
            steps[steps.count - 1] = "s0"
        } else if let place = steps.indices.dropFirst(3).first(where: {
            sizing?.match(steps[$0]) != nil
        }) {
            steps.remove(at: place)
        } else {
            return nil
        }
        return (steps + [name]).joined(separator: "/")
    }

    /// Names such as `photo-300x200`, `photo_thumb`, `thumb_photo`, `photo-e1234567890123`; the group is the name without marks.
    private static let marked = try? Pattern(
        #"""
        (?x) (?| (.+) [-_] (?: \d{2,5} x \d{0,5} | x \d{2,5} ) (?:-\d+ | _crop_[a-z]+)? (?:@\dx)?
        | (.+) - (?:e\d{13} | scaled | cropped | c-default)
        | (.+?) [-_.] (?:thumb | thumbnail | tn | small | th | sm | preview | medium | t | s)
        | \.? (?:thumbs? | tn | th | small) [-_.] (.+) )
        """#)

    /// A thumbnail folder; the group is its parent.
    private static let foldered = try? Pattern(
        #"(.*/)(?:\.?(?:thumbs|thumbnails)|thumb|thumbnail|small|tn|previews?|mini|th)/"#)
}
