import Basics

/// Readers of option values; each throws a reason that completes "--option: ".
extension OptionSpec {
    /// A whole number within `range`.
    static func number(_ text: String, in range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                subject: quoted(text),
                reason: "is no whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// One of the words of an enumeration.
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String, also more: [String] = []
    ) throws(UsageError) -> Choice {
        guard let choice = Choice(rawValue: text) else {
            let words = more + Choice.allCases.map(\.rawValue)
            throw UsageError(
                subject: quoted(text), reason: "is none of \(words.joined(separator: ", "))")
        }
        return choice
    }

    /// A header as `Name: value`.
    static func header(_ text: String) throws(UsageError) -> (name: String, value: String) {
        try requireHeaderSafe(text)
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let isToken: (Character) -> Bool = { $0.isASCII && !$0.isWhitespace }
        guard parts.count == 2, !parts[0].isEmpty, parts[0].allSatisfy(isToken) else {
            throw UsageError(subject: quoted(text), reason: "is not of the form 'Name: value'")
        }
        return (String(parts[0]), String(parts[1].drop(while: \.isWhitespace)))
    }

    /// Refuses line ends and other control characters, which would forge further headers.
    static func requireHeaderSafe(_ text: String) throws(UsageError) {
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw UsageError(subject: "value", reason: "holds control characters")
        }
    }

    /// `text` between quotes, without anything that could disturb a terminal.
    static func quoted(_ text: String) -> String { "'\(text.oneLine())'" }
}
