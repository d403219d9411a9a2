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
import Terminal

/// An interactive run: the view model, the terminal, and the exit code.
@MainActor struct Browsing {
    let options: Options
    let sources: [Source]
    let parts: Composition
    let environment: Environment

    /// Shows the gallery until the user or a signal ends it; returns the exit code.
    ///
    /// `notes` are shown on the bottom line at the start.
    func run(notes: [String]) -> Int32 {
        do throws(TerminalError) {
            return try show(notes)
        } catch {
            complain("terminal: \(error)")
            return 1
        }
    }

    private func show(_ notes: [String]) throws(TerminalError) -> Int32 {
        let capabilities = try TerminalSession.Capabilities(
            environment: environment.variables, colors: options.depth, blocks: options.blocks,
            graphics: options.graphics)
        var notes = notes
        var server: RemoteServer?
        let folder =
            options.hasOwnSocket && options.usesState ? environment.socketFolder : nil
        do throws(RemoteError) {
            if let path = options.socket ?? folder.map({ "\($0)/\(getpid())" }) {
                server = try RemoteServer(path: path)
            }
        } catch {
            if options.socket != nil { notes.append("--ipc: \(error)") }
        }
        var services = parts.services
        services.running = CommandRunner(
            variables: environment.variables, socket: server.flatMap { realPath($0.path) })
        let wake = try WakePipe()
        let mailbox = Mailbox(wake: wake.wake)
        let model = BrowserModel(
            sources: sources, options: browserOptions(for: capabilities), pages: parts.pages,
            thumbnails: parts.thumbnails, main: mailbox, tracer: parts.tracer,
            services: services)
        if let blocks = options.blocks, blocks != capabilities.blocks {
            notes.append(
                "\(blocks.rawValue) blocks cannot be placed here; using \(capabilities.blocks.rawValue)"
            )
        }
        if !capabilities.isDescribed {
            notes.append(
                "TERM=\(capabilities.name) is not in the terminfo database; treated as xterm")
        }
        model.show(warnings: notes)
        // Must come before any other thread: ncurses changes the environment, which library threads read.
        let session = try TerminalSession(
            capabilities: capabilities, wake: wake, tracer: parts.tracer)
        let remote = server.map {
            RemoteControl(
                $0, model,
                options.socket == nil
                    ? .showing : options.allowsAllRemotely ? .everything : .browsing,
                at: PicturePane.places(environment.variables), main: mailbox)
        }
        defer {
            remote?.end()
            server?.end()
            StandardInput.removeKept(parts.pages.shown.paths, in: folder)
        }
        model.start()
        parts.begin(with: sources)
        let warning = Locked<String?>(nil)
        // Waits for the first decoder to report its protections.
        DispatchQueue.userInitiated.asyncGuarded {
            [decoders = parts.decoders, isQuiet = notes.isEmpty] in
            let note = decoders.note
            warning.withLock { $0 = note }
            let words = decoders.words
            mailbox.post {
                model.show(decoders: words)
                if isQuiet, let note { model.show(note) }
            }
        }
        let reason = session.run(
            model: model, mailbox: mailbox, colors: options.theme,
            tmuxClients: parts.tmux?.terminalFeatures)
        warning.current.map(complain)
        return end(of: model, mailbox, reason: reason)
    }

    /// Reports failures on standard error, now that the terminal has been restored.
    private func end(of model: BrowserModel, _ mailbox: Mailbox, reason: ExitReason) -> Int32 {
        model.end()
        parts.files.finish()
        // What has been saved by now may complete an archive.
        for _ in 1...2 {
            parts.saver.finish()
            mailbox.drain()
        }
        let unsaved = model.saveFailures + model.fileFailures
        unsaved.forEach(complain)
        if !model.chosen.isEmpty, !printed(model.chosen) { return 1 }
        if let code = reason.exitCode { return code }
        if options.browser.isChooser, model.chosen.isEmpty { return 1 }
        // Quitting while the first page is still loading is not a failure.
        guard !model.hasLoadedAnything, !model.failures.isEmpty else {
            return unsaved.isEmpty ? 0 : 1
        }
        model.failures.forEach(complain)
        return 1
    }

    /// Prints the chosen names, or writes them to the file for them, without control characters on a terminal; returns false if that fails.
    private func printed(_ chosen: [String]) -> Bool {
        let file = options.chosenFile
        do throws(OutputError) {
            let descriptor =
                file.map { open($0.cPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
                ?? STDOUT_FILENO
            guard descriptor >= 0 else { throw OutputError(number: errno) }
            let isTerminal = isatty(descriptor) == 1
            var output = StandardOutput(
                to: descriptor, isNulTerminated: options.isNulTerminated)
            for line in chosen { try output.write(line: isTerminal ? line.oneLine() : line) }
            try output.flush()
            return true
        } catch {
            complain("\(file ?? "standard output"): \(error)")
            return false
        }
    }

    private func browserOptions(
        for capabilities: TerminalSession.Capabilities
    ) -> BrowserOptions {
        var browser = options.browser
        browser.home = environment.home
        browser.isOverSSH = environment.variables["SSH_CONNECTION"]?.isEmpty == false
        browser.sparesLine = options.network.pace != PaceOptions()
        browser.style = capabilities.traits.suited(
            RenderStyle(
                blocks: capabilities.blocks, depth: capabilities.depth, isTinted: options.isTinted,
                dither: options.dither))
        browser.availableBlocks = BlockSet.allCases.filter(capabilities.blockSets.contains)
        return browser
    }
}
