import Basics
import Markup

/// Parses dates into ISO 8601; by hand, since `strptime` depends on the locale's month names and knows no time zones.
enum Dates {
    /// Converts `20181126`, `2018-11-26`, `2018-11-26T10:00[:00][Z]`, `26-Nov-2018 10:00` (nginx) or `Mon, 26 Nov 2018 10:00:00 GMT`
    /// (RFC 5322) to ISO 8601; nil for anything else.
    ///
    /// The time zone is kept if it is numeric or UTC.
    static func iso(_ text: String) -> String? {
        var bytes = Text.line(text).bytes
        func part(_ range: Range<Int>) -> String { String(utf8: bytes[range]) }
        if bytes.count == 8 { return date(part(0..<4), part(4..<6), part(6..<8)) }
        guard bytes.count >= 10 else { return nil }
        if bytes[4] == "-", bytes[7] == "-" {
            return date(part(0..<4), part(5..<7), part(8..<10)).map { $0 + time(bytes[10...]) }
        }
        if bytes[2] == "-", bytes[6] == "-" {
            bytes[2] = " "
            bytes[6] = " "
        }
        let words = String(utf8: bytes).split { " ,".contains($0) }
            .drop { Int(bounded: $0) == nil }.map(String.init)
        guard words.count >= 3, words[1].count >= 3,
            let month = names.prefix(12).firstIndex(where: {
                $0.hasPrefix(words[1].prefix(3).lowercased())
            }),
            let day = date(
                // RFC 5322, 4.3.
                words[2].count == 2 ? (words[2] < "50" ? "20" : "19") + words[2] : words[2],
                month < 9 ? "0\(month + 1)" : "\(month + 1)",
                words[0].count == 1 ? "0\(words[0])" : words[0])
        else { return nil }
        let hour = words.count > 3 ? time(words[3].bytes[...]) : ""
        guard !hour.isEmpty, words.count > 4 else { return day + hour }
        let zone = words[4].filter { $0 != ":" }
        if wordList("GMT UT UTC Z +0000 -0000").contains(zone) { return "\(day)\(hour)Z" }
        // From four to eight hours behind.
        if let place = wordList("EDT EST CDT CST MDT MST PDT PST").firstIndex(of: zone) {
            return "\(day)\(hour)-0\(4 + (place + 1) / 2):00"
        }
        let isNumber =
            zone.count == 5 && "+-".contains(zone.prefix(1))
            && Int(bounded: zone.dropFirst()) != nil
        return isNumber ? "\(day)\(hour)\(zone.prefix(3)):\(zone.suffix(2))" : day + hour
    }

    /// Whether a text is only a day: `Feb 16, 23`, `Mon 3 March`.
    static func isDay(_ text: String) -> Bool {
        guard text.utf8.count < 30, text.utf8.contains(where: \.isDigit) else { return false }
        let words = text.split { !$0.isLetter }
        return !words.isEmpty
            && words.allSatisfy { word in
                let word = word.lowercased()
                return word.count >= 3 && names.contains { $0.hasPrefix(word) }
            }
    }

    private static let names = wordList(
        """
        january february march april may june july august september october november december
        monday tuesday wednesday thursday friday saturday sunday
        """)

    private static func date(_ year: String, _ month: String, _ day: String) -> String? {
        let isDate = zip([0...9_999, 1...12, 1...31], [year, month, day]).allSatisfy {
            $1.utf8.allSatisfy(\.isDigit) && Int($1).map($0.contains) ?? false
        }
        return isDate ? "\(year)-\(month)-\(day)" : nil
    }

    /// Returns `T10:00`, with seconds and time zone if present.
    private static func time(_ rest: ArraySlice<UInt8>) -> String {
        let rest = rest.drop { $0 == 0x20 || $0 == "T" }
        let time = rest.prefix { $0.isDigit || ":.Z+-".utf8.contains($0) }
        guard time.count >= 5, time[time.startIndex + 2] == ":" else { return "" }
        return "T\(String(utf8: time.prefix(32)))"
    }
}
