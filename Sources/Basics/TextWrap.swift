/// Wraps texts into lines.
public enum TextWrap {
    /// Returns `text` in at most `limit` lines of at most `width` columns, broken at spaces where possible.
    public static func lines(_ text: String, width: Int, limit: Int) -> [String] {
        guard width > 0, limit > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let candidate = line.isEmpty ? String(word) : "\(line) \(word)"
            if candidate.columns <= width {
                line = candidate
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = String(word)
            // Words such as addresses may be longer than a line.
            while line.columns > width, lines.count < limit {
                let head = line.truncated(to: width, ellipsis: "")
                guard !head.isEmpty else { break }
                lines.append(head)
                line = String(line.dropFirst(head.count))
            }
        }
        if !line.isEmpty { lines.append(line) }
        guard lines.count > limit else { return lines }
        let rest = lines[(limit - 1)...].joined(separator: " ")
        return lines[..<(limit - 1)] + [rest.truncated(to: width)]
    }
}
