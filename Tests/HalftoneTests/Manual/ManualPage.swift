import Gallery
import Terminal

@testable import Browser
@testable import halftone

/// The manual page, made from the tables that also make help, key map and parser.
///
/// In the language of man(7). It is kept in the repository, so that installing needs no formatter.
enum ManualPage {
    static var text: String {
        let sections = [
            [
                ".\\\" Made by make manual from the option table and the key map: edit those.",
                title,
            ],
            name, synopsis, description, sources, options, names, conditions, keys, changes,
            reading, bindings, lines, places, followed, had, remote, formats, feeds, scripts,
            programs, recipes, terminals, previews, network, traces, examples, environment, files,
            status, seeAlso,
        ]
        return sections.joined().joined(separator: "\n") + "\n"
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
        "also on a file server (sftp, ftp, ftps),",
        "an .html or picture file, an archive (zip, tar, 7z, RAR, and their comic book variants), a page",
        "saved as MHTML or WARC, or \\- for standard input: a list, one per line, or one picture, page or",
        "archive. Without one, standard input is read if it is a pipe or a file; else the current folder",
        "opens if it has pictures, folders or archives, or if there is no screen; else the home screen (what is",
        "new in followed galleries, and the places where you were), else the bundled gallery.",
        "A single picture file opens in the viewer with its folder around it, consecutive ones are one section.",
        "Each SOURCE is a section that loads independently.",
        "What a page recommends is shown as a section, too, but never printed.",
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

    private static let names = terms(
        "NAMES",
        [
            "The template of --name is a path, whose folders are made; in an archive all names are in one folder, "
                + "and begin with section and index. What a page says becomes a safe name: no slash, control character or "
                + "leading dot, 193 bytes at most, and dashes for what FAT and NTFS refuse. A file is complete or not "
                + "there. Nothing is overwritten: a second a.jpg becomes a (2).jpg.",
            "Pictures that were saved before are known by address and by content, for all folders together and for each "
                + "archive, also when their file is gone; --again saves them once more, unless the file is there. What was "
                + "interrupted goes on with the same command; an archive is a folder with .part at its name's end until all "
                + "is there, or an attempt got nothing more, and one program at a time has it. --write-json replaces nothing; "
                + "with --save, --json prints each picture as it is saved, with its \"file\".",
        ],
        [
            "{title}, {index}, ...":
                "what --json prints of a picture, by its names: "
                + PictureRecord.names.joined(separator: ", "),
            "{gallery}, {host}": "the title of the gallery, and the host of its page",
            "{name}, {ext}":
                "the title or else the name in the address, and the ending of the format",
            "{index:03}, {date:10}":
                "filled up with zeros to three digits; the first ten characters",
            "FILE.cbz":
                "a zip archive for readers of comics, with ComicInfo.xml, not compressed; also after :w and :save-all",
            "FILE.warc.gz":
                "what the servers sent, in records of WARC/1.1 with a page that shows them; only for pictures of the web",
        ])

    private static var conditions: [String] {
        [
            ".SH CONDITIONS",
            "\\fB--filter\\fR, \\fBf\\fR and \\fB/\\fR take words and conditions, all of which must hold.",
            "Filters also look into what photo programs wrote into local files. Sizes are those of local files and of "
                + "drawn pictures, else what the page claims, with a question mark. A size or date that is not "
                + "known fulfils none; such pictures are counted.",
        ]
            + KeyMap.notes.filter { $0.group == KeyMap.conditions }.flatMap {
                [".TP", "\\fB" + escaped($0.keys) + "\\fR", escaped($0.text)]
            }
    }

    private static var keys: [String] {
        var lines = [
            ".SH KEYS AND COMMANDS",
            "A count before a movement repeats it. The keys are followed by the command's name, which",
            "can be typed after a colon, or any unambiguous prefix of it, with its argument; a number",
            "goes to that picture.",
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
        for note in KeyMap.notes where note.group != KeyMap.conditions {
            if note.group != group {
                group = note.group
                lines.append(".SS " + group)
            }
            lines += [".TP", "\\fB" + escaped(note.keys) + "\\fR", escaped(note.text)]
        }
        return lines
    }

    /// A section of terms, each with its meaning, after an introduction.
    private static func terms(
        _ title: String?, _ introduction: [String] = [], _ terms: KeyValuePairs<String, String>
    ) -> [String] {
        [title.map { ".SH " + $0 } ?? ".PP"] + introduction.map(escaped)
            + terms.flatMap { [".TP", "\\fB" + escaped($0) + "\\fR", escaped($1)] }
    }

    private static let sources = terms(
        "SOURCES", ["Each SOURCE is recognised by its contents, not its name."],
        [
            "http://..., https://...":
                "a gallery page, a directory listing, a feed (RSS, Atom), data of an API, or one picture",
            "a folder":
                "every picture in it, 2.jpg before 10.jpg; its sub-folders and archives are albums. -r follows no "
                + "links to folders, and watches all for changes, as far as the kernel has watches; none is watched on NFS, SMB and sshfs: "
                + "there R reads anew",
            "sftp://[USER@]HOST[:PORT]/FOLDER/":
                "a folder on a server that ssh reaches, with its sub-folders as albums, or a file there; /~/ begins at "
                + "your home. You are known by ssh-agent or ~/.ssh/id_ed25519 (id_ecdsa, id_rsa), the server by "
                + "~/.ssh/known_hosts: one that is not in it, or has another key, is refused with the line that adds "
                + "it. Debian 12's libssh2 does not log in with RSA keys at current servers: use ed25519. Links to "
                + "folders are not followed, two requests at once go to a server unless --connections gives another number than 6, "
                + "and nothing is kept for :home and bookmarks",
            "ssh://[USER@]HOST[:PORT]/PATH":
                "a folder, archive or picture on another machine, where halftone itself runs, shown here: nothing but "
                + "what is drawn comes over the line, and s, :trash and all else act there. /~/ begins at your home, and "
                + "what is not plain is percent-encoded; it is the one SOURCE, and only on the command line. A portable halftone "
                + "(this program if it is one, else what make portable has made, in HALFTONE_PORTABLE) is copied to "
                + "~/.cache/halftone there, once, and --forget-host HOST removes it; --remote-program, also in the "
                + "configuration, names one that is installed there instead. Nothing else is left there, so places and "
                + "thumbnails are not kept. The configuration of this side counts, but for programs, hooks, files, "
                + "header fields and sites, and for \"keys\" or \"bind\" that contain !. The exit code is that of the program there",
            "ftp://..., ftps://...":
                "the same over FTP (ftps: TLS from the start), as anonymous unless a name is given; ~/.netrc is not "
                + "read, nor are listings in the manner of DOS. ftp sends all of it in clear",
            "USER:PASSWORD@ before the host of a file server":
                "is neither shown, nor kept, nor traced; write %3A for a colon in it, %40 for @. A server "
                + "is reached only if its address is on the command line, in the list of -, or typed after :open: no "
                + "page, feed, redirect, bound key or other program leads to one",
            "an .html file, file://...":
                "a saved gallery page, whose relative links are read from disk. If a browser saved it "
                + "complete (page.html beside page_files/), nothing is fetched",
            "zip, cbz, tar, cbt, 7z, cb7, rar, cbr":
                "all pictures in the archive in natural order, those in folders last; each has an address "
                + "below the archive's (file:///x.cbz/1.jpg). Archives in it are albums, of up to 64 MB each. tar also "
                + "compressed by gzip, bzip2, xz, lzip or zstd. Also from a server, whatever type it says, where its "
                + "pictures are at https://x.cbz#entry=1.jpg, and archives in it are left out. Of one called .cbz or "
                + ".zip the directory at its end is fetched, and each picture when it is seen, if the server sends "
                + "parts; --max-bytes bounds what is fetched: these, or else the archive",
            "mhtml, mht, warc, warc.gz":
                "the page saved in it (the first page of a WARC file, and the next pages it links to), "
                + "else all pictures in it; works offline. --record writes one of every page and picture that is "
                + "shown, also out of the cache, without cookies and log-ins",
            "pdf":
                "its pages, drawn as they are seen and at any zoom, also in a folder and from an address; each has "
                + "an address as in browsers (file:///x.pdf#page=2). s saves the document. One that needs a password "
                + "is not shown, nor are pages beyond the 10,000th",
            "several picture files": "one section in the order given, titled after their folder",
            "-":
                "standard input: a list of SOURCEs, or one picture, page, archive or PDF, or what gallery-dl -j, "
                + "yt-dlp -j or -J print, which is shown once it has ended. A list that begins with a picture is one "
                + "gallery, which grows as the lines arrive: paths, addresses, or JSON as --json prints it, in which any "
                + "program may say {\"image\": …, \"title\": …, \"thumbnail\": …} and other keys for --print-field. Only "
                + "\"path\" names a file of this machine",
        ])

    private static let scripts = terms(
        "PAGES THAT SCRIPTS DRAW",
        [
            "A page that shows nothing without its scripts is drawn by a browser of Chromium's kind, if one is",
            "installed (Debian's package is chromium), without a window; what it has drawn is then read as any page.",
        ],
        [
            "--browser":
                "auto, if the page shows nothing otherwise, or :render asks for it; never; always, every page that was "
                + "asked for. In \"sites\" it may differ by host",
            "\"browser-program\"":
                "the program with its arguments, as in [\"chromium\", \"--no-sandbox\"], which Chromium needs as root; "
                + "else the first of chromium, chromium-browser, google-chrome, google-chrome-stable, brave-browser and "
                + "microsoft-edge-stable in PATH",
            "what it may reach":
                "all its connections go through Halftone: scripts of a public page reach no private address, and what "
                + "they transfer counts against --max-bytes; --offline starts none. It has a new profile, which is "
                + "removed, and no windows, downloads or permissions",
            "next pages":
                "the page stays open as long as its section, is scrolled on or has its one button for more pressed",
            "what is left out": "pictures that scripts paint (canvas) or make (blob:)",
            "Esc": "stops the drawing; r tries again",
        ])

    private static let programs = terms(
        "PROGRAMS FOR ADDRESSES",
        [
            "Sites that Halftone cannot read are opened by other programs: \"programs\" in the configuration is an",
            "object of patterns (* is any text) of whole addresses, and for each a list of words, a program and its arguments,",
            "in which {url} stands for the address. The first pattern that fits counts.",
        ],
        [
            "[\"gallery-dl\", \"-j\", \"-o\", \"output.jsonl=true\", \"-o\", \"output.private=true\", \"{url}\"]":
                "lines are pictures as they come; with output.private also the header fields (Referer, Origin, "
                + "User-Agent, Accept, Accept-Language, Authorization, Cookie) that a picture needs at its own server. "
                + "What it would queue is an album",
            "[\"yt-dlp\", \"-j\", \"{url}\"]":
                "videos by their thumbnails, whose links are their pages",
            "any other program":
                "may print HTML, or any other data that a SOURCE may be, which is read once it is complete",
            "only addresses that are typed":
                "are opened so: on the command line, in the list of -, after :open; no album, link, next page, redirect, "
                + "bound key or other program starts one, and --offline starts none",
            "limits":
                "the program and all it has started are killed when their section is closed, after ten minutes, and beyond "
                + "--max-bytes. If it fails, the last line that it said is shown",
            "NAME.EXT.json beside a picture in a folder":
                "as gallery-dl --write-metadata and --write-json write it: its title, description, tags and date are the "
                + "picture's",
        ])

    private static let bindings =
        [
            ".SH KEYS OF YOUR OWN",
            "The configuration's \"keys\" gives commands other keys; a key is then taken from what had it. \"bind\"",
            "makes keys, or sequences of them, run lines in \\fBgallery\\fR (or only \\fBlist\\fR, \\fBgrid\\fR or \\fBrows\\fR),",
            "\\fBviewer\\fR, \\fBdialog\\fR or \\fBhelp\\fR:",
            ".PP",
            ".nf",
            escaped("{ \"keys\": { \"save\": [\"w\", \"^s\"] },"),
            escaped(
                "  \"bind\": { \"viewer\": { \"d\": [\"!gio trash {path}\", \":next-picture\"],"),
            escaped("                       \"g h\": \":home\", \"Alt-1\": \":move ~/keep\" } } }"),
            ".fi",
        ]
        + terms(
            nil,
            [
                "A mistake is told with file, line and key, and everything else applies. Only the user's own",
                "configuration binds lines, and what saves, removes or runs something is still refused to keys that",
                "come faster than anyone types.",
            ],
            [
                "keys":
                    "as they appear in the help, or Ctrl-d, Alt-1, Shift-Up, Ctrl-Right, F1, Space, PgDn. Digits "
                    + "begin a count. Ctrl and Shift with other keys as far as the terminal tells them apart",
                "langmap":
                    "an object of letters of another keyboard, and the Latin ones on the same keys; Russian, "
                    + "Ukrainian, Greek, Hebrew and Arabic keyboards are known. Prompts are not translated",
                "sequences":
                    "keys separated by spaces. What may follow is shown after the first; if that does something "
                    + "by itself, it does so half a second later, or when the next key does not fit; Esc cancels",
                "lines":
                    "a line after : (a command, its argument or count), after ! (see below), or a list of lines, "
                    + "run in order until one fails. An empty line or list unbinds the key, but not the last one of "
                    + "quit or help",
                "theme":
                    "an object of colours for "
                    + ThemeColors.roles.joined(separator: ", ")
                    + ": black, red, … or bright-red, … as the terminal shows them, default, or #RRGGBB; for one "
                    + "kind of terminal in an object dark or light. Texts stay readable on their ground",
                "on-open, on-save, on-quit":
                    "lines that are run when another picture is shown in the viewer, when one was saved (path is "
                    + "the new file), and at the end; programs run without a terminal",
                "--status, --label, --window-title":
                    "templates with the names below in braces, for the bottom line, tiles and the window",
            ])

    private static let changes = terms(
        "CHANGING FILES",
        [
            "Del, :move, :copy and :rename change files in folders on this machine, and U takes that back. A raw file",
            "(a.dng) and side-cars (a.xmp, a.jpg.xmp) go with their JPEG, and a film (a.mov) with its HEIC: they are one",
            "picture. A relative folder, also after :w and :save-all, is one of the folder shown, and elsewhere of the one",
            "where the program was started. One that does not exist is made after a question; :move! and :copy! do not ask.",
            "Nothing is overwritten: a second a.jpg becomes a (2).jpg. Where others are marked and the picture in the",
            "viewer is not, or a filter hides some of the marked, a question comes first: Enter takes what is seen, m the",
            "marked.",
            "U goes to what it has brought back. :rotate-file turns a JPEG by its orientation tag, not by its pixels.",
            ":exit, :delete, :rm, :mv and :ls are understood, and as in vi :w, :x, :wq, :q!, :e and :h.",
        ], [:])

    private static let reading = terms(
        "READING AND ZOOMING", [],
        [
            "w, W":
                "the fit stays from page to page; Space goes on to the bottom, then to the top of the next page, b back",
            "D": "the cover is alone. How an archive is read is remembered",
            "z":
                "n and p then show the same part of the next picture; of any other zoom they do so after Z",
            "i": "also tells where the time went",
            "--compare A B":
                "of two folders, pictures with the same path below them are pairs, one that only one of them has is compared "
                + "with nothing, and what is the same is left out. x shows one picture in the place of the other, zoomed "
                + "alike, d the difference and its box, n the next pair. If most details are the same to the bit, each "
                + "pixel counts that is not; otherwise only what compression does not explain. Pictures of other sizes are "
                + "enlarged, and long ones compared at 2896 pixels; of animations, the first frame. Sorting and filtering "
                + "part the pairs",
        ])

    private static let followed = terms(
        "FOLLOWED GALLERIES",
        [
            ":follow on any page, folder or feed follows it, and once more ends it. Of 1,000 galleries, the addresses and",
            "hashes of a million pictures are kept: one is new if neither is known, so that one that was only moved is not.",
            "It is seen once its tile was on the screen with its picture drawn, and stays marked until the next :home or run.",
        ],
        [
            ":home":
                "what is new in each, with an album for the whole of it, before the places seen last",
            "the network":
                "servers are asked whether a page has changed, and for the thumbnails of what is new",
            "headers and cookies":
                "for a SOURCE are not sent to them; \"sites\" has those of single hosts",
        ])

    private static let had = terms(
        "PICTURES THAT YOU HAVE",
        [
            "--index and :index learn how the pictures of a folder look, and s adds what it saves; on the web they are known",
            "in any format and at any address. Pictures are told apart by 64 bits each: copies that were cropped, turned or",
            "mirrored are not found, and flat ones are not looked for.",
        ],
        [
            "=, ↑": "before a title: it is here; it is here, but the web's is larger. i says where",
            ":duplicates, --group alike": "groups, the largest picture first",
            "--paths --group alike":
                "prints only pictures that have copies, the groups apart by an empty line, with --print0 a second NUL",
        ])

    private static let lines = terms(
        "COMMANDS OF OTHER PROGRAMS",
        [
            "What follows ! is run without a shell: words are separated by spaces, quotes and backslashes work as in",
            "one. A value stays one argument whatever it holds; a line whose value is unknown is not run. Typed",
            "lines ask before they run; bound ones do not.",
        ],
        [
            "!, !&, !|":
                "output on the terminal, with a pause at its end; no output, only a failure is told; through $PAGER",
            "{}":
                "the names of the marked pictures, or of this one; typed lines without any value end with them",
            "{marked}": "the names of the marked pictures",
            "{path}, {url}, {index}, {count}":
                "the absolute path of a local file, the address, the number in the section, and of how many",
            "{title}, {page}, {link}, {date}, {width}, {height}, …": "as in --json",
            "HALFTONE_PATH, HALFTONE_URL, …":
                "the same as environment variables; HALFTONE_MARKED has one name on each line",
            "HALFTONE_SOCKET": "where this program listens, if it does",
        ])

    private static let places = terms(
        "PLACES",
        [
            "Where a folder, archive or gallery was left is kept, and gone to when it is opened again; so are",
            "bookmarks, lines typed after : and /, and what cameras wrote into pictures that were sorted by it.",
            "Running programs share the database. No address in it holds a password.",
        ],
        [
            "--fresh, --at": "start elsewhere", "--no-state": "neither reads nor keeps anything",
            "--forget": "empties it", "--forget-host HOST": "see ssh:// in SOURCES",
            "a damaged database": "is set aside with one line, and a new one is begun",
        ])

    private static let remote = terms(
        "CONTROL BY OTHER PROGRAMS",
        [
            "With --ipc SOCKET, programs of the same user can send lines to a Unix socket, each either as after : or",
            "JSON as of mpv: {\"command\": [\"open\", \"/pictures\"], \"request_id\": 1}, which is answered by",
            "{\"request_id\":1,\"error\":\"success\"}. --remote LINE sends one and prints the answer's data, or what is wrong",
            "with it, also that what it opens does not exist, and ends with 1.",
            "Without --ipc there is a socket in $XDG_RUNTIME_DIR/halftone, or else ~/.local/state/halftone/run (none with",
            "--no-socket or --no-state), at which only pictures are shown, moves made and questions answered.",
            "--show SOURCE... finds it: that of the same tmux or Zellij session, of the same kitty or WezTerm, or else of",
            "the program used last. What is shown is a gallery, Shown, newest first; if no program runs, a pane is opened by",
            "tmux, Zellij, kitty's remote control or WezTerm (--split), or else the pictures are printed as by --print.",
        ],
        [
            "a command's name":
                "with its argument; those that run programs or change files only with "
                + "--ipc-commands all",
            "get_property NAME": "its value as data",
            "observe_property NUMBER NAME, unobserve_property NUMBER":
                "an event property-change with that number now and at each change",
            "selection, marked":
                "the record of the selected picture as in --json; the marked names",
            "section, place, progress":
                "title and address of what is shown; the number of the picture",
            "viewer, ended": "whether a picture is open; whether the section is complete",
            "events": "selection-changed, section-ended, saved (with path), shutdown",
        ])

    private static let formats = terms(
        "FORMATS", [],
        [
            "JPEG, PNG, GIF, WebP": "always",
            "TIFF, AVIF, JPEG XL, HEIC, SVG, PDF": "where their libraries are installed",
            "camera raw files":
                "by the largest JPEG in them, usually of full size; not beside a picture of the same name in a folder. "
                + "Their sensor data are never developed, and no camera's own files were at hand to try",
            "BMP, PNM, TGA, Photoshop, JPEG 2000, QOI, ICO":
                "where FFmpeg's libraries (libavformat, libavcodec, libswscale) are",
            "videos":
                "in folders, too: a frame at a tenth of the length, which the tile tells; Enter plays them in "
                + "mpv, or in what \"open\" in the configuration names for a media type, as in "
                + "{ \"video/*\": [\"mpv\", \"{path}\"] }. Those on web pages and in archives are not listed",
            "animations":
                "GIF, WebP and PNG play in the viewer, with their own delays and repetitions; grid and list "
                + "show the first frame, marked with a triangle. Of AVIF and JPEG XL only the first frame is shown, of "
                + "HEIF sequences nothing",
            "embedded thumbnails": "of cameras are used in grid and list, never in the viewer",
            "colour profiles": "(Display P3, Adobe RGB, CMYK and others) are converted to sRGB",
        ])

    private static let feeds = terms(
        "FEEDS AND APIS",
        [
            "Each of these can be a SOURCE. For a page without pictures of its own those that it links to are",
            "tried, up to four, in this order, before its frames; --explain tells which was read.",
        ],
        [
            "RSS, Atom":
                "Media RSS, enclosures, else the pictures of the text; next page by rel=next, prev-archive "
                + "(RFC 5005)",
            "OPDS 1.2 and 2.0":
                "catalogues of books: each entry is an album with its cover, a part of the catalogue or a book, whose "
                + "single pages (OPDS-PSE, Divina) are preferred to its archive or PDF; of others the cover is shown; "
                + "next page by rel=next",
            "JSON Feed": "attachments, image, else the pictures of the text; next_url",
            "IIIF Presentation 2 and 3":
                "each canvas's first picture with its label and size, its thumbnail or one of 400 pixels "
                + "from an image service that scales; the works of a collection as albums. Also by a "
                + "viewer's data-manifest, ?manifest= and ?iiif-content=",
            "WordPress":
                "media in all sizes; the pictures of a post, else its media, else the site's; next page by "
                + "the Link header",
            "listings, other data":
                "nginx's and Caddy's lists; any list of three objects with pictures: names, dates, sizes",
        ])

    private static let recipes =
        terms(
            "RECIPES",
            [
                "A recipe, a JSON object in the recipes folder or named by --recipe, describes one site. Those for",
                "Getty Images Gallery, MediaWiki, WordPress, Coppermine, Gallery 3 and Danbooru are included.",
                "A selector is CSS, with @attribute at its end for an attribute instead of the element's text:",
            ], [:])
        + [
            ".PP", ".nf",
            escaped(#"{ "name": "Getty Images Gallery","#),
            escaped(#"  "match": "https?://(www\\.)?gettyimagesgallery\\.com/collection/.*","#),
            escaped(#"  "item": "div.grid-item.image-item", "thumbnail": "img.jq-lazy@data-src","#),
            escaped(#"  "link": "a@href", "title": "@data-title", "date": "@data-date" }"#),
            ".fi",
        ]
        + terms(
            nil, [],
            [
                "--explain":
                    "tells which groups of pictures a page has, and what speaks for and against each being its gallery",
                "name, match":
                    "its name in --explain; the addresses it applies to, a case-insensitive regular expression "
                    + "(PCRE2) for the whole address, of at most 1,000 bytes",
                "item":
                    "a selector for the element of each picture; the selectors below are relative to it",
                "thumbnail, image":
                    "the addresses of the picture; of a srcset the smallest and the largest, of a style its url()",
                "link, album":
                    "the page about the picture; the gallery it stands for, which makes it an album",
                "title, description, date": "the texts about the picture",
                "next":
                    "the next page, searched for in the whole page; null leaves it to the general rules",
                "pause, limit-rate":
                    "as the options of these names, for pages that match and what is on them",
                "test":
                    "the address of a page on which --check-recipes looks whether it finds pictures",
                ":show-all, :learn":
                    "make a recipe by pointing: everything on the page is shown, what is left out with the reason; "
                    + "mark pictures that are wanted, select one that is not, and :learn finds what tells them apart. "
                    + "If something else remains, dismiss the question, select that and :learn again: both are left out",
            ])

    private static let terminals = terms(
        "TERMINALS",
        [
            "At the start the terminal is asked what it can do; options and keys override what was found."
        ],
        [
            "colours":
                "24 bits if the terminal takes one and gives it back (DECRQSS) or says so (XTGETTCAP), else "
                + "by COLORTERM and TERM. A TERM missing from the terminfo database is treated as xterm",
            "blocks":
                "quadrants; sextants or octants where the terminal's name and version say that it draws them "
                + "itself; from 256 colours on with eighth blocks; half blocks on the Linux console; ASCII where the "
                + "locale is not UTF-8",
            "pixels":
                "by kitty's protocol if a query of it is answered, as inline files in iTerm2, WezTerm and "
                + "mintty, as sixels if the device attributes list them; as fine as the cells, up to a screen in 4K; "
                + "through shared memory if a query shows that the terminal reads it; animations frame by frame, but once "
                + "to kitty 0.20 and Ghostty 1.3.2 and later, which play them by themselves",
            "light and focus":
                "where it reports that it has turned dark or light (mode 2031), its colours are asked for again; "
                + "where it reports the focus (mode 1004), nothing plays and nothing is fetched ahead without it",
            "tmux":
                "shows pixels from version 3.5 on with allow-passthrough on, if every attached terminal has "
                + "kitty's placeholders, and sixels from 3.4 on, if all show them, on screens of at most 19 pictures (nine "
                + "before 3.7); it is asked again at the first key after a pause",
            "slow lines":
                "get fewer frames, always of the latest state; keys are handled all the same",
            "late answers":
                "--print waits 0.15 seconds, 0.6 over SSH, and like leaving the program up to two if the "
                + "terminal began to answer or is known by name, so that no answer reaches the shell",
        ])

    private static let previews = terms(
        "PREVIEWS",
        [
            "With --print --size, halftone fills a pane of another program: nothing is wider or higher, and no",
            "line feed follows the last row. With --place it writes at a column and row of the screen instead, and",
            "leaves the cursor alone. Lines for fzf, lf, ranger, vifm, nnn and yazi, with a key that chooses",
            "pictures in halftone where that makes sense, are in share/halftone/Examples.",
        ],
        [
            "one picture": "as large as fits, in the middle, without a title",
            "an archive, folder or page":
                "a contact sheet of the first pictures, the others are not even read; tiles are at least as wide "
                + "as --tile says, or half the pane, and have titles where there is room",
            "colours and pixels":
                "in a pipe, and with --place, the terminal is another program's and is neither asked nor read: "
                + "TERM and COLORTERM tell the colours, and pixels are sent only if --graphics insists",
            "errors":
                "one line on standard error and exit status 1, so that something else can be shown instead",
            "--offline": "keeps a preview of a saved page from fetching its pictures",
        ])

    private static let network = terms(
        "NETWORK", [],
        [
            "private addresses":
                "are never reached from a public page, nor from a saved copy of one, whatever a name resolves "
                + "to; where a SOURCE is at one itself, other pages may reach only its port. Behind a proxy "
                + "only names can be judged. --allow-private lifts this",
            "--cookies-from-browser":
                "a copy of Firefox's cookies is read (also of snap and flatpak): those for the SOURCE's own host outside "
                + "containers. A profile is named by the folder of it, of which the part before the point may be "
                + "left out, or by its path; else it is the one that was used last",
            "cookies":
                "that servers set go back to them until the program ends, each to its own server only. Those of Chromium "
                + "are encrypted, and not read",
            "caching":
                "responses are kept as received, and reused by the rules of RFC 9111, with the reduced pixels of "
                + "every picture drawn; the least recently used are removed. R loads past it. Several runs may share the "
                + "folder",
            "resuming":
                "a transfer that broke off is resumed if the server gave the picture a strong validator",
            "parts":
                "of a picture called .jpg of which there is no smaller file, the tile fetches the first 80 KB, if a web "
                + "server sends parts and over sftp: they have the camera's thumbnail, if that is large enough for the tile. The "
                + "rest is fetched when the picture is opened. A part is kept as such, and none is joined to one of another "
                + "version of its file",
            "politeness":
                "--pause leaves time between two requests to one host, --limit-rate divides a rate among them, "
                + "for what is fetched ahead and saved, too. A host that answers 429 or 503 with Retry-After is "
                + "left alone for so long, and the bottom line says so; if that is more than a minute, all that waits for it "
                + "fails at once. i counts the requests",
            "single hosts":
                "\"sites\" in the configuration gives a host and those below it any of the network's options, as "
                + "in \"sites\": { \"example.org\": { \"pause\": \"1-3\", \"user-agent\": \"me\" } }; the longest name "
                + "counts, and more than the options for all. Its headers and cookies are sent to it over https at its "
                + "usual port (those of \"http://HOST\" and \"HOST:PORT\" as these say) from any "
                + "page, and those for the SOURCE only if it is the SOURCE. A recipe's pause and limit-rate "
                + "count most",
            "log-ins":
                "in \"sites\", \"user\" is a name for HTTP's basic and digest log-ins, \"password-command\" a list of words, a "
                + "program that is run once, when it is first needed, with its arguments, and prints the password "
                + "on its first line: \"sites\": { \"nas:8080\": { \"user\": \"me\", \"password-command\": [\"pass\", \"nas\"] } }. "
                + "It is sent to that scheme, host and port only, not to those below the host",
            "slow servers":
                "a body that stays below --min-rate for 30 seconds is given up, a pause of --timeout too",
        ])

    private static let examples = [
        ".SH EXAMPLES",
        ".TP", "halftone \\-\\-newest ~/Pictures/Screenshots", "each new screenshot as it appears",
        ".TP", "halftone \\-r ~/Pictures", "a folder with all its sub\\-folders as one gallery",
        ".TP", "halftone \\-\\-filter 'w>=1600 .jpg' https://example.com/gallery",
        "large JPEGs only",
        ".TP", "curl \\-s https://example.com/photo.jpg | halftone", "one picture",
        ".TP", "find . \\-name '*.png' \\-print0 | halftone \\-0", "pictures with any names",
        ".TP", "halftone \\-o \\-\\-print0 ~/Pictures | xargs \\-0 cp \\-t /tmp",
        "choose pictures to copy",
        ".TP", "halftone \\-\\-urls \\-\\-pages all https://example.com/gallery | wget \\-i \\-",
        "download a gallery",
        ".TP",
        "halftone \\-\\-save DIR \\-\\-pages all \\-\\-name '{host}/{gallery}/{index:03} {title}.{ext}' URL",
        "the same by names of your own; from cron, only what is new",
        ".TP", "fzf \\-\\-preview 'halftone \\-\\-print {}'", "look at pictures in fzf",
        ".TP", "halftone \\-\\-print \\-\\-tile 40 *.jpg | less \\-R", "a contact sheet in a pager",
    ]

    private static let environment = [
        ".SH ENVIRONMENT",
        ".TP", "TERM, COLORTERM, NO_COLOR",
        "what the terminal can show, as far as it does not tell itself",
        ".TP", "COLUMNS", "the width of \\fB\\-\\-print\\fR where the output is no terminal",
        ".TP", "FZF_PREVIEW_COLUMNS, FZF_PREVIEW_LINES",
        "what \\fB\\-\\-size\\fR is without being given",
        ".TP", "LC_ALL, LC_CTYPE, LANG", "characters beyond ASCII are used only with UTF\\-8",
        ".TP", "PAGER", "the program of \\fB!|\\fR, else less \\-R",
        ".TP", "HALFTONE_SOCKET",
        "the socket of \\fB\\-\\-remote\\fR and \\fB\\-\\-show\\fR without \\fB\\-\\-ipc\\fR",
        ".TP", "BROWSER", "programs for \\fBo\\fR, separated by colons; else xdg\\-open",
        ".TP", "http_proxy, https_proxy, all_proxy, no_proxy", "proxies, as for \\fBcurl\\fR(1)",
        ".TP", "SSL_CERT_FILE, SSL_CERT_DIR", "trusted certificates",
        ".TP", "TMPDIR", "the folder for unnamed temporary files",
        ".TP", "HALFTONE_PORTABLE", "the portable halftone that ssh:// brings to other machines",
        ".TP", "HALFTONE_RESOURCES", "the folder of the bundled gallery and recipes",
    ]

    private static let seeAlso = [
        ".SH SEE ALSO", "\\fBfile\\fR(1), \\fBless\\fR(1), \\fBxargs\\fR(1), \\fBterminfo\\fR(5)",
    ]

    private static let traces = terms(
        "TRACES",
        [
            "--trace FILE records for Perfetto (https://ui.perfetto.dev) what the terminal was found to support, what is",
            "fetched ahead and why, the bytes of each frame, and, as arrows, each picture's way between threads.",
        ], [:])

    private static let files = [
        ".SH FILES",
        ".TP", "\\fI$XDG_CONFIG_HOME/halftone/config.json\\fR",
        "an object whose keys are the long options without dashes, \"keys\", \"bind\", \"open\" and the hooks; comments",
        "and trailing commas are allowed",
        ".TP", "\\fI$XDG_CONFIG_HOME/halftone/recipes/*.json\\fR", "site recipes",
        ".TP", "\\fI$XDG_CACHE_HOME/halftone\\fR", "the disk cache; it may be deleted at any time",
        ".TP", "\\fI$XDG_STATE_HOME/halftone/state.db\\fR",
        "what is kept from one run to the next, see PLACES",
    ]

    private static let status = [
        ".SH EXIT STATUS",
        "0 success; 1 no section could be loaded, a file could not be written, or nothing was chosen",
        "with \\fB\\-o\\fR; 2 wrong usage; 3 something differs, with \\fB\\-\\-compare\\fR and without a screen;",
        "130 interrupted; 143 terminated.",
    ]

    private static func escaped(_ text: String) -> String {
        let marked = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        // A line that starts with a dot or an apostrophe would be a request.
        return marked.hasPrefix(".") || marked.hasPrefix("'") ? "\\&" + marked : marked
    }
}
