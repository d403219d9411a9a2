import Markup
import Network

/// What is on a page but is no picture of the gallery: counters, logos, avatars, advertisements.
enum Junk {
    /// Whether it certainly is nothing to look at, wherever it stands.
    static func isOrnamental(_ candidate: Candidate) -> Bool {
        // Two pixels a side or less is a counter or a spacer.
        if let width = candidate.shown.width, width <= 2 { return true }
        if let height = candidate.shown.height, height <= 2 { return true }
        return !candidate.found.isEmpty
            && candidate.found.allSatisfy { isForeign($0.address) }
    }

    /// Whether the address belongs to an advertiser, a counter, to emoji or to somebody's face.
    private static func isForeign(_ address: Address) -> Bool {
        var text = address.text
        return text.withUTF8 { marks.occur(in: $0) }
    }

    private static let marks = Substrings([
        "doubleclick.", "adserver", "facebook.com/tr", "scorecardresearch.", "mediaplex.", "atdmt.",
        "google-analytics.", "googletagmanager.", "quantserve.", "//s.w.org/", "/emoji/",
        "stats.wp.com", "pixel.gif",
        "pixel.wp.com", "/captcha", "favicon", "/beacon",
        "gravatar.com/avatar", "/avatar/", "/avatars/",
    ])
}
