import Basics
import CPCRE2
import Markup

/// A case-insensitive regular expression that must match a whole text.
///
/// Patterns come from recipes that users share, so their length, nesting and matching cost are limited.
final class Pattern: Sendable {
    /// nonisolated(unsafe): compiled code and limits of the library, which are only read until they are freed.
    private nonisolated(unsafe) let code: OpaquePointer
    private nonisolated(unsafe) let limits: OpaquePointer?

    /// In bytes, more than any address needs.
    private static let maxLength = 1_000
    /// Levels of brackets, more than anyone writes.
    private static let maxDepth: UInt32 = 50
    /// Steps for a tenth of a second: a thousand times what the bundled patterns need.
    private static let maxSteps: UInt32 = 1_000_000
    /// In kilobytes, likewise.
    private static let maxMemory: UInt32 = 8 << 10

    /// Compiles `source`; throws the reason and position of an error.
    init(_ source: String) throws(SyntaxError) {
        let options =
            UInt32(PCRE2_UTF | PCRE2_CASELESS | PCRE2_NEVER_BACKSLASH_C) | PCRE2_ANCHORED
            | PCRE2_ENDANCHORED
        let settings = pcre2_compile_context_create_8(nil)
        defer { pcre2_compile_context_free_8(settings) }
        pcre2_set_max_pattern_length_8(settings, Self.maxLength)
        pcre2_set_parens_nest_limit_8(settings, Self.maxDepth)
        var error: Int32 = 0
        var offset = 0
        let bytes = source.bytes
        guard
            let code = pcre2_compile_8(bytes, bytes.count, options, &error, &offset, settings)
        else {
            let before = String(utf8: bytes.prefix(offset))
            throw SyntaxError(reason: Self.reason(of: error), position: before.count + 1)
        }
        self.code = code
        limits = pcre2_match_context_create_8(nil)
        pcre2_set_match_limit_8(limits, Self.maxSteps)
        pcre2_set_heap_limit_8(limits, Self.maxMemory)
    }

    deinit {
        pcre2_match_context_free_8(limits)
        pcre2_code_free_8(code)
    }

    /// Returns the last group that took part in the match, or the whole text without one; nil if it does not match or exceeds the limits.
    ///
    /// May be called on any thread.
    func match(_ text: some StringProtocol) -> String? {
        let bytes = text.bytes
        let groups = pcre2_match_data_create_from_pattern_8(code, nil)
        defer { pcre2_match_data_free_8(groups) }
        let count = pcre2_match_8(code, bytes, bytes.count, 0, 0, groups, limits)
        guard count > 0, let places = pcre2_get_ovector_pointer_8(groups) else { return nil }
        let start = places[2 * Int(count) - 2]
        let end = places[2 * Int(count) - 1]
        // `\K` can make a match start after its end.
        return start <= end ? String(utf8: bytes[start..<end]) : nil
    }

    private static func reason(of error: Int32) -> String {
        let text = [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
            count = max(0, Int(pcre2_get_error_message_8(error, buffer.baseAddress, buffer.count)))
        }
        return String(utf8: text)
    }
}
