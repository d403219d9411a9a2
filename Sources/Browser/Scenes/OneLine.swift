/// Text from outside, made fit for one line of a terminal.
enum OneLine {
    /// `text` with every control character and line break as a space.
    ///
    /// Reasons and arguments may hold what titles were already freed of.
    static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnfit) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(isUnfit(scalar) ? " " : scalar)
        }
        return String(scalars)
    }

    private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
