import Basics
import Browser
import Collector
import Gallery
import Glibc
import Network
import Raster

/// An option: its name, its values and default, what it does, and the setting it changes.
///
/// The table drives the parser, the configuration, the help, the manual page, the completions and the tests.
struct OptionSpec {
    /// The long name, without dashes.
    let name: String
    /// The equivalent one-letter option.
    var letter: Character?
    /// The name of the value in the help; nil for a switch.
    var placeholder: String?
    var values = Values.none
    /// The default as it would be typed; nil if there is none, or none that could be.
    var defaultValue: String?
    /// What holds without the option, if that is not a value.
    var defaultNote: String?
    var isRepeatable = false
    /// What it does, without its values and default.
    let meaning: String
    var group = Group.program
    private let set: @Sendable (inout Options, String) throws -> Void

    /// What the value may be.
    enum Values {
        case none, text, file, folder
        case number(ClosedRange<Int>)
        case words([String])
    }

    /// The headings in the help.
    enum Group: String, CaseIterable {
        case look = "How it looks"
        case gallery = "Which pages and pictures"
        case network = "Network"
        case cache = "Cache and state"
        case output = "Without a screen"
        case program = "The program"
    }

    /// What it does, with its values and default.
    var help: String {
        var text = meaning
        switch values {
        case .number(let range): text += ", \(range.lowerBound) to \(range.upperBound)"
        case .words(let words) where placeholder?.contains("|") == false:
            text += ": \(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")"
        default: break
        }
        if isRepeatable { text += "; repeatable" }
        return text + ((defaultNote ?? defaultValue).map { " (\($0))" } ?? "")
    }

    /// Whether it may stand in the configuration.
    var isSetting: Bool {
        group != .program
            || [
                "trace", "no-sandbox", "ipc", "ipc-commands", "split", "no-socket",
                "remote-program",
            ].contains(name)
    }

    /// Applies the option; `label` names it in the error if its value is invalid.
    func apply(_ options: inout Options, _ value: String, as label: String) throws(UsageError) {
        try blaming(label) { try set(&options, value) }
    }

    /// Returns the option with this name, given without dashes.
    static func named(_ name: some StringProtocol) -> OptionSpec? { all.first { $0.name == name } }

    /// Returns the option name most similar to `name`, if any is similar enough.
    static func nearestName(to name: String) -> String? {
        let ranked = all.map { (distance: editDistance(name, $0.name), name: $0.name) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        // With up to a third of the letters wrong it is taken for a typing error; a prefix is an abbreviation.
        let isNear = best.distance <= max(2, name.count / 3) && best.distance < name.count
        return isNear ? best.name : all.first { $0.name.hasPrefix(name) && !name.isEmpty }?.name
    }
}

// MARK: The table

extension OptionSpec {
    /// All options, in the order of the help.
    static let all = zip(
        Group.allCases, [look, gallery, network, cache, output, program]
    ).flatMap { group, specs in
        specs.map { spec in
            var spec = spec
            spec.group = group
            return spec
        }
    }

    private static let look: [OptionSpec] = [
        choice("layout", "list|grid|rows", \.browser.layout, words(), "first layout"),
        number(
            "tile", "N", 8...120, \.browser.tileColumns, "least width of a grid thumbnail in cells"),
        choice("blocks", "SET", \.blocks, wordsOrAuto(), "block characters"),
        choice("colors", "DEPTH", \.depth, wordsOrAuto(), "colour depth"),
        choice(
            "graphics", "HOW", \.graphics, wordsOrAuto(),
            "pixels where the terminal shows them"),
        choice("dither", "HOW", \.dither, words(), "dithering of fewer colours"),
        flag(
            "crop", \.browser.cropsTiles, true,
            "fill the tiles with pictures that are cropped to their shape"),
        flag("no-tint", \.isTinted, false, "do not tint tiles with their dominant colour"),
        flag(
            "no-animation", \.browser.isAnimated, false,
            "nothing moves by itself: no spinner, no animations"
        ),
        choice(
            "animate-tiles", "none|selected|all", \.browser.movingTiles, words(),
            "animated tiles that play"),
        flag("no-hints", \.browser.showsHints, false, "no line of keys in the first five runs"),
        text("status", "TEMPLATE", note: "{title}", "what the bottom line says of a picture") {
            $0.browser.statusTemplate = try template($1)
        },
        text("label", "TEMPLATE", note: "{title}", "what stands below a tile") {
            $0.browser.labelTemplate = try template($1)
        },
        text("window-title", "TEMPLATE", note: "the gallery's path", "the window's title") {
            $0.browser.titleTemplate = try template($1)
        },
    ]

