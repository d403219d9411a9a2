/// Finds the encoding that a page claims for itself in `<meta charset>`, `<meta http-equiv content>` or `<?xml encoding?>`.
enum MetaCharset {
    /// Browsers look at the first 1,024 bytes; pages with scripts before it are common enough to look further.
    private static let searched = 8 << 10

    /// The encoding claimed; UTF-16 counts as UTF-8, since the claim was readable as ASCII.
    static func find(in bytes: [UInt8]) -> Encoding? {
        let head = bytes.prefix(searched).map(\.lowered)
        if head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">")),
            let label = label("encoding", in: head[..<end]),
            let encoding = EncodingLabel.encoding(named: label)
        {
            return encoding.name.hasPrefix("utf-16") ? .utf8 : encoding
        }
        var at = 0
        while let tag = index(of: "<meta", in: head, from: at) {
            let end = head[tag...].firstIndex(of: UInt8(ascii: ">")) ?? head.count
            if let label = label("charset", in: head[tag..<end]),
                let encoding = EncodingLabel.encoding(named: label)
            {
                return encoding.name.hasPrefix("utf-16") ? .utf8 : encoding
            }
            at = end
        }
        return nil
    }

    private static func label(_ word: StaticString, in tag: ArraySlice<UInt8>) -> String? {
        let tag = Array(tag)
        guard var at = index(of: word, in: tag, from: 0) else { return nil }
        at += word.utf8CodeUnitCount
        while at < tag.count, tag[at].isBlank { at += 1 }
        guard at < tag.count, tag[at] == UInt8(ascii: "=") else { return nil }
        at += 1
        while at < tag.count, tag[at].isBlank || tag[at] == 0x22 || tag[at] == 0x27 { at += 1 }
        let label = tag[at...].prefix { !$0.isBlank && $0 != 0x22 && $0 != 0x27 && $0 != 0x3B }
        return String(decoding: label, as: UTF8.self)
    }

    private static func index(of word: StaticString, in text: [UInt8], from start: Int) -> Int? {
        let count = word.utf8CodeUnitCount
        guard text.count - start >= count else { return nil }
        return (start...text.count - count).first { at in
            (0..<count).allSatisfy { text[at + $0] == word.utf8Start[$0] }
        }
    }
}
