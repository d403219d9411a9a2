import Basics
import Browser
import Collector
import Dispatch
import Gallery
import Glibc
import Network
import Pipeline
import Raster
import Remote
import Sandbox
import State
import Terminal
import Trace

/// One run of the program, from its arguments to the exit code.
@MainActor struct Program {
    let environment: Environment
    /// Starts the decoder sandbox, now or when a picture is decoded; nil if it cannot be started.
    let startSandbox: (Bool) -> Sandbox?

    /// Runs the program with `arguments` (without the program's name); returns the exit code.
    func run(_ arguments: [String]) -> Int32 {
        do throws(UsageError) {
            var asked = Options()
            try asked.apply(arguments)
            // Must come before any thread is started and any external data is read.
            let sandbox =
                asked.usesSandbox
                ? startSandbox([.browse, .print, .version].contains(asked.mode)) : nil
            if let line = asked.remoteLine { return try ask(line, asked.socket) }
            let (options, notes) = try readOptions(arguments, asked)
            let decoders = Decoders(options, sandbox)
            switch options.mode {
            case .help: return write(HelpText.text)
            case .printConfig: return write(Configuration.commented)
            case .forget:
                guard asked.sources.isEmpty else {
                    throw UsageError("--forget", "takes no value; --forget-host does")
                }
                let error = environment.stateFolder.flatMap {
                    StateStore(folder: $0, report: complain).forget()
                }
                error.map(complain)
                return error == nil ? EXIT_SUCCESS : EXIT_FAILURE
            case .version:
                return write("\(HelpText.version)\ndecoders: \(decoders.words)\n")
            case .show where environment.variables[PicturePane.variable] == nil:
                return try show(options, decoders, notes: notes)
            default:
                guard let host = options.sources.first(where: { $0.hasPrefix(SSHHost.scheme) })
                else { return try open(options, decoders, notes: notes) }
                defer { notes.forEach(complain) }
                return try SSHHost(source: host, options: options, environment: environment)
                    .run(arguments)
            }
        } catch {
            complain(error.description)
            // As documented in the manual.
            return 2
        }
    }

    /// Reads the configuration, then applies the command line on top.
    private func readOptions(
        _ arguments: [String], _ asked: Options
    ) throws(UsageError) -> (options: Options, notes: [String]) {
        guard asked.usesConfig, ![.help, .version, .printConfig].contains(asked.mode),
            let path = asked.configFile
                ?? environment.folder(
                    "XDG_CONFIG_HOME", fallback: ".config", name: "/halftone/config.json")
        else { return (asked, []) }
        let configuration = Configuration(
            path: path, isRequired: asked.configFile != nil,
            home: environment.home)
        var options = configuration.options
        try options.apply(arguments)
        return (options, configuration.mistakes)
    }

    /// Shows pictures in the program beside or in a new pane, or prints them; returns at once.
    private func show(
        _ options: Options, _ decoders: Decoders, notes: [String]
    ) throws(UsageError) -> Int32 {
        let (sources, missing) = try sources(of: options)
        missing.forEach(complain)
        guard !sources.isEmpty else { return EXIT_FAILURE }
        signal(SIGPIPE, SIG_IGN)
        let names = sources.map { $0.address.filePath ?? $0.address.text }
        do throws(RemoteError) {
            if try PicturePane(environment: environment, split: options.split).show(names) {
                return missing.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE
            }
        } catch {
            complain(error.description)
            return EXIT_FAILURE
        }
        var options = options
        options.mode = .print
        options.sources = names
        defer { StandardInput.removeKept(names, in: environment.socketFolder) }
        return try open(options, decoders, notes: notes)
    }

    /// Returns what the arguments of `--show` name, each by itself, and one line for each that is nothing.
    private func sources(of options: Options) throws(UsageError) -> ([Source], missing: [String]) {
        guard !options.sources.isEmpty else {
            throw UsageError("--show", "needs a SOURCE")
        }
        let parser = SourceParser(workingDirectory: environment.workingFolder)
        var (sources, missing): ([Source], [String]) = ([], [])
        for argument in options.sources {
            let names =
                argument == "-"
                ? try StandardInput.arguments(options) { bytes throws(UsageError) in
                    try StandardInput.file(bytes, in: environment.socketFolder)
                } : [argument]
            for name in names {
                do throws(SourceError) {
                    sources.append(try parser.source(name))
                } catch {
                    missing.append("\(UsageError.quoted(name)): \(error)")
                }
            }
        }
        return (sources, missing)
    }