    private static let gallery: [OptionSpec] = [
        flag(
            "recursive", letter: "r", \.isRecursive, true,
            "a folder with all its sub-folders as one gallery"),
        text(
            "ignore", "NAME", isRepeatable: true,
            "sub-folders that it leaves out besides hidden ones and node_modules"
        ) { $0.ignored.append($1) },
        flag(
            "null", letter: "0", \.isNulSeparated, true,
            "names on standard input are separated by NULs"),
        flag("alone", \.isAlone, true, "a picture file without the folder around it"),
        text("at", "N|NAME", "start at this picture: its name, or else its number") {
            $0.browser.at = $1
        },
        flag("fresh", \.browser.resumes, false, "start at the beginning, not where it was left"),
        flag(
            "newest", \.browser.goesToNewest, true,
            "start at the newest picture of folders and all their sub-folders, and go to newer ones"
        ),
        OptionSpec(
            name: "pages", placeholder: "N|all", values: .words(["all"]),
            defaultNote: "on demand; 1 without a screen", meaning: "pages to follow in a section"
        ) { options, text in
            options.browser.pageLimit = text == "all" ? .max : try number(text, in: 1...1_000_000)
        },
        choice("sort", "ORDER", \.browser.order.key, words(), "order of the pictures"),
        choice(
            "group", "none|day|month|folder|alike", \.browser.order.grouping, words(),
            "headings above the pictures"),
        flag("reverse", \.browser.order.isReversed, true, "reverse the order"),
        text("filter", "TEXT", "only pictures that match, see Conditions") {
            if let mistake = PictureQuery($1).mistake {
                throw UsageError(quoting: $1, mistake)
            }
            $0.browser.order.filter = $1
        },
        text("recipe", "FILE", isRepeatable: true, "a site recipe to try first") {
            $0.recipeFiles.append($1)
        },
        text(
            "output", "DIR", note: "the current one", "the folder that s saves to, made if need be"
        ) { options, path in
            guard access(path.cPath, W_OK | X_OK) == 0 || errno == ENOENT else {
                throw UsageError(quoting: path, "is not a writable folder")
            }
            options.saving.target = path
        },
        text("name", "TEMPLATE", note: "{name}.{ext}", "how saved files are named, see Names") {
            options, text in
            options.saving.template = try blaming(UsageError.quoted(text)) {
                try NameTemplate(text)
            }
        },
        flag("write-json", \.saving.writesRecords, true, "write what --json prints beside a file"),
        flag("again", \.saving.isAgain, true, "save also what was saved before"),
        number(
            "max-pixels", "MP", 1...10_000, \.maxPixels, unit: 1_000_000,
            "refuse a larger picture, in megapixels"),
    ]

