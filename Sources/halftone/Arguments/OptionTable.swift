import Browser
import Gallery
import Network
import Raster

/// One option: its name, its help, and what it sets.
///
/// The table drives the parser, the configuration, help and tests.
struct OptionSpec: Sendable {
    /// The long name, without dashes.
    let name: String
    /// What its value is called in the help; nil for a switch.
    let placeholder: String?
    /// What it does, with its default.
    let help: String
    /// Under which heading the help shows it.
    let group: Group
    /// Sets it, or throws a `UsageError`; the text is empty for a switch.
    let apply: @Sendable (inout Options, String) throws -> Void

    /// The headings of the help.
    enum Group: String, CaseIterable {
        case look = "How it looks"
        case gallery = "Which pages and pictures"
        case network = "Network"
        case cache = "Cache"
        case output = "Without a screen"
        case program = "The program"
    }
}

extension OptionSpec {
    /// Every option, in the order of the help.
    static let all: [OptionSpec] = look + gallery + network + cache + output + program

    private static let look: [OptionSpec] = [
        OptionSpec("layout", "list|grid", "first layout (grid)", .look) { options, text in
            options.layout = try Self.choice(text)
        },
        OptionSpec("tile", "N", "width of a grid thumbnail in cells, 8 to 120 (24)", .look) {
            options, text in
            options.tileColumns = try Self.number(text, in: 8...120)
        },
        OptionSpec(
            "blocks", "SET", "half, quadrant, sextant, octant, braille or ascii (half)", .look
        ) { options, text in options.blocks = try Self.choice(text) },
        OptionSpec(
            "colors", "DEPTH", "auto, truecolor, 256, 16, 8 or mono (auto; honours NO_COLOR)", .look
        ) { options, text in
            options.depth = text == "auto" ? nil : try Self.choice(text, also: ["auto"])
        },
        OptionSpec(
            "dither", "HOW", "auto, none, noise or diffusion, below truecolor (auto)", .look
        ) { options, text in options.dither = try Self.choice(text) },
        OptionSpec("no-tint", nil, "no dominant colour behind a thumbnail", .look) { options, _ in
            options.isTinted = false
        },
    ]

    private static let gallery: [OptionSpec] = [
        OptionSpec(
            "pages", "N|all", "pages a section follows (on demand; 1 without a screen)", .gallery
        ) { options, text in
            options.pageLimit =
                text == "all" ? .all : .pages(try Self.number(text, in: 1...1_000_000))
        },
        OptionSpec("sort", "ORDER", "page, title or date (page)", .gallery) { options, text in
            options.order.key = try Self.choice(text)
        },
        OptionSpec("reverse", nil, "the other way round", .gallery) { options, _ in
            options.order.isReversed = true
        },
        OptionSpec("filter", "TEXT", "only pictures with TEXT in title or URL", .gallery) {
            options, text in options.order.filter = text
        },
        OptionSpec("recipe", "FILE", "a site recipe to try first; repeatable", .gallery) {
            options, text in options.recipeFiles.append(text)
        },
        OptionSpec("output", "DIR", "where s saves (the folder it runs in)", .gallery) {
            options, text in options.outputFolder = text
        },
        OptionSpec("max-pixels", "MP", "refuse a larger picture, in megapixels (100)", .gallery) {
            options, text in
            options.maxPixels = try Self.number(text, in: 1...10_000) * 1_000_000
        },
    ]

    private static let network: [OptionSpec] = [
        OptionSpec("connections", "N", "at most N requests at once to one host (6)", .network) {
            options, text in
            options.network.connectionsPerHost = try Self.number(text, in: 1...64)
        },
        OptionSpec(
            "timeout", "SECONDS", "to connect, and without a byte (15)", .network
        ) { options, text in options.network.timeout = try Self.number(text, in: 1...3600) },
        OptionSpec("retries", "N", "tries after the first (2)", .network) { options, text in
            options.network.retries = try Self.number(text, in: 0...20)
        },
        OptionSpec("user-agent", "S", "the User-Agent header", .network) { options, text in
            try Self.requireHeaderSafe(text)
            options.network.userAgent = text
        },
        OptionSpec(
            "header", "'K: V'", "a further header, for the SOURCE's own host; repeatable", .network
        ) { options, text in options.network.headers.append(try Self.header(text)) },
        OptionSpec("cookies", "FILE", "cookies, in Netscape format", .network) { options, text in
            options.network.cookieFile = text
        },
        OptionSpec("referer", "auto|none", "whether Referer is sent (auto)", .network) {
            options, text in
            guard text == "auto" || text == "none" else {
                throw UsageError(subject: text, reason: "is neither auto nor none")
            }
            options.network.sendsReferer = text == "auto"
        },
        OptionSpec("max-bytes", "MB", "refuse a larger download (64)", .network) { options, text in
            options.network.maxBytes = try Self.number(text, in: 1...4096) << 20
        },
        OptionSpec(
            "allow-private", nil,
            "let a public page's pictures come from private addresses", .network
        ) { options, _ in options.network.allowsPrivate = true },
    ]

    private static let cache: [OptionSpec] = [
        OptionSpec(
            "cache", "DIR", "the disk cache ($XDG_CACHE_HOME/halftone)", .cache
        ) { options, text in options.cacheFolder = text },
        OptionSpec("cache-size", "MB", "its size (512)", .cache) { options, text in
            options.network.cacheBytes = try Self.number(text, in: 1...1_000_000) << 20
        },
        OptionSpec("no-cache", nil, "keep nothing on disk", .cache) { options, _ in
            options.usesCache = false
        },
        OptionSpec("offline", nil, "never touch the network", .cache) { options, _ in
            options.network.isOffline = true
        },
    ]

    private static let output: [OptionSpec] = [
        OptionSpec("print", nil, "draw the contact sheet to standard output", .output) {
            options, _ in options.mode = .print
        },
        OptionSpec(
            "urls", nil, "print each picture's URL (the default without a terminal)", .output
        ) { options, _ in options.mode = .urls },
        OptionSpec("json", nil, "print one JSON object a picture", .output) { options, _ in
            options.mode = .json
        },
        OptionSpec(
            "explain", nil, "print why each picture and next page was taken or not", .output
        ) { options, _ in options.mode = .explain },
    ]

    private static let program: [OptionSpec] = [
        OptionSpec(
            "config", "FILE", "the configuration ($XDG_CONFIG_HOME/halftone/config.json)", .program
        ) { options, text in options.configFile = text },
        OptionSpec("no-config", nil, "read no configuration", .program) { options, _ in
            options.usesConfig = false
        },
        OptionSpec(
            "trace", "FILE", "write what it does as Trace Event Format", .program
        ) { options, text in options.traceFile = text },
        OptionSpec("version", nil, "print the version", .program) { options, _ in
            options.mode = .version
        },
        OptionSpec("help", nil, "print this help", .program) { options, _ in
            options.mode = .help
        },
    ]

    private init(
        _ name: String, _ placeholder: String?, _ help: String, _ group: Group,
        _ apply: @escaping @Sendable (inout Options, String) throws -> Void
    ) {
        self.name = name
        self.placeholder = placeholder
        self.help = help
        self.group = group
        self.apply = apply
    }
}
