import Browser

@testable import halftone

/// The manual page, made from the tables that also make help, key map and parser.
///
/// In the language of man(7). It is kept in the repository, so that installing needs no formatter.
enum ManualPage {
    static var text: String {
        let lines =
            [".\\\" Made by make manual from the option table and the key map: edit those.", title]
            + name + synopsis + description + options + conditions + keys + examples + environment
            + files + status + seeAlso
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
        "archive. Without one, standard input is read if it is a pipe or a file; else the current folder",
        "opens if there are pictures directly in it, else the bundled gallery. Each is a section that loads",
        "independently; consecutive picture files are one section, and a single picture opens in the viewer.",
        "Names need not be UTF-8.",
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

    private static var conditions: [String] {
        [
            ".SH CONDITIONS",
            "\\fB\\-\\-filter\\fR, \\fBf\\fR and \\fB/\\fR take words and conditions, all of which must hold.",
            "A size or date that is not known fulfils none.",
        ]
            + HelpText.conditions.flatMap {
                [".TP", "\\fB" + escaped($0.form) + "\\fR", escaped($0.meaning)]
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
            ".PP",
            "The command of \\fB!\\fR is run without a shell; \\fB{}\\fR in it is replaced by the names of the marked",
            "pictures, or of this one, and without it they follow the command.",
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

    private static let examples = [
        ".SH EXAMPLES",
        ".TP", "halftone \\-r ~/Pictures", "a folder with all its sub\\-folders as one gallery",
        ".TP", "halftone \\-\\-filter 'w>=1600 .jpg' https://example.com/gallery",
        "large JPEGs only",
        ".TP", "curl \\-s https://example.com/photo.jpg | halftone", "one picture",
        ".TP", "find . \\-name '*.png' \\-print0 | halftone \\-0", "pictures with any names",
        ".TP", "halftone \\-o \\-\\-print0 ~/Pictures | xargs \\-0 cp \\-t /tmp",
        "choose pictures to copy",
        ".TP", "halftone \\-\\-urls \\-\\-pages all https://example.com/gallery | wget \\-i \\-",
        "download a gallery",
        ".TP", "halftone \\-\\-print \\-\\-tile 40 *.jpg | less \\-R", "a contact sheet in a pager",
    ]

    private static let environment = [
        ".SH ENVIRONMENT",
        ".TP", "TERM, COLORTERM, NO_COLOR",
        "what the terminal can show, as far as it does not tell itself",
        ".TP", "COLUMNS", "the width of \\fB\\-\\-print\\fR where the output is no terminal",
        ".TP", "LC_ALL, LC_CTYPE, LANG", "characters beyond ASCII are used only with UTF\\-8",
        ".TP", "BROWSER", "programs for \\fBo\\fR, separated by colons; else xdg\\-open",
        ".TP", "http_proxy, https_proxy, all_proxy, no_proxy", "proxies, as for \\fBcurl\\fR(1)",
        ".TP", "SSL_CERT_FILE, SSL_CERT_DIR", "trusted certificates",
        ".TP", "TMPDIR", "the folder for unnamed temporary files",
        ".TP", "HALFTONE_RESOURCES", "the folder of the bundled gallery and recipes",
    ]

    private static let seeAlso = [
        ".SH SEE ALSO", "\\fBfile\\fR(1), \\fBless\\fR(1), \\fBxargs\\fR(1), \\fBterminfo\\fR(5)",
    ]

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
        "0 success; 1 no section could be loaded, a file could not be written, or nothing was chosen",
        "with \\fB\\-o\\fR; 2 wrong usage;",
        "130 interrupted; 143 terminated.",
    ]

    private static func escaped(_ text: String) -> String {
        let marked = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        // A line that starts with a dot or an apostrophe would be a request.
        return marked.hasPrefix(".") || marked.hasPrefix("'") ? "\\&" + marked : marked
    }
}
