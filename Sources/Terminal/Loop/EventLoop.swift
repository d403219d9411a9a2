import Basics
import Browser
import Dispatch
import Glibc
import Pipeline
import Raster
import Trace

/// Waits for keys, signals and results, passes them to the model, and draws what has changed.
///
/// All input is handled before a frame is drawn, and a frame is drawn only when the terminal has accepted the last one:
/// a slow terminal costs frames but never keys. When idle, it sleeps in `poll` without a timeout.
@MainActor final class EventLoop {
    let model: BrowserModel
    private let mailbox: Mailbox
    private let tmuxClients: TmuxClients?
    let screen: CursesScreen
    let output: TerminalOutput
    private var capabilities: TerminalSession.Capabilities
    private let wake: WakePipe
    private let tracer: Tracer
    private let colors: ThemeColors
    private lazy var theme = makeTheme()
    var input: CursesInput
    var queries: PendingQueries
    private var pace = FramePace()
    private var ending: ExitReason?
    /// The span of a frame that the terminal is taking, and the time it had kept bytes waiting before that.
    private var writing: (span: Span, blockedBefore: Double)?
    private var recheck = TerminalRecheck()

    init(
        model: BrowserModel, mailbox: Mailbox, session: TerminalSession, colors: ThemeColors,
        tmuxClients: TmuxClients?
    ) {
        self.model = model
        self.tmuxClients = tmuxClients
        self.mailbox = mailbox
        screen = session.screen
        output = session.output
        wake = session.wake
        tracer = session.tracer
        capabilities = session.capabilities
        input = CursesInput(window: screen.keys)
        queries = PendingQueries(
            traits: capabilities.traits,
            timeout: TerminalQuery.timeout(environment: capabilities.detection.environment))
        self.colors = colors
    }

    /// Draws the first frame, then runs until the user quits or a signal ends it.
    func run() -> ExitReason {
        ask()
        model.resize(to: screen.size, cellAspect: cellAspect)
        adoptTerminal()
        model.update()
        draw()
        while true {
            let isTerminalGone = wait()
            output.drain()
            noteTaken()
            wake.drain().forEach(handle(signal:))
            mailbox.drain()
            handleInput()
            handleReplies()
            // tmux may have discarded a part of a picture.
            if let due = transfer.deadline, due <= SteadyClock.now {
                output.send(screen.pixels.restartTransfer())
            }
            if isTerminalGone { return ending ?? .signal(SIGHUP) }
            let now = SteadyClock.now
            if pace.isTickDue(at: now, isAnimating: model.isAnimating) { model.tick() }
            // An animation only advances once its last frame is on the screen, however slow that is.
            if !needsFrame, output.isIdle, let due = model.frameDue, due <= now {
                model.showDueFrame(at: now)
            }
            model.update()
            performEffects()
            if let ending {
                awaitReplies()
                return ending
            }
            if needsFrame, pace.isFrameDue(at: now, isStreaming: model.isAnimating) { draw() }
        }
    }

    /// The picture on its way through tmux.
    private var transfer: TmuxTransfer { screen.pixels.tmux.transfer }

    private var needsFrame: Bool {
        model.needsDisplay || screen.needsClear || screen.pixels.isWaiting
    }

    /// The entries for `poll` of the terminal and the wake pipe.
    private var inputs: [pollfd] {
        [capabilities.device.input, wake.readEnd].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
    }

    /// Sleeps until there is something to do; returns whether the terminal is gone.
    private func wait() -> Bool {
        let now = SteadyClock.now
        let needsFrame = needsFrame
        let awaited = output.awaited
        var entries = inputs + nonNil(awaited)
        let frameDue = needsFrame || awaited != nil ? nil : model.frameDue
        let deadline = nonNil(
            queries.deadline, input.deadline, frameDue, model.updateDue,
            transfer.deadline
        ).min()
        let timeout =
            input.mayHaveMore
            ? 0
            : pace.timeout(
                at: now, needsFrame: needsFrame && awaited == nil, isAnimating: model.isAnimating,
                deadline: deadline)
        poll(&entries, nfds_t(entries.count), timeout)
        let woken = SteadyClock.now
        // It slept until input arrived.
        if woken - now > 0.001 { input.emptySince = woken }
        return entries[0].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
    }

    private func handleInput() {
        let now = SteadyClock.now
        for event in input.drain(at: now) {
            // The terminal's driver makes a signal of the plain character only, not of a key reported by number.
            if event == .key(.control("c")) { return ending = .signal(SIGINT) }
            if case .key = event { recheckTerminal(at: now) }
            model.handle(event, isTyped: input.isTyped)
            performEffects()
            // What was typed after leaving is not meant for this program any more.
            if ending != nil { return }
        }
    }

