public import Basics

/// A `srcset`: the same picture in several sizes.
public enum Srcset {
    /// One of the sizes, on the bytes of a page.
    public struct Candidate {
        /// The address as written.
        public var url: UnsafeBufferPointer<UInt8>
        /// The width in pixels (`640w`).
        public var width: Pixels?
        /// The height in pixels (`480h`).
        public var height: Pixels?
        /// Pixels of the picture for one of the page (`2x`).
        public var density: Double?
    }

    /// Sizes that are read of one list; the longest seen in the wild has 30.
    private static let maxCandidates = 200

    /// Calls `body` with each size in page order, as https://html.spec.whatwg.org/#parse-a-srcset-attribute has it: an address may
    /// hold commas, and ends at white space; a comma that ends it ends the candidate.
    public static func forEach(in bytes: UnsafeBufferPointer<UInt8>, _ body: (Candidate) -> Void) {
        var count = 0
        var at = 0
        while count < maxCandidates {
            while at < bytes.count, bytes[at].isBlank || bytes[at] == comma { at += 1 }
            guard at < bytes.count else { break }
            let start = at
            while at < bytes.count, !bytes[at].isBlank { at += 1 }
            var end = at
            while end > start, bytes[end - 1] == comma { end -= 1 }
            var candidate = Candidate(url: bytes.part(start, end - start))
            if end < at || readDescriptors(of: &candidate, in: bytes, at: &at) {
                body(candidate)
                count += 1
            }
        }
    }

    private static let comma = UInt8(ascii: ",")

    /// Reads the words up to the next comma outside parentheses and leaves `at` behind that comma; false if one is wrong: the standard
    /// drops such a candidate.
    private static func readDescriptors(
        of candidate: inout Candidate, in bytes: UnsafeBufferPointer<UInt8>, at: inout Int
    ) -> Bool {
        var depth = 0
        var isRight = true
        while at < bytes.count, bytes[at] != comma || depth > 0 {
            if bytes[at].isBlank {
                at += 1
                continue
            }
            let start = at
            while at < bytes.count, !bytes[at].isBlank, bytes[at] != comma || depth > 0 {
                if bytes[at] == UInt8(ascii: "(") { depth += 1 }
                if bytes[at] == UInt8(ascii: ")") { depth = max(0, depth - 1) }
                at += 1
            }
            isRight = isRight && read(bytes.part(start, at - start), into: &candidate)
        }
        return isRight
    }

    private static func read(
        _ descriptor: UnsafeBufferPointer<UInt8>, into candidate: inout Candidate
    ) -> Bool {
        let number = descriptor.part(0, descriptor.count - 1)
        switch descriptor[descriptor.count - 1] {
        case UInt8(ascii: "w"):
            candidate.width = number.plainNumber.flatMap { Pixels($0) }
            return candidate.width != nil
        case UInt8(ascii: "h"):
            candidate.height = number.plainNumber.flatMap { Pixels($0) }
            return candidate.height != nil
        case UInt8(ascii: "x"):
            let density =
                number.plainNumber.map(Double.init)
                ?? Double(String(decoding: number, as: UTF8.self))
            guard let density, density > 0, density < 100 else { return false }
            candidate.density = density
            return true
        default: return false
        }
    }
}
