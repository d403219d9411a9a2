extension StringProtocol {
    /// How many terminal columns the text takes; control characters count for nothing.
    public var columns: Int {
        unicodeScalars.reduce(0) { $0 + ($1.columns ?? 0) }
    }
}

extension Character {
    /// The sum of the columns of its scalars.
    fileprivate var columns: Int {
        unicodeScalars.reduce(0) { $0 + ($1.columns ?? 0) }
    }
}

/// Where a text that is too long is cut.
public enum TruncationMode: Sendable {
    /// "The end is mis…"
    case tail
    /// "The mid…missing", for names and URLs whose end tells most.
    case middle
}

extension String {
    /// The text in at most `limit` columns; `ellipsis` stands for what was cut out.
    ///
    /// Neither a wide character nor a sequence of combined ones is ever split, so the result may be a column
    /// shorter. If not even the ellipsis has room, as many whole characters as fit stand alone.
    public func truncated(
        to limit: Int, mode: TruncationMode = .tail, ellipsis: String = "…"
    ) -> String {
        guard limit > 0 else { return "" }
        // Each scalar takes at most two columns: a short text needs no counting.
        guard utf8.count > limit, columns > limit else { return self }
        let room = limit - ellipsis.columns
        guard room > 0 else { return String(head(limit)) }
        switch mode {
        case .tail: return head(room) + ellipsis
        case .middle:
            let front = head(room - room / 2)
            let back = reversedHead(room - front.columns)
            return front + ellipsis + back
        }
    }

    /// The text in exactly `width` columns: cut at the end, or filled up with spaces.
    public func padded(to width: Int) -> String {
        let text = truncated(to: width)
        return text + String(repeating: " ", count: max(0, width - text.columns))
    }

    private func head(_ limit: Int) -> Substring {
        var used = 0
        var end = startIndex
        while end < endIndex {
            used += self[end].columns
            guard used <= limit else { break }
            formIndex(after: &end)
        }
        return self[..<end]
    }

    private func reversedHead(_ limit: Int) -> Substring {
        var used = 0
        var start = endIndex
        while start > startIndex {
            let before = index(before: start)
            used += self[before].columns
            guard used <= limit else { break }
            start = before
        }
        return self[start...]
    }
}
