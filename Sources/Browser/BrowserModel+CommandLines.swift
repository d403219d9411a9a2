import Basics
import Gallery

/// Lines with a command or another program's command line: typed, bound to keys, named in the configuration, or another program's.
extension BrowserModel {
    /// Runs a line; returns false if that is not possible, which is told on the bottom line.
    ///
    /// `count` is for a command that has none of its own.
    @discardableResult
    func run(_ line: Line, count: Int? = nil) -> Bool {
        let outer = origin
        origin = line.origin
        defer { origin = outer }
        return attempt {
            if let command = ExternalCommand(line: line.text) {
                return try runProgram(command, asks: origin == .typed)
            }
            let text = line.text.drop { ": ".contains($0) }
            if text.isEmpty { return }
            let place = origin == .bound ? keyContext : viewContext
            let call = try context.options.keys.call(text, in: place)
            try carryOut(
                call.row,
                CommandCall(
                    model: self, count: call.count ?? count, argument: call.argument,
                    isForced: call.isForced),
                in: place)
        }
    }

    /// Does something, and tells on the bottom line why that is not possible; returns false if it is not.
    @discardableResult
    func attempt(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            let place = if case .hook(let hook, _, _) = origin { hook.rawValue + ": " } else { "" }
            display.show(place + "\(error)")
            return false
        }
    }

    /// Runs the lines bound to a key until one of them cannot be run; those after a program in the terminal follow once that has ended.
    func goOnWithScript() {
        while let text = script.lines.popFirst() {
            if !run(Line(text: text, origin: .bound), count: script.count)
                || effects.contains(.quit)
            {
                script = Script()
            } else if effects.last == .run {
                return
            }
        }
    }

    /// Runs the lines of a hook for `picture`, whose file is at `path` if that is not nil.
    func runLines(of hook: Hook, for picture: Picture?, at path: String? = nil) {
        for text in context.options.hooks[hook] ?? [] {
            run(Line(text: text, origin: .hook(hook, picture, path: path)))
        }
    }

    /// Runs the lines for the end of the program, and keeps where the reader is.
    public func end() {
        fileFailures = []
        saving.end()
        gallery.keepPlace(isLast: true)
        runLines(of: .quit, for: gallery.level.selectedPicture)
    }

    /// Throws if what is being run may neither run programs nor change files.
    func checkRights() throws {
        if origin == .remote(allowsAll: false) {
            throw BindingMistake(reason: "needs --ipc-commands all")
        }
    }

    /// Throws if the keys have come too fast to have been typed, as pasted or another program's do.
    func checkHaste() throws {
        if origin == .bound, !isDeliberate {
            throw BindingMistake(reason: "too fast to have been typed: press the key again")
        }
    }

    /// Carries out a row of the table of commands.
    func carryOut(
        _ row: KeyMap.Binding, _ call: CommandCall, in keyContext: KeyContext
    ) throws {
        if row.isRisky { try checkHaste() }
        try row.handlers[keyContext]?(call)
    }

    /// Runs another program on the pictures; if `asks`, after a question and with the pictures' names unless it mentions values of them.
    func runProgram(_ command: ExternalCommand, asks: Bool) throws {
        try checkRights()
        try checkHaste()
        guard let running = context.services.running, !command.words.isEmpty else {
            throw BindingMistake(reason: "nothing to run")
        }
        let level = gallery.level
        var values = level.selection.map(level.values) ?? PictureValues(nil)
        var (marked, chosen) = (level.marked.map(\.name), level.chosenPictures.map(\.name))
        var isSilent = command.mode == .silent
        if case .hook(_, let picture, let path) = origin {
            (values, marked) = (PictureValues(picture, path: path), [])
            (chosen, isSilent) = ([picture].compactMap { $0?.name }, true)
        }
        let call = try command.call(
            values, marked: marked, chosen: chosen, addsNames: asks, context.texts)
        let start = { [weak self] in
            guard let self else { return }
            if isSilent {
                begin(call, running)
            } else if isTerminalLent {
                display.show("another program is in the terminal")
            } else {
                programCall = call
                effects.append(.run)
            }
        }
        guard asks else { return start() }
        if chosen.isEmpty { throw BindingMistake(reason: "nothing to run it on") }
        dialogs.ask(
            DialogsModel.Question(
                title: chosen.count == 1 ? "Run this?" : "Run this on \(chosen.count) pictures?",
                message: call.words.joined(separator: " ").oneLine(limit: 300), answer: "Run",
                accept: start))
    }

    /// Starts a program without a terminal; local files that it has changed are loaded again once it has ended.
    private func begin(_ call: ProgramCall, _ running: any CommandRunning) {
        let ended = context.onMain { [display, gallery] (failure: String?) in
            failure.map(display.show)
            gallery.recheckFiles()
        }
        running.start(call, completion: ended)
    }

    /// Whether a program has, or is about to get, the terminal.
    public var isTerminalLent: Bool { programCall != nil }

    /// Runs the program of the last `run` effect in the terminal, which must have been released.
    ///
    /// Once it has ended, the lines after it follow.
    public func runCommand(input: Int32, output: Int32) {
        guard let call = programCall else { return }
        let ended = context.onMain { [weak self] (_: Void) in
            self?.programCall = nil
            self?.goOnWithScript()
        }
        context.services.running?.run(call, input: input, output: output, completion: ended)
    }

    /// The lines bound to a key that are still to be run.
    struct Script {
        var lines: ArraySlice<String> = []
        var count: Int?
    }
}
