extension String {
    /// The text as one harmless line, at most `limit` scalars long.
    ///
    /// C0, C1, DEL and bidirectional controls are dropped; every run of white space, line breaks among it, becomes one
    /// space, none at the ends. Text from pages, file names and servers passes here before it is shown or
    /// printed: an escape sequence in a title must not reach the terminal.
    public func sanitized(limit: Int = 4096) -> String {
        var result = String.UnicodeScalarView()
        var count = 0
        var hasGap = false
        for scalar in unicodeScalars {
            if scalar.properties.isWhitespace {
                hasGap = count > 0
                continue
            }
            guard !scalar.isUnsafe else { continue }
            guard count + (hasGap ? 2 : 1) <= limit else { break }
            if hasGap {
                result.append(" ")
                count += 1
                hasGap = false
            }
            result.append(scalar)
            count += 1
        }
        return String(result)
    }
}
