import Markup
import Network

/// What is on a page but is no picture of the gallery: counters, logos, avatars, advertisements.
enum Junk {
    /// Whether it certainly is nothing to look at, wherever it stands.
    static func isOrnamental(_ candidate: Candidate, in findings: Findings) -> Bool {
        // Two pixels a side or less is a counter or a spacer.
        if let width = candidate.shown.width, width <= 2 { return true }
        if let height = candidate.shown.height, height <= 2 { return true }
        return !candidate.places.isEmpty
            && candidate.places.allSatisfy { place in
                findings.addresses.withText(
                    of: findings.found[place].address, { marks.occur(in: $0) })
            }
    }

    /// In the addresses of advertisers, counters, emoji and faces.
    private static let marks = Substrings([
        "doubleclick.", "adserver", "facebook.com/tr", "scorecardresearch.", "mediaplex.", "atdmt.",
        "google-analytics.", "googletagmanager.", "quantserve.", "//s.w.org/", "/emoji/",
        "stats.wp.com", "pixel.gif",
        "pixel.wp.com", "/captcha", "favicon", "/beacon",
        "gravatar.com/avatar", "/avatar/", "/avatars/",
    ])
}
