/// A moment as calendar date and time of day in UTC.
struct CalendarDate {
    private let days: Int
    private let seconds: Int

    init(secondsSince1970 seconds: Int) {
        // Files may claim any time; within ±9999 years the arithmetic below holds.
        let bounded = min(max(seconds, -62_135_596_800), 253_402_300_799)
        days = bounded >= 0 ? bounded / 86_400 : (bounded - 86_399) / 86_400
        self.seconds = bounded - days * 86_400
    }

    /// `2018-11-26T10:00:00Z`.
    var iso: String {
        let (year, month, day) = civil
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
        return
            "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(time.joined(separator: ":"))Z"
    }

    /// From days since 1970 to the Gregorian calendar, counting years from March
    /// (http://howardhinnant.github.io/date_algorithms.html#civil_from_days).
    private var civil: (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
