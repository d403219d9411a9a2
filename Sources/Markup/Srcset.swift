public import Basics

/// A parser for `srcset`: the same picture in several sizes.
public enum Srcset {
    /// One of the sizes; its URL points into the page's bytes.
    public struct Candidate {
        /// The address as written.
        public var url: Bytes
        /// The width in pixels (`640w`).
        public var width: Pixels?
        /// The height in pixels (`480h`).
        public var height: Pixels?
        /// The number of picture pixels per page pixel (`2x`).
        public var density: Double?
    }

    /// Maximum number of candidates; the longest list seen in practice has 30.
    private static let maxCandidates = 200

    /// Calls `body` with each candidate in page order.
    ///
    /// Follows https://html.spec.whatwg.org/#parse-a-srcset-attribute: a URL may contain commas and ends at white space;
    /// a comma that ends it ends the candidate. In a loose list, widths need no unit: `a.jpg 375, b.jpg 480`.
    public static func forEach(
        in bytes: Bytes, areLoose: Bool = false, _ body: (Candidate) -> Void
    ) {
        var count = 0
        var at = 0
        while count < maxCandidates {
            while at < bytes.count, bytes[at].isBlank || bytes[at] == "," { at += 1 }
            guard at < bytes.count else { break }
            let start = at
            while at < bytes.count, !bytes[at].isBlank { at += 1 }
            var end = at
            while end > start, bytes[end - 1] == "," { end -= 1 }
            var candidate = Candidate(url: Bytes(rebasing: bytes[start..<end]))
            if end < at || readDescriptors(of: &candidate, in: bytes, at: &at, areLoose) {
                body(candidate)
                count += 1
            }
        }
    }

    /// Reads the descriptors up to the next comma outside parentheses; false if one is invalid, as the standard then drops the candidate.
    private static func readDescriptors(
        of candidate: inout Candidate, in bytes: Bytes, at: inout Int, _ areLoose: Bool
    ) -> Bool {
        var start = at
        var depth = 0
        var areValid = true
        while true {
            let isEnd = at == bytes.count || bytes[at] == "," && depth == 0
            if isEnd || bytes[at].isBlank {
                let descriptor = Bytes(rebasing: bytes[start..<at])
                if !descriptor.isEmpty, !read(descriptor, areLoose, into: &candidate) {
                    areValid = false
                }
                start = at + 1
            }
            if isEnd { return areValid }
            if bytes[at] == "(" { depth += 1 }
            if bytes[at] == ")" { depth = max(0, depth - 1) }
            at += 1
        }
    }

    private static func read(
        _ descriptor: Bytes, _ areLoose: Bool, into candidate: inout Candidate
    ) -> Bool {
        let unit = descriptor[descriptor.count - 1]
        let isBare = areLoose && unit.isDigit
        let number = isBare ? descriptor : Bytes(rebasing: descriptor.dropLast())
        let pixels = number.pixels
        switch unit {
        case _ where isBare, "w": candidate.width = pixels
        case "h": candidate.height = pixels
        case "x":
            guard let density = Double(String(utf8: number)), density > 0, density < 100 else {
                return false
            }
            candidate.density = density
            return true
        default: return false
        }
        return pixels != nil
    }
}
