import Basics
import Browser

/// The text of `--help`, generated from the option table.
enum HelpText {
    static let version = "halftone 0.1.0"

    /// What `--filter`, `f` and `/` understand, and `!`: for the help and the manual page.
    static let conditions: [(form: String, meaning: String)] = [
        ("WORD", "in title, name or caption; capitals count if it has any"),
        ("A/B", "in the address or path"),
        ("w>=800 h<600", "width, height in pixels: > >= < <= ="),
        ("date>2024-05", "date, compared as far as it is given"),
        (".png", "type of file"),
        ("host:example", "host"),
    ]

    /// The help, wrapped at 80 columns.
    static var text: String {
        var lines =
            ["Usage: halftone [OPTION]... [SOURCE]..."]
            + wrapped(
                "Browse the pictures of web galleries, folders and saved pages in the terminal.")
            + [""]
            + wrapped(
                """
                SOURCE is the address of a gallery page, directory listing, feed or picture, a folder, an \
                .html or picture file, or - for standard input: a list of SOURCEs, or one picture or page. \
                Without one, it is standard input if that is a pipe or file, else the current folder if it \
                has pictures, else the bundled gallery. Each SOURCE is a section that loads independently; \
                consecutive picture files are one section. What a page recommends is shown as a section, too, but \
                never printed.
                """)
        for group in OptionSpec.Group.allCases {
            lines += ["", group.rawValue + ":"]
            for spec in OptionSpec.all where spec.group == group {
                let name = "--" + spec.name + (spec.placeholder.map { " " + $0 } ?? "")
                lines += entry((spec.letter.map { "-\($0), " } ?? "") + name, spec.help)
            }
        }
        lines += ["", "Conditions (--filter, f, /), all of which must hold:"]
        for condition in conditions { lines += entry(condition.form, condition.meaning) }
        lines += [""]
        lines += wrapped(
            """
            Inside, F1 or ? shows every key; ! runs a command on the marked pictures, with {} for their \
            names. Exit codes: 0 success; 1 no section could be loaded, a file could not be written, or \
            nothing was chosen with -o; 2 wrong usage; 130 interrupted; 143 terminated.
            """)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func entry(_ name: String, _ meaning: String) -> [String] {
        let padding = String(repeating: " ", count: 26)
        let texts = wrapped(meaning, width: 80 - padding.count)
        let name = "  " + name
        let first =
            name.count > padding.count - 2
            ? [name, padding + texts[0]] : [name + padding.dropFirst(name.count) + texts[0]]
        return first + texts.dropFirst().map { padding + $0 }
    }

    private static func wrapped(_ text: String, width: Int = 80) -> [String] {
        TextWrap.lines(text, width: width, limit: .max)
    }
}
