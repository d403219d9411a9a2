import Basics
import Browser
import Gallery
import Glibc
import Network
import Raster

/// The settings from the command line and the configuration.
struct Options: Sendable {
    /// The program's mode of operation.
    enum Mode: Sendable {
        /// Browse the pictures, or list their addresses if standard output is not a terminal.
        case browse
        case print, urls, json, explain, makeRecipe, help, version, printConfig
    }

    var mode = Mode.browse
    var sources: [String] = []
    /// Whether the list on standard input is NUL-separated.
    var isNulSeparated = false
    /// Whether a folder and all its subfolders form one gallery.
    var isRecursive = false
    var layout = Layout.grid
    var tileColumns = 24
    /// Nil selects the finest set that the terminal is known to draw.
    var blocks: BlockSet?
    /// Nil selects what the terminal has been found to support.
    var graphics: Graphics?
    /// Nil detects the terminal's colour depth.
    var depth: ColorDepth?
    var dither = Dither.auto
    var isTinted = true
    var isAnimated = true
    /// The number of pages that a section loads; nil means no limit on the screen, and one page otherwise.
    var pageLimit: Int?
    var recipeFiles: [String] = []
    var network = NetworkOptions()
    /// The cache folder, unless `usesCache` is false; nil is the default.
    var cacheFolder: String?
    var usesCache = true
    var maxPixels = 100_000_000
    var order = PictureOrder()
    /// The folder for saved pictures; nil is the working directory.
    var outputFolder: String?
    var configFile: String?
    var usesConfig = true
    var traceFile: String?
    /// Whether pictures are decoded in sandboxed processes.
    var usesSandbox = true
    /// New keys for commands, by the command's name, from the configuration.
    var keys: [String: [String]] = [:]
    /// Whether Enter prints the chosen pictures and quits.
    var isChooser = false
}

/// An error in the command line or configuration: one line with its subject and reason.
struct UsageError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, such as an option or a file.
    var subject: String
    var reason: String

    var description: String { "\(subject): \(reason)" }
}

/// An option: its name, its help, and the setting it changes.
///
/// The table drives the parser, the configuration, the help, the manual page and the tests.
struct OptionSpec: Sendable {
    /// The long name, without dashes.
    let name: String
    /// The name of the value in the help; nil for a switch.
    let placeholder: String?
    let help: String
    /// The equivalent one-letter option.
    private(set) var letter: Character?
    private(set) var group = Group.program
    /// Makes writes to a closed connection or pipe, or beyond the file size limit, fail with an error instead of killing the process.
    let apply: @Sendable (inout Options, String) throws -> Void

    /// The headings in the help.
    enum Group: String, CaseIterable {
        case look = "How it looks"
        case gallery = "Which pages and pictures"
        case network = "Network"
        case cache = "Cache"
        case output = "Without a screen"
        case program = "The program"
    }

    private static func value(
        _ name: String, _ placeholder: String, _ help: String,
        apply: @escaping @Sendable (inout Options, String) throws -> Void
    ) -> OptionSpec {
        OptionSpec(name: name, placeholder: placeholder, help: help, apply: apply)
    }

    private static func flag(
        _ name: String, _ help: String, letter: Character? = nil,
        apply: @escaping @Sendable (inout Options) -> Void
    ) -> OptionSpec {
        OptionSpec(name: name, placeholder: nil, help: help, letter: letter) { options, _ in
            apply(&options)
        }
    }
}

extension OptionSpec {
    /// All options, in the order of the help.
    static let all = [
        (Group.look, look), (.gallery, gallery), (.network, network), (.cache, cache),
        (.output, output), (.program, program),
    ].flatMap { group, specs in
        specs.map { spec in
            var spec = spec
            spec.group = group
            return spec
        }
    }

    private static let look: [OptionSpec] = [
        .value("layout", "list|grid", "first layout (grid)") { $0.layout = try choice($1) },
        .value("tile", "N", "width of a grid thumbnail in cells, 8 to 120 (24)") {
            $0.tileColumns = try number($1, in: 8...120)
        },
        .value(
            "blocks", "SET", "auto, half, quadrant, sextant, octant, braille or ascii (auto)"
        ) { $0.blocks = $1 == "auto" ? nil : try choice($1, also: ["auto"]) },
        .value(
            "colors", "DEPTH", "auto, truecolor, 256, 16, 8 or mono (auto; honours NO_COLOR)"
        ) { $0.depth = $1 == "auto" ? nil : try choice($1, also: ["auto"]) },
        .value(
            "graphics", "HOW",
            "pixels: auto (what the terminal proves to show; in tmux with "
                + "allow-passthrough), none, kitty, sixel or iterm (auto)"
        ) { $0.graphics = $1 == "auto" ? nil : try choice($1, also: ["auto"]) },
        .value("dither", "HOW", "auto, none, noise or diffusion, below truecolor (auto)") {
            $0.dither = try choice($1)
        },
        .flag("no-tint", "do not tint tiles with their dominant colour") { $0.isTinted = false },
        .flag("no-animation", "nothing moves by itself: no spinner, no animations") {
            $0.isAnimated = false
        },
    ]