    private func open(
        _ options: Options, _ decoders: Decoders, notes: [String]
    ) throws(UsageError) -> Int32 {
        // What this program starts is not to control the one that has started it.
        unsetenv("HALFTONE_SOCKET")
        unsetenv(PicturePane.variable)
        var options = options
        let isPane = options.mode == .show
        if isPane { options.mode = .browse }
        if options.browser.showsVersions { options.browser.order = PictureOrder() }
        if options.mode == .browse,
            options.savesAll || options.printsPaths
                || !options.browser.isChooser && isatty(STDOUT_FILENO) == 0
        {
            options.mode = .urls
        }
        let isBrowsing = options.mode == .browse
        if let columns = environment.cells("FZF_PREVIEW_COLUMNS"),
            let rows = environment.cells("FZF_PREVIEW_LINES")
        {
            options.pane = options.pane ?? CellSize(columns: columns, rows: rows)
        }
        if options.corner != nil, options.pane == nil {
            throw UsageError("--place", "needs --size")
        }
        let errors = Locked<[String]>([])
        let folder = options.usesState ? environment.stateFolder : nil
        let state = folder.map { StateStore(folder: $0, report: errors.add) }
        if options.mode == .index, state == nil {
            throw UsageError("--index", "nothing is kept with --no-state")
        }
        let recipes = try Composition.ownRecipes(options, environment)
        if options.mode == .checkRecipes { options.sources = recipes.compactMap(\.test) }
        // A pane is told later what to show.
        let (sources, missing, hint, stream) =
            isPane
            ? ([ShownPictures.source], [], [], nil) : try readSources(options, state, decoders)
        let warnings = notes + missing
        // Cookies and header fields are for hosts that the user has named, not for those of followed galleries.
        let named = sources.filter { !$0.isNews }
        let cookies = try takeCookies(&options, for: named)
        // A screen would cover them, so there they follow it.
        if !isBrowsing { (cookies + warnings).forEach(complain) }
        defer { if isBrowsing { warnings.forEach(complain) } }
        if sources.isEmpty {
            if !missing.isEmpty { return EXIT_FAILURE }
            complain("nothing differs")
            return EXIT_SUCCESS
        }
        // Makes writes to a closed connection or pipe, or beyond the file size limit, fail with an error instead of killing the process.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // Must come before any thread is started.
        let report =
            options.mode == .print
            ? TerminalSession.outputTraits(
                environment: environment.variables, isAsking: options.corner == nil)
            : TerminalTraits()
        guard Sandbox.hasRoomForThreads else {
            complain(
                "no room for threads within the limits of processes and memory (ulimit -u, -v)")
            return EXIT_FAILURE
        }
        let parts = try Composition(
            options: options, sources: named, environment: environment, recipes: recipes,
            decoders: decoders, state: state, stream: stream)
        var code =
            isBrowsing
            ? Browsing(options: options, sources: sources, parts: parts, environment: environment)
                .run(notes: warnings + hint + cookies)
            : list(options, sources, parts, recipes, report: report)
        if options.browser.showsVersions, !isBrowsing {
            // As documented in the manual.
            code = missing.isEmpty ? 3 : EXIT_FAILURE
        }
        parts.pages.galleries.end()
        parts.pages.followed?.finish()
        // With a screen no noticeable delay, yet enough for some megabytes on a slow disk.
        parts.fetcher.store.finishWriting(milliseconds: isBrowsing ? 200 : 60_000)
        // Making the database takes a few milliseconds, and much longer on a busy disk.
        state?.finish(milliseconds: isBrowsing ? 2_000 : 60_000)
        errors.current.forEach(complain)
        var failures = parts.recorder?.finish().map { ["--record: \($0)"] } ?? []
        do {
            try parts.tracer.close()
        } catch {
            failures.append("--trace: \(error)")
        }
        failures.forEach(complain)
        return failures.isEmpty ? code : max(code, EXIT_FAILURE)
    }

