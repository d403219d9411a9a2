import Basics
import Collector
import Gallery
import Network

/// Lines with a command or another program's command line: typed, bound to keys, named in the configuration, or another program's, which
/// may also ask for what is shown.
extension BrowserModel {
    /// Runs a line; returns false if that is not possible, which is told on the bottom line.
    ///
    /// `count` is for a command that has none of its own.
    @discardableResult
    func run(_ line: String, from origin: LineOrigin, count: Int? = nil) -> Bool {
        let outer = self.origin
        self.origin = origin
        defer { self.origin = outer }
        return attempt {
            if let command = ExternalCommand(line: line) {
                return try runProgram(command, asks: origin == .typed)
            }
            let text = line.drop { ": ".contains($0) }
            if text.isEmpty { return }
            let place = origin == .bound ? keyContext : viewContext
            let call = try options.keys.call(text, in: place)
            if origin == .remote(.showing), call.row.command != .show,
                call.row.group != CommandGroup.moving.rawValue
            {
                throw BindingMistake("needs --ipc")
            }
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
            let place = if case .hook(let hook, _, _) = origin { "\(hook.rawValue): " } else { "" }
            show("\(place)\(error)")
            return false
        }
    }

    /// Runs the lines bound to a key until one of them cannot be run; those after a program in the terminal follow once that has ended.
    func goOnWithScript() {
        while let text = script.lines.popFirst() {
            if !run(text, from: .bound, count: script.count) || effects.contains(.quit) {
                script = Script()
            } else if effects.last == .run {
                return
            }
        }
    }

    /// Runs the lines of a hook for `picture`, whose file is at `path` if that is not nil.
    func runLines(of hook: Hook, for picture: Picture?, at path: String? = nil) {
        for text in options.hooks[hook] ?? [] {
            run(text, from: .hook(hook, picture, path: path))
        }
    }

    /// Runs the lines for the end of the program, and keeps where the reader is.
    public func end() {
        fileFailures = []
        saving.end()
        gallery.keepPlace(isLast: true)
        runLines(of: .quit, for: level.selectedPicture)
    }

    /// Throws if what is being run may neither run programs nor change files.
    func checkRights() throws {
        if case .remote(let rights) = origin, rights != .everything {
            throw BindingMistake("needs --ipc-commands all")
        }
    }

    /// Throws if the keys have come too fast to have been typed, as pasted or another program's do.
    func checkHaste() throws {
        if origin == .bound, !isDeliberate {
            throw BindingMistake("too fast to have been typed: press the key again")
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
        guard let running = services.running, !command.words.isEmpty else {
            throw BindingMistake("nothing to run")
        }
        var values = level.selection.map(level.values) ?? PictureValues(nil)
        var marked = level.marked.map(\.name)
        var chosen = level.chosenPictures.map(\.name)
        var isSilent = command.mode == .silent
        if case .hook(_, let picture, let path) = origin {
            values = PictureValues(picture.map { SaveOrder($0) }, path: path)
            marked = []
            chosen = nonNil(picture?.name)
            isSilent = true
        }
        let call = try command.call(
            values, marked: marked, chosen: chosen, addsNames: asks, texts)
        let start = { [weak self] in
            guard let self else { return }
            if isSilent {
                running.start(
                    call,
                    completion: onMain { [display, gallery] failure in
                        failure.map(display.show)
                        // Local files that it has changed are loaded again.
                        gallery.recheckFiles()
                    })
            } else if isTerminalLent {
                show("another program is in the terminal")
            } else {
                programCall = call
                effects.append(.run)
            }
        }
        guard asks else { return start() }
        if chosen.isEmpty { throw BindingMistake("nothing to run it on") }
        dialogs.ask(
            Question(
                title: chosen.count == 1 ? "Run this?" : "Run this on \(chosen.count) pictures?",
                message: call.words.joined(separator: " ").oneLine(limit: 300), answer: "Run",
                accept: start))
    }

    /// Whether a program has, or is about to get, the terminal.
    public var isTerminalLent: Bool { programCall != nil }

    /// Runs the program of the last `run` effect in the terminal, which must have been released.
    ///
    /// Once it has ended, the lines after it follow.
    public func runCommand(input: Int32, output: Int32) {
        guard let call = programCall else { return }
        services.running?.run(
            call, input: input, output: output,
            completion: onMain { [weak self] _ in
                self?.programCall = nil
                self?.goOnWithScript()
            })
    }

    /// The lines bound to a key that are still to be run.
    struct Script {
        var lines: ArraySlice<String> = []
        var count: Int?
    }

    /// Returns a property as JSON; nil if there is none of this name.
    ///
    /// `selection` is a record as of `--json`, `marked` the marked names, `section` and `place` the title and address of what is shown,
    /// `progress` what the bottom line says of it, `layout` how its pictures are laid out, `viewer` whether one is open, and `ended`
    /// whether the section is complete.
    public func property(_ name: String) -> String? {
        switch name {
        case "selection":
            level.selection.flatMap(level.order)?.record().line ?? "null"
        case "marked":
            LooseValue.array(level.marked.map { .text($0.name) }).json
        case "section": JSONString.quoted(level.currentSection?.title ?? "")
        case "place": JSONString.quoted(level.currentSection?.address.text ?? "")
        case "progress": JSONString.quoted(progress)
        case "layout": JSONString.quoted(gallery.layout.rawValue)
        case "viewer": "\(viewer.isOpen)"
        case "ended":
            String(level.currentSection.map { !$0.mayGrow && $0.failure == nil } ?? false)
        default: nil
        }
    }

    /// Runs a line as after `:`; `answer` is called once, with what is wrong with it in one line, if need be after a SOURCE has been
    /// looked for.
    ///
    /// What covers the gallery or viewer, such as a question, is the
    /// reader's: the line applies to what is below.
    public func perform(
        _ line: String, _ rights: RemoteRights, answer: @escaping (_ failure: String?) -> Void
    ) {
        beginInput(in: viewContext)
        let before = (request, showRequest)
        let isDone = run(line, from: .remote(rights))
        if request === before.0 && showRequest === before.1 || !isDone {
            return answer(isDone ? nil : display.message)
        }
        requestAnswer = answer
    }

    /// Answers the program that asked for what is requested, if one did.
    func endRequest(_ failure: String?) {
        requestAnswer?(failure)
        requestAnswer = nil
    }
}
