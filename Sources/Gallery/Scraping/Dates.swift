import Basics
import Markup

/// Parses dates into ISO 8601; by hand, since `strptime` depends on the locale's month names and knows no time zones.
enum Dates {
    /// Returns the date that an item specifies in `data-date` or `<time>`.
    static func date(of candidate: Candidate, in pageIndex: PageIndex) -> String? {
        let view = pageIndex.view
        for node in [candidate.item, candidate.node] {
            if let value = view.attribute(.dataDate, of: node), let date = iso(value) {
                return date
            }
        }
        let time = view.descendants(of: candidate.item).first { view.name(of: $0) == .time }
        guard let time else { return nil }
        return view.attribute(.datetime, of: time).flatMap { iso($0) }
            ?? iso(pageIndex.document.node(time).textContent)
    }

    private static func iso(_ value: UnsafeBufferPointer<UInt8>) -> String? {
        value.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            ? iso(Array(value)) : iso(String(decoding: value, as: UTF8.self))
    }

    /// Converts `20181126`, `2018-11-26`, `2018-11-26T10:00[:00][Z]` or `26-Nov-2018 10:00` (nginx) to ISO 8601; nil for anything else.
    static func iso(_ text: String) -> String? { iso(Array(Text.line(text).utf8)) }

    private static func iso(_ bytes: [UInt8]) -> String? {
        if bytes.count == 8 { return date(bytes[0..<4], bytes[4..<6], bytes[6..<8]) }
        guard bytes.count >= 10 else { return nil }
        if bytes[4] == dash, bytes[7] == dash {
            return date(bytes[0..<4], bytes[5..<7], bytes[8..<10]).map { $0 + time(bytes[10...]) }
        }
        guard bytes.count >= 11, bytes[2] == dash, bytes[6] == dash,
            let month = months.firstIndex(
                of: String(decoding: bytes[3..<6], as: UTF8.self).lowercased())
        else { return nil }
        let digits = Array((month < 9 ? "0\(month + 1)" : "\(month + 1)").utf8)
        return date(bytes[7..<11], digits[...], bytes[0..<2]).map { $0 + time(bytes[11...]) }
    }

    /// Converts `Mon, 26 Nov 2018 10:00:00 GMT` (RFC 5322) to ISO 8601; the time zone is kept if it is numeric or UTC.
    static func isoOfMail(_ text: String) -> String? {
        let words = text.split { $0 == " " || $0 == "," }.drop { Int(bounded: $0) == nil }
        guard words.count >= 3, let day = words.first, let year = words.dropFirst(2).first else {
            return nil
        }
        let month = words.dropFirst().first.map { $0.prefix(3) } ?? ""
        let date = iso((day.count == 1 ? "0" : "") + day + "-" + month + "-" + year)
        guard let date, let time = words.dropFirst(3).first, time.count >= 5 else { return date }
        let zone = words.dropFirst(4).first.map(String.init) ?? ""
        let isUTC = ["GMT", "UT", "UTC", "Z", "+0000", "-0000"].contains(zone)
        let isNumber = zone.count == 5 && Int(bounded: zone.dropFirst()) != nil
        return date + "T" + time
            + (isUTC ? "Z" : isNumber ? zone.prefix(3) + ":" + zone.suffix(2) : "")
    }

    /// Whether a text is only a day: `Feb 16, 23`, `Mon 3 March`.
    static func isDay(_ text: String) -> Bool {
        let words = text.split { !$0.isLetter }
        return !words.isEmpty && text.contains(where: \.isNumber)
            && words.allSatisfy { word in
                let word = word.lowercased()
                return word.count >= 3 && dayNames.contains { $0.hasPrefix(word) }
            }
    }

    private static let dayNames = wordList(
        """
        january february march april may june july august september october november december
        monday tuesday wednesday thursday friday saturday sunday
        """)
    static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static let dash = UInt8(ascii: "-")

    private static func date(
        _ year: ArraySlice<UInt8>, _ month: ArraySlice<UInt8>, _ day: ArraySlice<UInt8>
    ) -> String? {
        func isNumber(_ digits: ArraySlice<UInt8>, _ range: ClosedRange<Int>) -> Bool {
            digits.withUnsafeBufferPointer { $0.plainNumber }.map(range.contains) ?? false
        }
        guard isNumber(year, 0...9_999), isNumber(month, 1...12), isNumber(day, 1...31) else {
            return nil
        }
        var date: [UInt8] = []
        date.reserveCapacity(10)
        date += year
        date.append(dash)
        date += month
        date.append(dash)
        date += day
        return String(decoding: date, as: UTF8.self)
    }

    /// Returns `T10:00`, with seconds and time zone if present.
    private static func time(_ rest: ArraySlice<UInt8>) -> String {
        let rest = rest.drop { $0 == 0x20 || $0 == UInt8(ascii: "T") }
        let time = rest.prefix { $0.isDigit || ":.Z+-".utf8.contains($0) }
        guard time.count >= 5, time[time.startIndex + 2] == UInt8(ascii: ":") else { return "" }
        return "T" + String(decoding: time.prefix(32), as: UTF8.self)
    }
}