    /// Takes Firefox's cookies for the hosts of `sources`, and returns a line about those of each.
    private func takeCookies(
        _ options: inout Options, for sources: [Source]
    ) throws(UsageError) -> [String] {
        let hosts = Set(sources.filter(\.address.isOnWeb).map(\.address.host)).sorted()
        guard let name = options.firefoxProfile, !hosts.isEmpty else { return [] }
        let profile = environment.firefoxProfile(name)
        guard let lines = profile.flatMap({ FirefoxCookies.lines(in: $0, for: hosts) }) else {
            throw UsageError(
                "--cookies-from-browser",
                "\(profile ?? "a profile of Firefox"): cannot be read")
        }
        options.network.cookieFile = try StandardInput.file(
            lines.joined().joined(separator: "\n").bytes)
        return zip(hosts, lines).map { host, found in
            "\(found.count) \(found.count == 1 ? "cookie" : "cookies") of Firefox for \(host)"
        }
    }

    /// Returns the sections to open, one line for each argument that is not a SOURCE, a hint if the user named none, and what is one of the
    /// sections if standard input is a list to be shown as it arrives.
    private func readSources(
        _ options: Options, _ state: StateStore?, _ decoders: Decoders
    ) throws(UsageError) -> (
        sources: [Source], missing: [String], hint: [String], stream: PictureStream?
    ) {
        var missing: [String] = []
        var hint: [String] = []
        var news: [Source] = []
        var named = options.sources
        if options.mode == .new {
            news = state?.news ?? []
            return (news, news.isEmpty ? ["--new: no gallery is followed"] : [], [], nil)
        }
        if named.isEmpty, options.mode == .checkRecipes {
            return ([], ["--check-recipes: no recipe names a test"], [], nil)
        }
        if named.isEmpty {
            let folder = environment.workingFolder
            if options.isNulSeparated || StandardInput.isGiven {
                named = ["-"]
            } else if options.mode != .browse || FolderReader.hasContents(inFolder: folder) {
                named = [folder]
            } else if let state, !state.recentPlaces(limit: 1).isEmpty,
                let folder = environment.stateFolder
            {
                named = ["\(folder)/state.db"]
                news = state.news
            } else if let resources = environment.resources() {
                named = ["\(resources)/Gallery/index.html"]
                hint = ["The bundled gallery; halftone FOLDER or halftone URL opens yours"]
            } else {
                throw UsageError(
                    "no SOURCE",
                    "name a folder, picture or URL; the bundled gallery was not found")
            }
        }
        let parser = SourceParser(
            workingDirectory: environment.workingFolder, fileServers: options.network.fileServers)
        if options.browser.showsVersions {
            let (pictures, failures) = try Comparison(options: options, sandbox: decoders.sandbox)
                .run(named, parser)
            let stream = PictureStream(parser: parser, known: pictures, title: "Compared")
            return (nonNil(stream?.source), failures, [], stream)
        }
        var beginning: [UInt8] = []
        // Header fields and cookies are for hosts that are known from the start.
        if named == ["-"], options.mode == .browse, options.network.headers.isEmpty,
            options.network.cookieFile == nil, options.firefoxProfile == nil
        {
            let (bytes, isWhole) = StandardInput.beginning(options)
            if !isWhole,
                let stream = PictureStream(
                    beginning: bytes, isNulSeparated: options.isNulSeparated, parser: parser)
            {
                return ([stream.source], [], hint, stream)
            }
            beginning = bytes
        }
        var arguments: [String] = []
        for argument in named {
            do throws(UsageError) {
                arguments +=
                    argument == "-"
                    ? try StandardInput.arguments(options, after: beginning) : [argument]
            } catch {
                missing.append(error.description)
            }
        }
        var (sources, mistakes) = parser.sources(arguments)
        if sources.count == 1, options.mode == .browse, !options.browser.isChooser, !options.isAlone
        {
            sources = sources.map { $0.surroundings ?? $0 }
        }
        return (
            news + sources, missing + mistakes.map { "\(UsageError.quoted($0)): \($1)" }, hint, nil
        )
    }

