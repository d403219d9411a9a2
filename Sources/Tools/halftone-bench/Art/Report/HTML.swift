/// Text as HTML takes it.
func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "<": result += "&lt;"
        case "&": result += "&amp;"
        case "\"": result += "&quot;"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// An element around `content`, which is HTML already.
func element(_ name: String, class style: String? = nil, _ content: String) -> String {
    let attribute = style.map { " class=\"\($0)\"" } ?? ""
    return "<\(name)\(attribute)>\(content)</\(name)>"
}
