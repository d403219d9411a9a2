extension String {
    /// The text as it is written in XML and HTML, also in attributes between apostrophes.
    var escapedForMarkup: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case "'": escaped += "&#39;"
            case _ where scalar.value < 0x20 || scalar.value & 0xFFFE == 0xFFFE: escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
