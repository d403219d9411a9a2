import Browser

@testable import halftone

/// The manual page, made from the tables that also make help, key map and parser.
///
/// In the language of man(7). It is kept in the repository, so that installing needs no formatter.
enum ManualPage {
    static var text: String {
        let lines =
            [".\\\" Made by make manual from the option table and the key map: edit those.", title]
            + name + synopsis + description + options + keys + files + status
        return lines.joined(separator: "\n") + "\n"
    }

    private static let title = ".TH HALFTONE 1 \"\" \"\(HelpText.version)\" \"User Commands\""

    private static let name = [
        ".SH NAME", "halftone \\- browse the pictures of web galleries and folders in the terminal",
    ]

    private static let synopsis = [
        ".SH SYNOPSIS", ".B halftone", "[\\fIOPTION\\fR]... [\\fISOURCE\\fR]...",
    ]

    private static let description = [
        ".SH DESCRIPTION",
        "Scrapes a page with pictures, draws thumbnails with block characters in a scrolling grid or",
        "list, follows the gallery's next pages for as long as you scroll, and opens any",
        "picture full screen.",
        ".PP",
        "\\fISOURCE\\fR is the address of a gallery page, directory listing, feed or picture, a folder,",
        "an .html or picture file, an archive (zip, tar, 7z, RAR, and their comic book variants), a page",
        "saved as MHTML or WARC, or \\- for standard input: a list, one per line, or one picture, page or",
        "archive. Without one the bundled gallery opens. Each is a section that loads independently;",
        "consecutive picture files are one section, and a single picture opens in the viewer.",
        ".PP",
        "If standard output is not a terminal, the URL of each picture is printed, one per line.",
    ]

    private static var options: [String] {
        [".SH OPTIONS"]
            + OptionSpec.Group.allCases.flatMap { group in
                [".SS " + group.rawValue]
                    + OptionSpec.all.filter { $0.group == group }.flatMap { spec in
                        let value = spec.placeholder.map { " \\fI" + escaped($0) + "\\fR" } ?? ""
                        let letter = spec.letter.map { "-\($0), " } ?? ""
                        return [
                            ".TP", "\\fB" + escaped(letter + "--" + spec.name) + "\\fR" + value,
                            escaped(spec.help),
                        ]
                    }
            }
    }

    private static var keys: [String] {
        var lines = [
            ".SH KEYS AND COMMANDS",
            "A count before a movement repeats it. The keys are followed by the command's name, which",
            "can be typed after a colon, or any unambiguous prefix of it, with its argument; a number",
            "goes to that picture. The configuration's \"keys\" binds commands to other keys:",
            ".PP",
            ".nf",
            "{ \"keys\": { \"save\": [\"w\", \"^s\"], \"next-picture\": [\"Space\", \"PgDn\"] } }",
            ".fi",
            ".PP",
            "A key bound to one command is taken from the others. Keys are written as they",
            "appear here, or as Ctrl\\-d, F1, Space, PgDn, Up, Alt\\-Left.",
        ]
        var group = ""
        for binding in KeyMap.standard.bindings {
            if binding.group != group {
                group = binding.group
                lines.append(".SS " + group)
            }
            let names = binding.keys.map { escaped($0.name) }.joined(separator: ", ")
            let command = escaped(":\(binding.command.rawValue)")
            let argument =
                binding.argument.isEmpty ? "" : " \\fI" + escaped(binding.argument) + "\\fR"
            let keys = names.isEmpty ? "" : "\\fB" + names + "\\fR  "
            lines += [".TP", keys + command + argument, escaped(binding.summary)]
        }
        for note in KeyMap.notes {
            if note.group != group {
                group = note.group
                lines.append(".SS " + group)
            }
            lines += [".TP", "\\fB" + escaped(note.keys) + "\\fR", escaped(note.text)]
        }
        return lines
    }

    private static let files = [
        ".SH FILES",
        ".TP", "\\fI$XDG_CONFIG_HOME/halftone/config.json\\fR",
        "an object whose keys are the long options without dashes, and \"keys\": command names mapped to",
        "lists of keys",
        ".TP", "\\fI$XDG_CONFIG_HOME/halftone/recipes/*.json\\fR", "site recipes",
        ".TP", "\\fI$XDG_CACHE_HOME/halftone\\fR", "the disk cache; it may be deleted at any time",
    ]

    private static let status = [
        ".SH EXIT STATUS",
        "0 success; 1 no section could be loaded, or a file could not be written; 2 wrong usage;",
        "130 interrupted; 143 terminated.",
    ]

    private static func escaped(_ text: String) -> String {
        let marked = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        // A line that starts with a dot or an apostrophe would be a request.
        return marked.hasPrefix(".") || marked.hasPrefix("'") ? "\\&" + marked : marked
    }
}