    private static let network: [OptionSpec] = [
        number(
            "connections", "N", 1...64, \.network.connectionsPerHost,
            "requests at once to one host"),
        number(
            "timeout", "SECONDS", 1...3600, \.network.timeout,
            "limit for connecting, and for a pause in a transfer"),
        number(
            "min-rate", "BYTES", 0...1_000_000_000, \.network.minRate,
            "a transfer that stays below this rate per second for 30 s is given up"),
        text(
            "pause", "S[-S]", note: "none",
            "seconds between two requests to one host; of a range, random ones"
        ) { $0.network.pace.pause = try PaceOptions.pause($1) },
        text("limit-rate", "BYTES", note: "none", "bytes a second from one host, as 200k or 1M") {
            $0.network.pace.rate = try PaceOptions.rate($1)
        },
        number(
            "retries", "N", 0...20, \.network.retries,
            "further attempts after a timeout, a lost connection or a busy server's answer"),
        text(
            "user-agent", "S", defaultValue: Options().network.userAgent, "the User-Agent header"
        ) { options, text in
            try requireHeaderSafe(text)
            options.network.userAgent = text
        },
        text(
            "header", "'K: V'", isRepeatable: true,
            "a header for the SOURCE's own scheme, host and port"
        ) { $0.network.headers.append(try header($1)) },
        text("cookies", "FILE", "cookies for the SOURCE's own host, in Netscape format") {
            options, path in
            guard access(path.cPath, R_OK) == 0 else {
                throw UsageError(quoting: path, "cannot be read")
            }
            options.network.cookieFile = path
        },
        OptionSpec(
            name: "cookies-from-browser", placeholder: "firefox|firefox:PROFILE",
            values: .words(["firefox"]), meaning: "cookies of Firefox for the SOURCE's own host"
        ) { options, text in
            let (browser, profile) = text.halves(at: ":")
            guard browser == "firefox" else {
                throw UsageError(
                    quoting: text,
                    "is not firefox (Chromium's are encrypted; --cookies reads a file)")
            }
            options.firefoxProfile = profile ?? ""
        },
        choice(
            "browser", "auto|never|always", \.network.rendering, words(),
            "draw pages by a browser that is installed; auto: if they show nothing without scripts"),
        choice(
            "referer", "auto|none", \.network.sendsReferer, [("auto", true), ("none", false)],
            "whether Referer is sent"),
        number(
            "max-bytes", "MB", 1...4096, \.network.maxBytes, unit: 1 << 20,
            "refuse a larger download; local pictures may have 1 GB"),
        flag(
            "allow-private", \.network.allowsPrivate, true,
            "let public pages load pictures from private addresses"),
    ]

    /// What stands below `sites` in the configuration only.
    static let ofSites = [
        text("user", "NAME", "the name to log in with") { $0.login.user = $1 },
        text("password-command", "WORD", "a program that prints the password") {
            $0.login.program.append($1)
        },
    ]

    private static let cache: [OptionSpec] = [
        text("cache", "DIR", note: "$XDG_CACHE_HOME/halftone", "the disk cache") {
            $0.cacheFolder = $1
        },
        number(
            "cache-size", "MB", 1...1_000_000, \.network.cacheBytes, unit: 1 << 20,
            "size of the disk cache"),
        flag("no-cache", \.usesCache, false, "do without the disk cache"),
        flag("no-state", \.usesState, false, "keep no places, bookmarks and histories"),
        flag("offline", \.network.isOffline, true, "never touch the network"),
    ]

    private static let output: [OptionSpec] = [
        text("save", "TARGET", "save all pictures into a folder, FILE.cbz or FILE.warc.gz") {
            $0.saving.target = $1
            $0.savesAll = true
        },
        text(
            "index", "DIR",
            "learn how the pictures of a folder and its sub-folders look, to know them elsewhere, and end"
        ) {
            $0.mode = .index
            $0.sources.append($1)
        },
        flag("print", \.mode, .print, "draw a contact sheet to standard output"),
        text(
            "size", "WxH",
            "the cells that --print fills, with one picture or as many as fit; in fzf its preview"
        ) { options, text in
            let (columns, rows) = try pair(text, "x", in: 1...1000)
            options.pane = CellSize(columns: columns, rows: rows)
        },
        text(
            "place", "X,Y", "the column and row of the screen, from 0, where --size begins"
        ) { $0.corner = try pair($1, ",", in: 0...9999) },
        flag(
            "choose", letter: "o", \.browser.isChooser, true,
            "Enter prints the marked paths or addresses, or this one"),
        text(
            "choose-file", "FILE",
            "the same, but Enter and Q write them to a file, else left alone"
        ) {
            $0.chosenFile = $1
            $0.browser.isChooser = true
        },
        text("print-field", "NAME", "what -o and Q print instead: title, or any key of a JSON line")
        {
            $0.browser.printedField = $1
        },
        text("heading", "TEXT", "the top line, instead of the gallery's path") {
            $0.browser.heading = $1.oneLine()
        },
        flag(
            "urls", \.mode, .urls, "print each picture's URL (the default without a terminal)"),
        flag("paths", \.printsPaths, true, "the same, but local files as paths"),
        flag("json", \.mode, .json, "print one JSON object per picture"),
        flag(
            "new", \.mode, .new,
            "print what is new in all followed galleries like --json; then it counts as seen"),
        flag(
            "print0", \.isNulTerminated, true,
            "end each name that -o, Q or --urls prints with a NUL"),
        flag(
            "compare", \.browser.showsVersions, true,
            "two pictures side by side, or all with the same names in two folders, where they differ: x and d"
        ),
        flag(
            "explain", \.mode, .explain, "print why each picture and next page was accepted or not"
        ),
        flag(
            "make-recipe", \.mode, .makeRecipe, "print a site recipe for the page, to be edited"),
        flag(
            "check-recipes", \.mode, .checkRecipes,
            "print how many pictures your recipes find on the pages that they name, and end"),
    ]

