import Basics
import Browser

/// The text of `--help`, generated from the option table.
enum HelpText {
    static let version = "halftone 0.1.0"

    /// The help, wrapped at 80 columns.
    static var text: String {
        var lines =
            ["Usage: halftone [OPTION]... [SOURCE]..."]
            + wrapped(
                "Browse the pictures of web galleries, folders and saved pages in the terminal.")
            + [""]
            + wrapped(
                """
                SOURCE is the address of a gallery page, directory listing, feed or picture, a folder (also \
                sftp://, ftp://, ftps://), a folder on another machine that shows its pictures here itself (ssh://[USER@]HOST/~/PATH), an .html or picture file, or - for standard input: a list of SOURCEs, or one picture or page. \
                Without one, it is standard input if that is a pipe or file, else the current folder if it \
                has pictures, else the places where you were, else the bundled gallery. One picture file opens \
                with its folder around it, several are one section. Each SOURCE is a section that loads \
                independently. What a page recommends is shown as a section, too, but \
                never printed.
                """)
        for group in OptionSpec.Group.allCases {
            lines += ["", "\(group.rawValue):"]
            for spec in OptionSpec.all where spec.group == group {
                let words = nonNil(
                    spec.letter.map { "-\($0)," }, "--\(spec.name)", spec.placeholder)
                lines += entry(words.joined(separator: " "), spec.help)
            }
        }
        lines += ["", "Conditions (--filter, f, /), all of which must hold:"]
        for note in KeyMap.notes where note.group == KeyMap.conditions {
            lines += entry(note.keys, note.text)
        }
        lines +=
            [""]
            + wrapped(
                """
                Inside, F1 or ? shows every key; ! runs a command on the marked pictures, with {} for their \
                names. The configuration binds keys to such lines, see halftone(1). Exit codes: 0 success; 1 no section could be loaded, a file could not be written, or \
                nothing was chosen with -o; 2 wrong usage; 130 interrupted; 143 terminated.
                """)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func entry(_ name: String, _ meaning: String) -> [String] {
        let padding = String(repeating: " ", count: 26)
        let lines = wrapped(meaning, width: 80 - padding.count).map { padding + $0 }
        let name = "  \(name)"
        if name.count > padding.count - 2 { return [name] + lines }
        return [name + lines[0].dropFirst(name.count)] + lines.dropFirst()
    }

    private static func wrapped(_ text: String, width: Int = 80) -> [String] {
        TextWrap.lines(text, width: width, limit: .max)
    }
}
