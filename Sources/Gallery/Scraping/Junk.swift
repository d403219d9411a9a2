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

/// How sure it is that a candidate belongs to the gallery (SCRAPING 4.5, after Postlight, Readability and goose3).
struct Score {
    private(set) var total = 0

    init(_ candidate: Candidate, repetitions: Int) {
        markup(candidate)
        names(candidate)
        if !candidate.linksToPicture, !candidate.isExplicit { area(candidate) }
        if repetitions > 2, !candidate.isExplicit, !candidate.linksToPicture { total -= 40 }
    }

    private mutating func markup(_ candidate: Candidate) {
        if candidate.isExplicit { total += 40 }
        if candidate.linksToPicture { total += 30 }
        if candidate.found.count(where: { $0.role == .set }) >= 3 { total += 10 }
        if candidate.surroundings.contains(.figure) { total += 25 }
        if candidate.surroundings.contains(.gallery) { total += 15 }
        if candidate.surroundings.contains(.content) { total += 5 }
        if candidate.kind == .background { total -= 20 }
    }

    private mutating func names(_ candidate: Candidate) {
        guard let found = candidate.found.last else { return }
        let words = AddressWords(found.address)
        if words.contains(.photo) { total += 10 }
        if words.contains(.ornament) { total -= 30 }
        switch AddressHints(found.address).ending {
        case .photo: total += 10
        case .drawing: total -= 5
        default: break
        }
    }

    private mutating func area(_ candidate: Candidate) {
        let largest = candidate.found.max { ($0.width ?? 0) < ($1.width ?? 0) }
        // A width from `srcset` or a file's name is the picture's own; what the page says is only how it shows it.
        let width = largest?.width ?? candidate.shown.width
        let height = largest?.width == nil ? candidate.shown.height : largest?.height
        if let width, let height, width > 0, height > 0 {
            let area = width * height
            if area > 40_000 { total += min(area / 1000, 40) }
            if area < 5_000 { total -= 100 }
            // Banners: goose3's rule.
            if width > 5 * height || height > 5 * width { total -= 40 }
        }
        if [width, height].contains(where: { $0.map { $0 <= 50 } ?? false }) { total -= 50 }
    }
}
