/// The text of `--help`, generated from the option table.
enum HelpText {
    /// The program's version.
    static let version = "halftone 0.1.0"

    /// The help, at most 100 columns wide.
    static var text: String {
        var lines = [
            "Usage: halftone [OPTION]... [SOURCE]...",
            "Browse the pictures of web galleries, folders and saved pages in the terminal.",
            "",
            "SOURCE is the address of a gallery page, directory listing, feed or picture, a folder, an .html",
            "or picture file, or - for a list on standard input; without one, the gallery that ships",
            "with the program opens. Each SOURCE is a section that loads by itself.",
        ]
        for group in OptionSpec.Group.allCases {
            lines += ["", group.rawValue + ":"]
            lines += OptionSpec.all.filter { $0.group == group }.map(line)
        }
        lines += [
            "",
            "Inside, F1 or ? shows every key. Exit codes: 0 all well; 1 no section could be loaded, or a",
            "file could not be written; 2 wrong usage; 130 interrupted; 143 terminated.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ spec: OptionSpec) -> String {
        let name = "  --" + spec.name + (spec.placeholder.map { " " + $0 } ?? "")
        let padding = String(repeating: " ", count: max(2, 26 - name.count))
        return name + padding + spec.help
    }
}
