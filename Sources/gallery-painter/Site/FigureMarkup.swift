/// One picture in a page.
struct FigureMarkup {
    var plate: Plate

    /// The figure, line by line.
    var lines: [String] {
        let title = Self.escaped(plate.title)
        return [
            "    <figure class=\"grid-item image-item\" data-title=\"\(title)\" "
                + "data-date=\"\(plate.date.filter { $0 != "-" })\" "
                + "data-orientation=\"\(plate.isUpright ? "vertical" : "horizontal")\">",
            "      <a class=\"item-link\" href=\"\(plate.path(full))\">\(image)</a>",
            "      <figcaption>\(title)</figcaption>",
            "      <time datetime=\"\(plate.date)\">\(Self.spoken(plate.date))</time>",
            "    </figure>",
        ]
    }

    private var full: Int { plate.widths[plate.widths.count - 1] }

    private var image: String {
        let rungs = plate.widths.map { "\(plate.path($0)) \($0)w" }.joined(separator: ", ")
        return "<img class=\"lazy\" src=\"assets/placeholder.gif\" "
            + "data-src=\"\(plate.path(plate.widths[1]))\" data-srcset=\"\(rungs)\" "
            + "sizes=\"(min-width: 60em) 25vw, 50vw\" width=\"\(full)\" "
            + "height=\"\(plate.height(full))\" alt=\"\(Self.escaped(plate.caption))\">"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }

    /// `2019-04-13` as `13 April 2019`.
    private static func spoken(_ date: String) -> String {
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September",
            "October", "November", "December",
        ]
        let parts = date.split(separator: "-").compactMap { Int($0) }
        return "\(parts[2]) \(months[parts[1] - 1]) \(parts[0])"
    }
}
