import Glibc

/// A UTF-8 locale; nil, meaning the process's own locale, if none is installed.
///
/// nonisolated(unsafe): never changed or freed.
private nonisolated(unsafe) let unicodeLocale: locale_t? = {
    for name in ["C.UTF-8", "C.utf8", "en_US.UTF-8"] {
        if let locale = newlocale(1 << LC_CTYPE, name, nil) { return locale }
    }
    return nil
}()

/// Returns the result of `body`, run with a UTF-8 locale on this thread, for C libraries that depend on the process's locale.
public func inUnicodeLocale<Answer, Failure>(
    _ body: () throws(Failure) -> Answer
) throws(Failure) -> Answer {
    let before = uselocale(unicodeLocale)
    defer { uselocale(before) }
    return try body()
}

extension String {
    /// The text in ASCII, as transliterated by the C library: accents are dropped, and `?` replaces characters without an equivalent,
    /// except for arrow keys.
    public var ascii: String {
        utf8.allSatisfy { $0 < 0x80 } ? self : inUnicodeLocale(transliterated)
    }

    private func transliterated() -> String {
        let converter = iconv_open("ASCII//TRANSLIT", "UTF-8")
        guard converter != iconv_t(bitPattern: -1) else {
            return map { $0.isASCII ? "\($0)" : "?" }.joined()
        }
        defer { iconv_close(converter) }
        let text = replacing("↑", with: "Up").replacing("↓", with: "Down")
        var source = text.utf8CString
        // A character becomes at most four, as in "(C)".
        var target = [CChar](repeating: 0, count: 4 * source.count)
        var left = source.count
        var room = target.count
        source.withUnsafeMutableBufferPointer { source in
            target.withUnsafeMutableBufferPointer { target in
                var from = source.baseAddress
                var to = target.baseAddress
                iconv(converter, &from, &left, &to, &room)
            }
        }
        return String(systemName: target)
    }
}