    private func performEffects() {
        // A program that has ended may have further ones after it.
        while case let effects = model.takeEffects(), !effects.isEmpty {
            for effect in effects {
                switch effect {
                case .quit: ending = .quit
                case .redraw: screen.needsClear = true
                case .suspend: kill(0, SIGTSTP)
                case .copy(let text): output.send(TerminalSequence.clipboard(text))
                case .copyFile(let file, let type):
                    output.send(TerminalSequence.clipboard(file, mediaType: type))
                case .run: runCommand()
                }
            }
        }
    }

    private func handle(signal number: Int32) {
        switch number {
        case SIGWINCH: followSize()
        case SIGTSTP: suspend()
        case SIGCONT: resume()
        default: ending = .signal(number)
        }
    }

    private func followSize() {
        screen.followSize()
        // The font may have changed; a terminal that replied once will reply again.
        if queries.traits.cellAspect != nil { output.send(TerminalQuery.cellSize) }
        // tmux may be attached to another terminal, which lacks the pictures of the placeholders.
        if capabilities.isTmux {
            recheck.doubtTerminal()
            askTmux()
        }
        model.resize(to: screen.size, cellAspect: cellAspect)
        model.update()
        draw()
    }

    /// Stops this process; returns once it has been continued, or at once where no shell could do that.
    private func suspend() {
        awaitReplies()
        screen.suspend()
        // The kernel lets the default action, unlike SIGSTOP, stop nothing that would stay so for ever. `raise` returns only after it has
        // acted, while a signal to the process may reach another thread later.
        var own = sigaction()
        var standard = sigaction()
        sigaction(SIGTSTP, &standard, &own)
        raise(SIGTSTP)
        sigaction(SIGTSTP, &own, nil)
        // The SIGCONT handler also posts the signal, which must not enter the screen twice.
        let signals = wake.drain()
        resume()
        signals.filter { $0 != SIGCONT && $0 != SIGTSTP }.forEach(handle(signal:))
    }

    /// Releases the terminal for another program, then takes it back; other programs' lines are answered meanwhile.
    private func runCommand() {
        awaitReplies()
        screen.suspend()
        model.runCommand(input: capabilities.device.input, output: capabilities.device.output)
        var signals: [Int32] = []
        while model.isTerminalLent {
            _ = isReadable(wake.readEnd, within: -1)
            // Keyboard signals are meant for that program.
            signals += wake.drain().filter { ![SIGINT, SIGQUIT, SIGTSTP, SIGCONT].contains($0) }
            if !signals.contains(where: SignalPost.isEnding) { CrashGuard.expectEnd(by: 0) }
            mailbox.drain()
            model.update()
        }
        resume()
        signals.forEach(handle(signal:))
    }

    /// Takes the terminal back after other programs may have changed everything.
    private func resume() {
        input.emptySince = .infinity
        screen.suspend()
        screen.resume()
        // Colours may have changed, or the terminal itself if this one belongs to a multiplexer.
        ask()
        followSize()
        model.recheckFiles()
    }

    /// Draws the current state, or as soon as the terminal has accepted the last frame.
    private func draw() {
        let start = SteadyClock.now
        guard output.isIdle else { return pace.frameHeldUp(at: start) }
        let dropped = pace.takeDroppedFrames(at: start)
        if dropped > 0 { tracer.mark("frames dropped", detail: "\(dropped)") }
        let frame = tracer.begin("frame")
        adoptMethod()
        let scene = model.scene()
        let canvas = canvas(of: scene)
        model.didDisplay()
        let span = tracer.begin("draw")
        let bytes = output.total
        writing = (tracer.begin("write"), output.blocked)
        screen.present(canvas)
        screen.show(title: scene.windowTitle)
        span.end()
        frame.end()
        tracer.count("bytes", output.total - bytes)
        noteTaken()
        pace.frameDrawn(at: SteadyClock.now)
    }

    private func canvas(of scene: Scene) -> Canvas {
        ScenePainter.paint(
            scene, size: screen.size, theme: theme, isTinted: model.style.isTinted)
    }

    /// Ends the trace span of a frame once the terminal has accepted all of it.
    private func noteTaken() {
        guard output.isIdle, let frame = writing else { return }
        frame.span.end()
        tracer.count(
            "microseconds blocked", Int((output.blocked - frame.blockedBefore) * 1_000_000))
        writing = nil
    }

    /// Queries the terminal; replies arrive among the keys at any time.
    ///
    /// Must precede a frame that clears the screen: a terminal that does not understand the queries may print something.
    func ask() {
        guard !capabilities.questions.isEmpty else { return }
        // tmux passes no such question on.
        if !capabilities.isTmux { SharedPixels.offerProbe() }
        output.send(capabilities.questions)
        queries.begin(at: SteadyClock.now, asking: capabilities.isTmux ? [.own, .outer] : [.own])
    }

