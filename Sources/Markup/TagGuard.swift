import Basics

/// Finds tags that would cost libxml2 quadratic time (one with 60,000 attributes takes it four seconds) or make it end the page early.
///
/// A single forward pass over the page. Tags are scanned the way libxml2 does it: quotes count only after `=`, and the contents of
/// comments, scripts and styles are not tags.
struct TagGuard {
    private let page: Bytes
    private var at = 0
    private var kept: [Range<Int>] = []
    /// The end of the last range that was dropped.
    private var endOfDropped = 0
    private var hasStarted = false

    /// Returns the ranges of the page without such tags, in order.
    static func rangesToKeep(of page: Bytes) -> [Range<Int>] {
        var scan = TagGuard(page: page)
        scan.run()
        return scan.kept + [scan.endOfDropped..<page.count]
    }

    private mutating func run() {
        while at < page.count {
            at = place(of: "<")
            let start = at
            at += 1
            guard at < page.count else { return }
            if page[at].isLetter {
                hasStarted = true
                tag(from: start)
            } else if page[at] == "/" {
                let isNamed = at + 1 < page.count && page[at + 1].isLetter
                // libxml2 takes an end tag before the first start tag for the end of the page.
                other(from: start, isKept: isNamed && hasStarted)
            } else if follows("!--") {
                at += 3
                skip(past: "-->")
            } else if page[at] == "!" || page[at] == "?" {
                other(from: start, isKept: follows("!doctype"))
            }
        }
    }

    /// Drops what has been passed since `start`.
    private mutating func drop(from start: Int) {
        kept.append(endOfDropped..<start)
        endOfDropped = at
    }

    private func place(of byte: UInt8) -> Int { page.firstIndex(of: byte, from: at) ?? page.count }

    /// Handles an end tag or a bogus comment: up to the next `>`, which libxml2 would otherwise search for again at each `<` before it.
    private mutating func other(from start: Int, isKept: Bool) {
        at = min(place(of: ">") + 1, page.count)
        if !isKept || at - start > Limits.bytesOfTag { drop(from: start) }
    }

    private mutating func tag(from start: Int) {
        // The end tag of an element whose content is not markup.
        let rawText: StaticString? =
            follows("script", thenNoName: true)
            ? "</script" : follows("style", thenNoName: true) ? "</style" : nil
        // Local copies, as this loop visits most bytes of a page.
        let page = page
        var at = at
        var attributes = 0
        var quoted = 0
        while at < page.count, page[at] != ">" {
            if page[at] == "=" {
                let value = TagGuard.endOfBlanks(page, from: at + 1)
                at = TagGuard.endOfQuoted(page, from: value)
                quoted += at - value
            } else if page[at].isBlank || page[at] == "/" {
                attributes += 1
                at = TagGuard.endOfBlanks(page, from: at)
                at += (at < page.count && page[at] == "/") ? 1 : 0
            } else {
                at += 1
                while at < page.count, !TagGuard.ends(page[at]) { at += 1 }
            }
        }
        at = min(at + 1, page.count)
        self.at = at
        if attributes > Limits.attributesOfTag || at - start - quoted > Limits.bytesOfTag {
            drop(from: start)
        } else if let rawText {
            skip(past: rawText)
        }
    }

    /// Whether the byte is significant outside quoted values of a tag: blanks, `/`, `=` and `>`.
    private static func ends(_ byte: UInt8) -> Bool {
        byte.isBlank || byte == "/" || byte == "=" || byte == ">"
    }

    private static func endOfBlanks(_ page: Bytes, from start: Int) -> Int {
        var at = start
        while at < page.count, page[at].isBlank { at += 1 }
        return at
    }

    /// Returns the index after the quoted value that starts at `start`; `start` itself if there is none.
    private static func endOfQuoted(_ page: Bytes, from start: Int) -> Int {
        guard start < page.count else { return start }
        let quote = page[start]
        guard quote == "\"" || quote == "'" else { return start }
        return page.firstIndex(of: quote, from: start + 1).map { $0 + 1 } ?? page.count
    }

    private mutating func skip(past end: StaticString) {
        while at < page.count, !follows(end) {
            at += 1
            at = place(of: end.utf8Start[0])
        }
    }

    private func follows(_ text: StaticString, thenNoName: Bool = false) -> Bool {
        let count = text.utf8CodeUnitCount
        guard at + count <= page.count else { return false }
        for index in 0..<count where page[at + index].lowered != text.utf8Start[index] {
            return false
        }
        return !thenNoName || at + count == page.count || !page[at + count].isLetter
    }
}