    private static let program: [OptionSpec] = [
        flag(
            "show", \.mode, .show,
            "show each SOURCE in the halftone beside, or else in a new pane, and end"),
        text("split", "right|below[:PERCENT]", "where that pane is opened, by default right:40") {
            let parts = $1.split(separator: ":", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count), ["right", "below"].contains(parts[0]) else {
                throw UsageError(quoting: $1, "is neither right nor below")
            }
            $0.split.isBelow = parts[0] == "below"
            if parts.count == 2 { $0.split.percent = try number(parts[1], in: 5...95) }
        },
        flag("no-socket", \.hasOwnSocket, false, "no pictures of other programs' are shown"),
        text("ipc", "SOCKET", "let other programs control this one, in mpv's JSON dialect") {
            $0.socket = $1
        },
        choice(
            "ipc-commands", "WHICH", \.allowsAllRemotely, [("safe", false), ("all", true)],
            "what they may do; all: also run programs and change files"),
        text(
            "remote", "LINE",
            "send a line to the halftone that listens at --ipc or $HALFTONE_SOCKET"
        ) {
            $0.remoteLine = $1
        },
        text(
            "remote-program", "PROGRAM", note: "brought there",
            "the halftone that ssh:// addresses run on their machine, if it is installed there"
        ) {
            $0.remoteProgram = $1
        },
        text(
            "forget-host", "HOST",
            "remove the program that ssh://HOST has brought to that machine, and end"
        ) {
            $0.mode = .forgetHost
            $0.sources.append("\(SSHHost.scheme)\($1)")
        },
        text(
            "config", "FILE", note: "$XDG_CONFIG_HOME/halftone/config.json", "the configuration"
        ) { $0.configFile = $1 },
        flag(
            "print-config", \.mode, .printConfig,
            "print every option and key as a commented configuration"),
        flag("no-config", \.usesConfig, false, "read no configuration"),
        flag("no-sandbox", \.usesSandbox, false, "decode pictures in this process"),
        text(
            "record", "FILE", "keep what arrives from the web in a new FILE.warc.gz, to be opened"
        ) { $0.recording = $1 },
        text("trace", "FILE", "write a trace in Trace Event Format") { $0.traceFile = $1 },
        flag(
            "forget", \.mode, .forget, "forget all places, bookmarks and histories, and end"),
        flag("version", \.mode, .version, "print the version, and what confines the decoders"),
        flag("help", letter: "h", \.mode, .help, "print this help"),
    ]
}

// MARK: Kinds of options

extension OptionSpec {
    private typealias Setting<Value> = any WritableKeyPath<Options, Value> & Sendable
    private typealias Choices<Value> = [(word: String, value: Value)]

    /// A switch, which gives `setting` this value.
    private static func flag<Value: Sendable>(
        _ name: String, letter: Character? = nil, _ setting: Setting<Value>, _ value: Value,
        _ meaning: String
    ) -> OptionSpec {
        OptionSpec(name: name, letter: letter, meaning: meaning) { options, _ in
            options[keyPath: setting] = value
        }
    }