    /// Queries the terminal around tmux again if that is due after a key press.
    private func recheckTerminal(at now: Double) {
        screen.pixels.tmux.transfer.notePaneIsActive()
        guard capabilities.isTmux, recheck.isDue(afterKeyAt: now) else { return }
        output.send(screen.recheckPictures() + TerminalQuery.throughTmux)
        queries.begin(at: now, asking: [.outer])
        askTmux()
    }

    /// Asks tmux whether the terminals around it show sixels, if it takes them itself.
    private func askTmux() {
        guard let tmuxClients, capabilities.isTmux, queries.traits.showsSixels else { return }
        DispatchQueue.userInitiated.asyncGuarded { [mailbox] in
            let features = tmuxClients()
            mailbox.post { [weak self] in self?.handle(.init(clients: features)) }
        }
    }

    private func adoptMethod() {
        screen.adopt(recheck.isDoubtful ? nil : capabilities.method(of: model.style.pixels))
    }

    func handleReplies() {
        input.takeReplies().forEach(handle)
        guard queries.hasSettled(at: SteadyClock.now) else { return }
        screen.synchronizesFrames = queries.traits.synchronizesOutput
        capabilities.detection.traits = queries.traits
        adoptTerminal()
    }

    private func handle(_ reply: TerminalReply) {
        // Who has not taken the object away has not read it.
        if reply == .sharedMemory(true), SharedPixels.isProbeLeft { return }
        queries.note(reply)
        if queries.traits.hasOuter { recheck.noteReply() }
        switch reply {
        case .pictureIsLost: screen.forgetPictures()
        case .mode(let number, true) where ScreenModes.reports.contains(number):
            output.send("\u{1B}[?\(number)h".bytes)
        case .focus(let isHere): model.hasFocus = isHere
        case .lightHasChanged: ask()
        case .hasReadOn: sendPortion()
        case .attributes:
            // Questions before this one have been answered.
            SharedPixels.withdrawProbe()
            askTmux()
        case .kittyGraphics(true) where recheck.isDoubtful,
            .clients(true) where capabilities.pixels?.graphics == .sixel:
            recheck.trustTerminal()
            adoptMethod()
        default: break
        }
    }

    /// Adapts drawing to what is now known of the terminal.
    private func adoptTerminal() {
        tracer.mark("terminal", detail: capabilities.findings)
        // The next terminal has to be sent all pictures.
        if capabilities.isTmux, capabilities.pixelForms.isEmpty { screen.pixels.tmux.forget() }
        screen.adopt(capabilities.depth)
        var style = queries.traits.suited(model.style)
        style.blocks = capabilities.blocks
        style.depth = screen.depth
        style.pixels = capabilities.pixels
        model.adopt(
            style, pixelForms: capabilities.pixelForms, graphicsHint: capabilities.graphicsHint)
        model.takesFiles = queries.traits.takesFiles
        theme = makeTheme()
    }

    /// Sends as much as tmux keeps while its terminal is busy: from eight bytes a cell on it discards everything.
    private func sendPortion() {
        output.send(
            screen.pixels.continueTransfer(at: SteadyClock.now, portion: screen.size.count * 4))
    }

    /// Reads replies still in flight, before another program receives them as input.
    ///
    /// Blocks at most until the last call for replies, which is counted from the query, or until a signal to end; says so after a moment.
    func awaitReplies() {
        output.send(screen.pixels.restartTransfer())
        var signals: [Int32] = []
        PendingQueries.wait(until: {
            nonNil(queries.lastCall, transfer.lastCall).max()
        }) {
            var scene = model.scene()
            scene.bottom.message = PendingQueries.notice
            screen.present(canvas(of: scene))
        } reading: { milliseconds in
            var entries = inputs
            guard poll(&entries, 2, milliseconds) > 0 else { return true }
            signals += wake.drain()
            guard !signals.contains(where: SignalPost.isEnding),
                entries[0].revents & ~Int16(POLLIN) == 0
            else { return false }
            _ = input.drain(at: SteadyClock.now)
            for reply in input.takeReplies() {
                queries.note(reply)
                if reply == .hasReadOn { sendPortion() }
            }
            return true
        }
        signals.forEach(wake.post(signal:))
    }

    /// The aspect reported by the terminal, else by the system, which may count window borders as cells.
    var cellAspect: Double {
        queries.traits.cellAspect ?? TerminalDevice.cell(of: capabilities.device.output)?.aspect
            ?? 2
    }

    private func makeTheme() -> Theme {
        Theme(
            depth: screen.depth, symbols: Symbols(blocks: capabilities.blockSets),
            background: model.style.background, systemColors: model.style.systemColors,
            colors: colors)
    }
}