    private static let gallery: [OptionSpec] = [
        .flag("recursive", "a folder with all its sub-folders as one gallery", letter: "r") {
            $0.isRecursive = true
        },
        .flag("null", "names on standard input are separated by NULs", letter: "0") {
            $0.isNulSeparated = true
        },
        .value("pages", "N|all", "pages to follow in a section (on demand; 1 without a screen)") {
            $0.pageLimit = $1 == "all" ? .max : try number($1, in: 1...1_000_000)
        },
        .value("sort", "ORDER", "page, title, name, date, size or pixels (page)") {
            $0.order.key = try choice($1)
        },
        .flag("reverse", "reverse the order") { $0.order.isReversed = true },
        .value("filter", "TEXT", "only pictures with TEXT in title, name or caption") {
            $0.order.filter = $1
        },
        .value("recipe", "FILE", "a site recipe to try first; repeatable") {
            $0.recipeFiles.append($1)
        },
        .value("output", "DIR", "the folder that s saves to (the current one)") {
            guard access($1, W_OK | X_OK) == 0 else {
                throw UsageError(subject: quoted($1), reason: "is not a writable folder")
            }
            $0.outputFolder = $1
        },
        .value("max-pixels", "MP", "refuse a larger picture, in megapixels (100)") {
            $0.maxPixels = try number($1, in: 1...10_000) * 1_000_000
        },
    ]

    private static let network: [OptionSpec] = [
        .value("connections", "N", "at most N requests at once to one host (6)") {
            $0.network.connectionsPerHost = try number($1, in: 1...64)
        },
        .value("timeout", "SECONDS", "limit for connecting, and for a pause in a transfer (15)") {
            $0.network.timeout = try number($1, in: 1...3600)
        },
        .value("retries", "N", "further attempts after a failure (2)") {
            $0.network.retries = try number($1, in: 0...20)
        },
        .value("user-agent", "S", "the User-Agent header") {
            try requireHeaderSafe($1)
            $0.network.userAgent = $1
        },
        .value(
            "header", "'K: V'", "a header for the SOURCE's own scheme, host and port; repeatable"
        ) {
            $0.network.headers.append(try header($1))
        },
        .value("cookies", "FILE", "cookies for the SOURCE's own host, in Netscape format") {
            guard access($1, R_OK) == 0 else {
                throw UsageError(subject: quoted($1), reason: "cannot be read")
            }
            $0.network.cookieFile = $1
        },
        .value("referer", "auto|none", "whether Referer is sent (auto)") {
            guard $1 == "auto" || $1 == "none" else {
                throw UsageError(subject: $1, reason: "is neither auto nor none")
            }
            $0.network.sendsReferer = $1 == "auto"
        },
        .value("max-bytes", "MB", "refuse a larger download (64)") {
            $0.network.maxBytes = try number($1, in: 1...4096) << 20
        },
        .flag("allow-private", "let public pages load pictures from private addresses") {
            $0.network.allowsPrivate = true
        },
    ]

    private static let cache: [OptionSpec] = [
        .value("cache", "DIR", "the disk cache ($XDG_CACHE_HOME/halftone)") {
            $0.cacheFolder = $1
        },
        .value("cache-size", "MB", "size of the disk cache (512)") {
            $0.network.cacheBytes = try number($1, in: 1...1_000_000) << 20
        },
        .flag("no-cache", "keep nothing on disk") { $0.usesCache = false },
        .flag("offline", "never touch the network") { $0.network.isOffline = true },
    ]

    private static let output: [OptionSpec] = [
        .flag("print", "draw a contact sheet to standard output") { $0.mode = .print },
        .flag("choose", "Enter prints the marked paths or addresses, or this one", letter: "o") {
            $0.isChooser = true
        },
        .flag("urls", "print each picture's URL (the default without a terminal)") {
            $0.mode = .urls
        },
        .flag("json", "print one JSON object per picture") { $0.mode = .json },
        .flag("explain", "print why each picture and next page was accepted or not") {
            $0.mode = .explain
        },
        .flag("make-recipe", "print a site recipe for the page, to be edited") {
            $0.mode = .makeRecipe
        },
    ]

    private static let program: [OptionSpec] = [
        .value("config", "FILE", "the configuration ($XDG_CONFIG_HOME/halftone/config.json)") {
            $0.configFile = $1
        },
        .flag("print-config", "print every option and key as a commented configuration") {
            $0.mode = .printConfig
        },
        .flag("no-config", "read no configuration") { $0.usesConfig = false },
        .flag("no-sandbox", "decode pictures in this process") { $0.usesSandbox = false },
        .value("trace", "FILE", "write a trace in Trace Event Format") { $0.traceFile = $1 },
        .flag("version", "print the version, and what confines the decoders") {
            $0.mode = .version
        },
        .flag("help", "print this help", letter: "h") { $0.mode = .help },
    ]
}

extension OptionSpec {
    /// Parses an integer within `range`.
    static func number(_ text: String, in range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                subject: quoted(text),
                reason: "is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Parses the raw value of an enumeration.
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String, also more: [String] = []
    ) throws(UsageError) -> Choice {
        guard let choice = Choice(rawValue: text) else {
            let words = more + Choice.allCases.map(\.rawValue)
            throw UsageError(
                subject: quoted(text), reason: "is not one of \(words.joined(separator: ", "))")
        }
        return choice
    }

    static func header(_ text: String) throws(UsageError) -> (name: String, value: String) {
        try requireHeaderSafe(text)
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let isToken: (Character) -> Bool = { $0.isASCII && !$0.isWhitespace }
        guard parts.count == 2, !parts[0].isEmpty, parts[0].allSatisfy(isToken) else {
            throw UsageError(subject: quoted(text), reason: "is not of the form 'Name: value'")
        }
        return (String(parts[0]), String(parts[1].drop(while: \.isWhitespace)))
    }

    /// Rejects line breaks and other control characters, which could inject further headers.
    static func requireHeaderSafe(_ text: String) throws(UsageError) {
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw UsageError(subject: "value", reason: "contains control characters")
        }
    }

    /// Returns `text` in quotes, without anything that could disturb a terminal.
    static func quoted(_ text: String) -> String { "'\(text.oneLine())'" }
}