    /// A whole number of units.
    private static func number(
        _ name: String, _ placeholder: String, _ range: ClosedRange<Int>, _ setting: Setting<Int>,
        unit: Int = 1, _ meaning: String
    ) -> OptionSpec {
        OptionSpec(
            name: name, placeholder: placeholder, values: .number(range),
            defaultValue: "\(Options()[keyPath: setting] / unit)", meaning: meaning
        ) { options, text in
            options[keyPath: setting] = try number(text, in: range) * unit
        }
    }

    /// One of several words, each for a value of `setting`.
    private static func choice<Value: Equatable & Sendable>(
        _ name: String, _ placeholder: String, _ setting: Setting<Value>,
        _ choices: Choices<Value>, _ meaning: String
    ) -> OptionSpec {
        let words = choices.map(\.word)
        let standard = Options()[keyPath: setting]
        return OptionSpec(
            name: name, placeholder: placeholder, values: .words(words),
            defaultValue: choices.first { $0.value == standard }?.word, meaning: meaning
        ) { options, text in
            guard let choice = choices.first(where: { $0.word == text }) else {
                throw UsageError(
                    quoting: text, "is not one of \(words.joined(separator: ", "))")
            }
            options[keyPath: setting] = choice.value
        }
    }

    /// A text, or the path of a FILE or DIR.
    private static func text(
        _ name: String, _ placeholder: String, defaultValue: String? = nil, note: String? = nil,
        isRepeatable: Bool = false, _ meaning: String,
        set: @escaping @Sendable (inout Options, String) throws -> Void
    ) -> OptionSpec {
        OptionSpec(
            name: name, placeholder: placeholder,
            values: placeholder == "FILE" ? .file : placeholder == "DIR" ? .folder : .text,
            defaultValue: defaultValue, defaultNote: note, isRepeatable: isRepeatable,
            meaning: meaning, set: set)
    }

    /// The values of an enumeration by their names.
    private static func words<Value: RawRepresentable<String> & CaseIterable>() -> Choices<Value> {
        Value.allCases.map { ($0.rawValue, $0) }
    }

    private static func wordsOrAuto<Value: RawRepresentable<String> & CaseIterable>()
        -> Choices<Value?>
    { [("auto", nil)] + Value.allCases.map { ($0.rawValue, $0) } }

    private static func number(
        _ text: some StringProtocol, in range: ClosedRange<Int>
    ) throws(UsageError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                quoting: "\(text)",
                "is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func pair(
        _ text: String, _ separator: Character, in range: ClosedRange<Int>
    ) throws -> (Int, Int) {
        let numbers = try text.split(separator: separator).map {
            try number($0, in: range)
        }
        guard numbers.count == 2 else {
            throw UsageError(quoting: text, "is not two numbers around a '\(separator)'")
        }
        return (numbers[0], numbers[1])
    }

    /// Rejects names in braces that no picture has.
    private static func template(_ text: String) throws(UsageError) -> String {
        if let mistake = text.mistake(amongNames: BrowserOptions.valueNames) {
            throw UsageError(quoting: text, mistake)
        }
        return text
    }

    private static func header(_ text: String) throws(UsageError) -> (name: String, value: String) {
        try requireHeaderSafe(text)
        let (name, value) = text.halves(at: ":")
        guard let value, !name.isEmpty, name.allSatisfy({ $0.isASCII && !$0.isWhitespace }) else {
            throw UsageError(quoting: text, "is not of the form 'Name: value'")
        }
        return (name, String(value.drop(while: \.isWhitespace)))
    }

    /// Rejects line breaks and other control characters, which could inject further headers.
    private static func requireHeaderSafe(_ text: String) throws(UsageError) {
        guard isSafeInHeader(text) else {
            throw UsageError("value", "contains control characters")
        }
    }
}

/// Returns the number of insertions, deletions and replacements that turn `left` into `right` (Levenshtein 1966).
func editDistance(_ left: String, _ right: String) -> Int {
    let target = Array(right)
    var previous = Array(0...target.count)
    for (row, letter) in left.prefix(64).enumerated() {
        var current = [row + 1]
        for (column, other) in target.enumerated() {
            let replaced = previous[column] + (letter == other ? 0 : 1)
            current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
        }
        previous = current
    }
    return previous[target.count]
}
