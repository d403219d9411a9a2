import Basics
import Gallery
import Glibc
import Network

/// Dates and addresses formatted for this user.
struct LocalTexts {
    /// The user's home folder, abbreviated to `~` in paths; empty if unknown.
    let home: String
    private let locale: locale_t?

    /// Creates the formatter; `locale` is a C library locale name, or empty for the environment's.
    init(home: String, locale: String = "") {
        self.home = home == "/" ? "" : home
        let found = newlocale(1 << LC_TIME, locale, nil)
        // The C locale's month-first format is ambiguous: ISO 8601 takes its place.
        let form = found.flatMap { nl_langinfo_l(nl_item(D_FMT), $0) }.map { String(cString: $0) }
        self.locale = form == "%m/%d/%y" ? nil : found
    }

    /// Returns a local path as a user would type it, and any other address unchanged.
    func text(_ address: Address) -> String {
        guard let path = address.filePath?.oneLine() else { return address.text }
        return address.isPipedIn ? address.fileTitle : shortened(path)
    }

    /// Returns a path with `~` for the home folder.
    func shortened(_ path: String) -> String {
        let isOwn = !home.isEmpty && "\(path)/".hasPrefix("\(home)/")
        return isOwn ? "~\(path.dropFirst(home.count))" : path
    }

    /// Returns a typed path with the home folder for `~`.
    func expanded(_ path: String) -> String { path.expanded(home: home) }

    /// Returns the day of an ISO 8601 date in the locale's short format and local time; any other text unchanged.
    func day(_ iso: String) -> String {
        let numbers = iso.split { !$0.isNumber }.prefix(6).map {
            Int32(clamping: Int(bounded: $0) ?? 0)
        }
        guard iso.utf8.count >= 10, numbers.count >= 3, numbers[0] >= 1000 else { return iso }
        var parts = tm()
        parts.tm_year = numbers[0] - 1900
        parts.tm_mon = numbers[1] - 1
        parts.tm_mday = numbers[2]
        if let offset = Self.offset(iso), numbers.count >= 5 {
            parts.tm_hour = numbers[3]
            parts.tm_min = numbers[4]
            var time = timegm(&parts) - offset
            localtime_r(&time, &parts)
        }
        var text = [CChar](repeating: 0, count: 64)
        let length =
            if let locale {
                strftime_l(&text, text.count, "%x", &parts, locale)
            } else {
                strftime(&text, text.count, "%Y-%m-%d", &parts)
            }
        return String(utf8: text[..<length].lazy.map(UInt8.init(bitPattern:)))
            .oneLine()
    }

    /// Returns the date's offset from UTC in seconds; nil if it has none.
    private static func offset(_ iso: String) -> Int? {
        if iso.hasSuffix("Z") { return 0 }
        let zone = iso.suffix(6)
        guard iso.utf8.count > 16, let sign = zone.first, sign == "+" || sign == "-" else {
            return nil
        }
        let parts = zone.dropFirst().split(separator: ":").compactMap { Int($0) }
        guard parts.count == 2 else { return nil }
        return (parts[0] * 3600 + parts[1] * 60) * (sign == "-" ? -1 : 1)
    }
}
