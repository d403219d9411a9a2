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
            && candidate.found.allSatisfy { isTracker($0.address) || isAvatar($0.address) }
    }

    /// Whether the address belongs to an advertiser, a counter, or to emoji.
    private static func isTracker(_ address: Address) -> Bool {
        let text = address.text
        return trackers.contains { text.includes($0) }
    }

    private static func isAvatar(_ address: Address) -> Bool {
        let text = address.text
        return text.includes("gravatar.com/avatar") || text.includes("/avatar/")
            || text.includes("/avatars/")
    }

    private static let trackers: [StaticString] = [
        "doubleclick.", "adserver", "facebook.com/tr", "scorecardresearch.", "mediaplex.", "atdmt.",
        "google-analytics.", "googletagmanager.", "quantserve.", "//s.w.org/", "/emoji/",
        "stats.wp.com", "pixel.gif",
        "pixel.wp.com", "/captcha", "favicon", "/beacon",
    ]
}
