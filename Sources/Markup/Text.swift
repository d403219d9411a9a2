import Basics

/// Text of a page made fit to be shown: one line, valid, without control characters.
public enum Text {
    /// White space collapsed to single blanks and trimmed; what has no place in a line removed.
    public static func line(_ text: some StringProtocol) -> String {
        let line = text.utf8.withContiguousStorageIfAvailable { String(plainLine: $0) }
        return line.flatMap(\.self) ?? cleaned(text.unicodeScalars)
    }

    /// The same of bytes; what is not valid UTF-8 becomes U+FFFD.
    public static func line(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(plainLine: bytes) ?? cleaned(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    }

    private static func cleaned(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        String(oneLine: scalars.lazy.map(Windows1252.meant), limit: .max)
    }
}

extension Node {
    /// The text in it as one line; what scripts, styles and `<noscript>` hold is left out.
    public var textContent: String {
        withExtendedLifetime(tree) {
            if isText { return Text.line(tree.text(of: index)) }
            // Most elements hold nothing, or one run of text.
            if tree.textLength(of: index) == 0 { return "" }
            if Int(tree.nodes[index].end) == index + 2 {
                let text = tree.text(of: index + 1)
                return Text.line(text.part(0, min(text.count, Limits.textContentBytes)))
            }
            return collect(limit: Limits.textContentBytes, hidden: false)
                .withUnsafeBufferPointer { Text.line($0) }
        }
    }

    /// The text in it as one line if it has at most `limit` bytes, white space included; nil if it is longer.
    public func shortText(limit: Int) -> String? {
        isText || tree.textLength(of: index) <= limit ? textContent : nil
    }

    /// The text in it as written, for scripts and for lists whose white space means something; at most `limit` bytes.
    public func text(limit: Int) -> String {
        withExtendedLifetime(tree) {
            isText
                ? String(decoding: tree.text(of: index).prefix(limit), as: UTF8.self)
                : String(decoding: collect(limit: limit, hidden: true), as: UTF8.self)
        }
    }

    private func collect(limit: Int, hidden: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(limit, tree.textLength(of: index) + 16))
        var at = index + 1
        let end = Int(tree.nodes[index].end)
        while at < end, bytes.count < limit {
            let record = tree.nodes[at]
            if record.name == Name.text.id {
                bytes.append(contentsOf: tree.text(of: at).prefix(limit - bytes.count))
            } else if !hidden, Text.isUnseen(record.name) {
                at = Int(record.end)
                continue
            } else if Text.blocks.contains(Name(id: record.name)) {
                bytes.append(0x20)
            }
            at += 1
        }
        return bytes
    }
}

extension Text {
    fileprivate static func isUnseen(_ name: UInt16) -> Bool {
        name == Name.script.id || name == Name.style.id || name == Name.noscript.id
            || name == Name.template.id
    }

    /// Elements that stand on lines of their own, so that words before and after them do not run together.
    fileprivate static let blocks = NameSet([
        "br", "p", "div", "li", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6",
        "figcaption",
    ])
}
