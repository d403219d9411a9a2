import CPCRE2
import Markup

/// A regular expression that a text as a whole must match, whatever the case of its letters.
///
/// Patterns come with recipes, which are handed around: their length and nesting is bounded, and so is what a match costs.
final class Pattern: Sendable {
    /// nonisolated(unsafe): the library's compiled code and limits, only read until they are freed.
    private nonisolated(unsafe) let code: OpaquePointer
    private nonisolated(unsafe) let limits: OpaquePointer?

    /// No address takes more to describe, in bytes; and no one reads brackets in brackets that deep.
    private static let (maxLength, maxDepth) = (1_000, UInt32(50))
    /// A tenth of a second's steps, and kilobytes: a thousand times what the patterns that ship need.
    private static let (maxSteps, maxMemory) = (UInt32(1_000_000), UInt32(8 << 10))

    /// Compiles `source`; throws with the reason and where.
    init(_ source: String) throws(SyntaxError) {
        let options =
            UInt32(PCRE2_UTF | PCRE2_CASELESS | PCRE2_NEVER_BACKSLASH_C) | PCRE2_ANCHORED
            | PCRE2_ENDANCHORED
        let settings = pcre2_compile_context_create_8(nil)
        defer { pcre2_compile_context_free_8(settings) }
        pcre2_set_max_pattern_length_8(settings, Self.maxLength)
        pcre2_set_parens_nest_limit_8(settings, Self.maxDepth)
        var (error, offset): (Int32, Int) = (0, 0)
        let bytes = Array(source.utf8)
        guard
            let code = pcre2_compile_8(bytes, bytes.count, options, &error, &offset, settings)
        else {
            let before = String(decoding: bytes.prefix(offset), as: UTF8.self)
            throw SyntaxError(reason: Self.reason(of: error), position: before.count + 1)
        }
        self.code = code
        limits = pcre2_match_context_create_8(nil)
        pcre2_set_match_limit_8(limits, Self.maxSteps)
        pcre2_set_depth_limit_8(limits, Self.maxSteps)
        pcre2_set_heap_limit_8(limits, Self.maxMemory)
    }

    deinit {
        pcre2_match_context_free_8(limits)
        pcre2_code_free_8(code)
    }

    /// What the last group holds that took part in the match, or all of the text where there is none; nil if it does not match, or takes
    /// more than a match may cost.
    ///
    /// Any thread.
    func match(_ text: some StringProtocol) -> String? {
        let bytes = Array(text.utf8)
        let groups = pcre2_match_data_create_from_pattern_8(code, nil)
        defer { pcre2_match_data_free_8(groups) }
        let count = pcre2_match_8(code, bytes, bytes.count, 0, 0, groups, limits)
        guard count > 0, let places = pcre2_get_ovector_pointer_8(groups) else { return nil }
        let (start, end) = (places[2 * Int(count) - 2], places[2 * Int(count) - 1])
        // `\K` can let a match begin behind its end.
        return start <= end ? String(decoding: bytes[start..<end], as: UTF8.self) : nil
    }

    private static func reason(of error: Int32) -> String {
        let text = [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
            count = max(0, Int(pcre2_get_error_message_8(error, buffer.baseAddress, buffer.count)))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
