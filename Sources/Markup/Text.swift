public import Basics

/// Prepares text of a page for display: one line, valid, without control characters.
public enum Text {
    /// Returns the text with white space collapsed and trimmed, and characters that are unfit for a line removed.
    public static func line(_ text: some StringProtocol) -> String {
        text.utf8.withContiguousStorageIfAvailable { String(plainLine: $0) }.flatMap(\.self)
            ?? cleaned(text.unicodeScalars)
    }

    /// Returns one line decoded from bytes; invalid UTF-8 becomes U+FFFD.
    public static func line(_ bytes: Bytes) -> String {
        String(plainLine: bytes) ?? cleaned(String(utf8: bytes).unicodeScalars)
    }

    private static func cleaned(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        String(oneLine: scalars.lazy.map(Windows1252.meant), limit: .max)
    }
}

extension Node {
    /// The text in the node as one line, without the contents of scripts, styles, `<noscript>` and templates.
    public var textContent: String {
        withExtendedLifetime(tree) {
            if isText { return Text.line(tree.text(of: number)) }
            // Most elements contain nothing, or a single run of text.
            if tree.textLength(of: number) == 0 { return "" }
            if end == number + 2 {
                let text = tree.text(of: number + 1)
                return Text.line(Bytes(rebasing: text.prefix(Limits.textContentBytes)))
            }
            return collect(limit: Limits.textContentBytes, hidden: false)
                .withUnsafeBufferPointer(Text.line)
        }
    }

    /// Returns the text in the node as one line; nil if it has more than `limit` bytes, including white space.
    public func shortText(limit: Int) -> String? {
        isText || tree.textLength(of: number) <= limit ? textContent : nil
    }

    /// Returns the text in the node as written, at most `limit` bytes, for scripts and for lists with significant white space.
    public func text(limit: Int) -> String {
        withExtendedLifetime(tree) {
            isText
                ? String(utf8: tree.text(of: number).prefix(limit))
                : String(utf8: collect(limit: limit, hidden: true))
        }
    }

    /// The name without a prefix, for which XML has several.
    public var localName: String {
        let (name, rest) = tagName.halves(at: ":")
        return rest ?? name
    }

    /// Returns what is in the node as HTML, up to the first element beyond `limit` bytes: XHTML in a feed.
    public func markup(limit: Int) -> String {
        var markup = ""
        var open: [Node] = []
        for node in descendants where markup.utf8.count < limit {
            while let last = open.last, !last.contains(node) {
                markup += "</\(open.removeLast().localName)>"
            }
            guard !node.isText else {
                markup += node.text(limit: limit).escapedForMarkup
                continue
            }
            markup += "<\(node.localName)"
            node.forEachAttribute { markup += " \($0)='\($1.escapedForMarkup)'" }
            markup += ">"
            open.append(node)
        }
        return markup
    }

    private func collect(limit: Int, hidden: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(limit, tree.textLength(of: number) + 16))
        var at = number + 1
        let end = end
        while at < end, bytes.count < limit {
            let record = tree.nodes[at]
            if record.name == Name.text.id {
                bytes.append(contentsOf: tree.text(of: at).prefix(limit - bytes.count))
            } else if !hidden, Text.unseen.contains(Name(record.name)) {
                at = Int(record.end)
                continue
            } else if Text.blocks.contains(Name(record.name)) {
                bytes.append(0x20)
            }
            at += 1
        }
        return bytes
    }
}

extension Text {
    fileprivate static let unseen = NameSet("script style noscript template")

    /// Elements that start a new line, so that the words before and after them do not run together.
    fileprivate static let blocks = NameSet("br p div li tr td th h1 h2 h3 h4 h5 h6 figcaption")
}
