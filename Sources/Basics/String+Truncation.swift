/// Where to cut text that is too long.
public enum TruncationMode: Sendable {
    /// "The end is mis…"
    case tail
    /// "The mid…missing", for names and URLs, whose end is the most informative part.
    case middle
}

extension String {
    /// Returns the text cut to at most `limit` columns, with `ellipsis` in place of the part removed.
    ///
    /// Grapheme clusters are never split, so the result may be shorter. If not even the ellipsis fits, the result is as many whole clusters
    /// as fit.
    public func truncated(
        to limit: Int, mode: TruncationMode = .tail, ellipsis: String = "…"
    ) -> String {
        guard limit > 0 else { return "" }
        // A scalar that takes two columns has at least two bytes in UTF-8, so a short text need not be measured.
        guard utf8.count > limit, columns > limit else { return self }
        let room = limit - ellipsis.columns
        guard room > 0 else { return String(head(limit)) }
        switch mode {
        case .tail: return head(room) + ellipsis
        case .middle:
            let front = head(room - room / 2)
            return front + ellipsis + tail(room - front.columns)
        }
    }

    /// Returns the text in exactly `width` columns: cut at the end, or padded with spaces.
    public func padded(to width: Int) -> String {
        let text = truncated(to: width)
        return text + String(repeating: " ", count: max(0, width - text.columns))
    }

    private func head(_ limit: Int) -> Substring {
        var used = 0
        return prefix { character in
            used += String(character).columns
            return used <= limit
        }
    }

    private func tail(_ limit: Int) -> Substring {
        var used = 0
        let fitting = reversed().prefix { character in
            used += String(character).columns
            return used <= limit
        }
        return suffix(fitting.count)
    }
}