    private func list(
        _ options: Options, _ sources: [Source], _ parts: Composition, _ recipes: [Recipe],
        report: TerminalTraits
    ) -> Int32 {
        parts.begin(with: sources)
        let arrived = DispatchSemaphore(value: 0)
        let mailbox = Mailbox(wake: { arrived.signal() })
        let readers = sources.map {
            SectionReader(
                source: $0, pages: $0.isNews ? parts.news : parts.pages,
                pageLimit: options.pane == nil
                    ? options.browser.pageLimit ?? ($0.isNews ? 20 : 1) : 1,
                main: mailbox
            ) {
                arrived.wait()
                mailbox.drain()
            }
        }
        return output(isNulTerminated: options.isNulTerminated && options.mode == .urls) {
            output throws(OutputError) in
            if options.savesAll {
                return try SaveRun(options: options, sources: sources, parts: parts)
                    .save(to: &output)
            }
            var order = options.browser.order
            // The others would only be in the way of who prints what is alike.
            if order.grouping == .alike { order.filter = "have:yes \(order.filter)" }
            let walk = SectionWalk(
                readers: readers, order: order,
                showsSizes: [.json, .new].contains(options.mode),
                readFacts: { parts.indexer.facts(of: $0, compares: $1) },
                followed: options.mode == .new ? parts.pages.followed : nil)
            switch options.mode {
            case .checkRecipes: return try check(recipes, on: sources, parts, to: &output)
            case .index: return try index(sources, parts.indexer, to: &output)
            case .print:
                // Deferred, so that only pictures that need the first decoder wait for it.
                defer { parts.decoders.note.map(complain) }
                return try ContactSheet(
                    options: options, environment: environment, report: report,
                    thumbnails: parts.thumbnails, tracer: parts.tracer
                ).print(walk, to: &output)
            case .json, .new: return try walk.printRecords(to: &output)
            case .explain, .makeRecipe:
                return try walk.printExplanations(
                    parts.explanations, areRecipes: options.mode == .makeRecipe, to: &output)
            default:
                return try walk.printAddresses(asPaths: options.printsPaths, to: &output)
            }
        }
    }

    private func index(
        _ sources: [Source], _ indexer: PictureIndexer, to output: inout StandardOutput
    ) throws(OutputError) -> Bool {
        var total = 0
        for source in sources {
            guard source.address.isFile else {
                complain("\(source.argument): is not on this machine")
                continue
            }
            let count = indexer.read(source.address, progress: showProgress)
            showProgress("")
            try output.write(line: "\(source.argument): \(count) pictures indexed")
            total += count
        }
        return total > 0
    }

    /// Prints what each recipe finds on its test, one of `sources` unless that has been reported to be none.
    private func check(
        _ recipes: [Recipe], on sources: [Source], _ parts: Composition,
        to output: inout StandardOutput
    ) throws(OutputError) -> Bool {
        var isWell = true
        for recipe in recipes where recipe.test != nil {
            let result = sources.first { $0.argument == recipe.test }
                .map { parts.result(of: recipe, on: $0.address) }
            if let result {
                try output.write(line: "\(recipe.file.oneLine()): \(result.text)")
            }
            isWell = isWell && result?.isWell == true
        }
        return isWell
    }

    /// Sends a line to a program that runs, and prints what it answers.
    private func ask(_ line: String, _ socket: String?) throws(UsageError) -> Int32 {
        let pane = PicturePane(environment: environment)
        guard let path = socket ?? pane.socket else {
            throw UsageError("--remote", "no halftone runs that can be asked")
        }
        signal(SIGPIPE, SIG_IGN)
        do throws(RemoteError) {
            guard let data = try RemoteControl.ask(line, at: path) else { return EXIT_SUCCESS }
            return write("\(data)\n")
        } catch {
            complain(error.description)
            return EXIT_FAILURE
        }
    }

    private func write(_ text: String) -> Int32 {
        output { output throws(OutputError) in
            try output.write(text.utf8)
            return true
        }
    }

    /// Runs `print`, which returns whether everything succeeded; returns the exit code.
    private func output(
        isNulTerminated: Bool = false,
        _ print: (inout StandardOutput) throws(OutputError) -> Bool
    ) -> Int32 {
        var output = StandardOutput(isNulTerminated: isNulTerminated)
        do {
            let isWell = try print(&output)
            try output.flush()
            return isWell ? EXIT_SUCCESS : EXIT_FAILURE
        } catch {
            complain("standard output: \(error)")
            return EXIT_FAILURE
        }
    }
}
