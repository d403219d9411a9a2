/// A `srcset`: the same picture in several sizes.
public enum Srcset {
    /// One of the sizes.
    public struct Candidate: Hashable, Sendable {
        /// The address as written.
        public var url: String
        /// The width in pixels (`640w`).
        public var width: Int?
        /// The height in pixels (`480h`).
        public var height: Int?
        /// Pixels of the picture for one of the page (`2x`).
        public var density: Double?
    }

    /// Sizes that are read of one list; the longest seen in the wild has 30.
    private static let maxCandidates = 200

    /// The sizes in page order, as https://html.spec.whatwg.org/#parse-a-srcset-attribute has it: an address may hold commas, and ends
    /// at white space; a comma that ends it ends the candidate.
    public static func parse(_ text: String) -> [Candidate] {
        let bytes = Array(text.utf8)
        var candidates: [Candidate] = []
        var at = 0
        while candidates.count < maxCandidates {
            while at < bytes.count, bytes[at].isBlank || bytes[at] == comma { at += 1 }
            guard at < bytes.count else { break }
            let start = at
            while at < bytes.count, !bytes[at].isBlank { at += 1 }
            var end = at
            while end > start, bytes[end - 1] == comma { end -= 1 }
            let descriptors = end < at ? [] : descriptors(in: bytes, at: &at)
            let url = String(decoding: bytes[start..<end], as: UTF8.self)
            if let candidate = candidate(url, descriptors) {
                candidates.append(candidate)
            }
        }
        return candidates
    }

    private static let comma = UInt8(ascii: ",")

    /// The words up to the next comma outside parentheses; leaves `at` behind that comma.
    private static func descriptors(in bytes: [UInt8], at: inout Int) -> [Substring] {
        let start = at
        var depth = 0
        while at < bytes.count, bytes[at] != comma || depth > 0 {
            if bytes[at] == UInt8(ascii: "(") { depth += 1 }
            if bytes[at] == UInt8(ascii: ")") { depth = max(0, depth - 1) }
            at += 1
        }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        return text.split { $0.isWhitespace }
    }

    /// Nil if a descriptor is wrong: the standard drops such a candidate.
    private static func candidate(_ url: String, _ descriptors: [Substring]) -> Candidate? {
        var candidate = Candidate(url: url)
        for descriptor in descriptors {
            let number = descriptor.dropLast()
            switch descriptor.last {
            case "w":
                guard let width = Int(number), width > 0 else { return nil }
                candidate.width = width
            case "h":
                guard let height = Int(number), height > 0 else { return nil }
                candidate.height = height
            case "x":
                guard let density = Double(number), density > 0, density < 100 else { return nil }
                candidate.density = density
            default: return nil
            }
        }
        return candidate
    }
}
