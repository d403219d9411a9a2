import Basics
import Gallery
import Network
import Pipeline

/// Lines with a command or another program's command line: typed, bound to keys, or named in the configuration.
extension BrowserModel {
    /// Runs `lines` in order until one of them cannot be run; those after a program in the terminal follow once that has ended.
    ///
    /// `count` is for commands that have none of their own. Returns false if one cannot be run, which is told on the bottom line.
    @discardableResult
    func run(lines: [String], count: Int? = nil) -> Bool {
        script = Script(lines: lines[...], count: count)
        return goOnWithScript()
    }

    @discardableResult
    private func goOnWithScript() -> Bool {
        while let line = script.lines.popFirst() {
            guard run(line: line, count: script.count), !effects.contains(.quit) else {
                script = Script()
                return effects.contains(.quit)
            }
            if effects.last == .run { return true }
        }
        return true
    }

    /// Runs one line; returns false if that is not possible, which is told on the bottom line.
    private func run(line: String, count: Int?) -> Bool {
        if let command = ExternalCommand(line: line) {
            return run(command, isTyped: false)
        }
        return run(typed: line.hasPrefix(":") ? String(line.dropFirst()) : line, count: count)
    }

    /// Runs a line as typed after `:`; returns false if it is none.
    @discardableResult
    func run(typed line: String, count: Int? = nil) -> Bool {
        if let command = ExternalCommand(line: line) {
            return run(command, isTyped: true)
        }
        guard line.contains(where: { $0 != " " }) else { return true }
        do throws(BindingMistake) {
            let call = try context.options.keys.call(line, in: lineContext)
            return run(
                call.row,
                CommandCall(model: self, count: call.count ?? count, argument: call.argument),
                in: lineContext)
        } catch {
            display.show(error.reason)
            return false
        }
    }

    /// Runs the lines of a hook for `picture`, whose file is at `path` if that is not nil; other programs run without a terminal.
    func run(_ hook: Hook, for picture: Picture?, at path: String? = nil) {
        for line in context.options.hooks[hook] ?? [] {
            guard let command = ExternalCommand(line: line) else {
                _ = run(line: line, count: nil)
                continue
            }
            let values = PictureValues(picture, path: path)
            guard let running = context.services.running, !command.words.isEmpty else { return }
            do throws(BindingMistake) {
                let names = [picture].compactMap { $0?.name }
                begin(
                    try command.call(
                        values, marked: [], chosen: names, addsNames: false, context.texts), running
                )
            } catch {
                display.show("\(hook.rawValue): \(error.reason)")
            }
        }
    }

    /// Runs the lines for the end of the program, and keeps where the reader is.
    public func end() {
        gallery.keepPlace(isLast: true)
        isDeliberate = true
        run(.quit, for: gallery.level.selectedPicture)
    }

    /// Runs another program on the pictures; returns false if there is nothing to run.
    ///
    /// A line that is typed is run after a question, and gets the pictures' names unless it mentions values of them.
    @discardableResult
    func run(_ command: ExternalCommand, isTyped: Bool) -> Bool {
        guard isTyped || isDeliberate else {
            refuseHaste()
            return false
        }
        guard let running = context.services.running, !command.words.isEmpty else {
            display.show("nothing to run")
            return false
        }
        let chosen = gallery.level.chosenPictures.map(\.name)
        let call: ProgramCall
        do throws(BindingMistake) {
            call = try command.call(
                gallery.level.selection.map(gallery.level.values) ?? PictureValues(nil),
                marked: gallery.level.marked.map(\.name), chosen: chosen, addsNames: isTyped,
                context.texts)
        } catch {
            display.show(error.reason)
            return false
        }
        if isTyped, chosen.isEmpty {
            display.show("nothing to run it on")
            return false
        }
        let start = { [weak self] in
            guard let self else { return }
            if command.mode == .silent {
                begin(call, running)
            } else {
                programCall = call
                effects.append(.run)
            }
        }
        if isTyped {
            dialogs.ask(
                DialogsModel.Question(
                    title: chosen.count == 1
                        ? "Run this?" : "Run this on \(chosen.count) pictures?",
                    message: call.words.joined(separator: " ").oneLine(limit: 300), answer: "Run",
                    accept: start))
        } else {
            start()
        }
        return true
    }

    /// Starts a program without a terminal; local files that it has changed are loaded again once it has ended.
    private func begin(_ call: ProgramCall, _ running: any CommandRunning) {
        let number = (silentRuns.keys.max() ?? 0) + 1
        silentRuns[number] = context.request { answer in
            running.start(call, completion: answer)
        } receive: { [weak self] (failure: String?) in
            guard let self else { return }
            silentRuns[number] = nil
            if let failure { display.show(failure) }
            gallery.recheckFiles()
        }
    }

    /// Runs the program of the last `run` effect in the terminal, which must have been released; blocks until it exits.
    ///
    /// The lines after it follow.
    public func runCommand(input: Int32, output: Int32) {
        if let call = programCall {
            context.services.running?.run(call, input: input, output: output)
        }
        programCall = nil
        display.stateChanged()
        goOnWithScript()
    }

    /// Lines that are still to be run.
    struct Script {
        var lines: ArraySlice<String> = []
        var count: Int?
    }
}

/// What other programs may ask and do.
extension BrowserModel {
    /// Returns a property as JSON; nil if there is none of this name.
    ///
    /// `selection` is a record as of `--json`, `marked` the marked names, `section` and `place` the title and address of what is shown,
    /// `progress` what the bottom line says of it, `layout` how its pictures are laid out, `viewer` whether one is open, and `ended`
    /// whether the section is complete.
    public func property(_ name: String) -> String? {
        let level = gallery.level
        switch name {
        case "selection":
            guard let id = level.selection, let picture = level.selectedPicture else {
                return "null"
            }
            let section = (level.places[id.section] ?? 0) + 1
            return PictureRecord(picture, section: section, index: id.index + 1).line
        case "marked":
            let names = level.marked.map { JSONString.quoted($0.name) }
            return "[" + names.joined(separator: ",") + "]"
        case "section": return JSONString.quoted(level.currentSection?.title ?? "")
        case "place": return JSONString.quoted(level.currentSection?.address.text ?? "")
        case "progress": return JSONString.quoted(progress)
        case "layout": return JSONString.quoted(gallery.layout.rawValue)
        case "viewer": return String(viewer.isOpen)
        case "ended":
            return String(level.currentSection.map { !$0.mayGrow && $0.failure == nil } ?? false)
        default: return nil
        }
    }

    /// Runs a line as after `:`; returns what is wrong with it, in one line.
    ///
    /// Other programs are run and files changed only if `allowsAll`.
    public func perform(_ line: String, allowsAll: Bool) -> String? {
        let line = String(line.drop { ": ".contains($0) })
        isDeliberate = true
        beginInput()
        let call = try? context.options.keys.call(line, in: lineContext)
        let reachesOut = call.map { Command.reachingOut.contains($0.row.command) } ?? false
        if line.hasPrefix("!") || reachesOut, !allowsAll { return "needs --ipc-commands all" }
        return run(lines: [":" + line]) ? nil : display.message
    }
}

extension Command {
    /// The commands that run other programs or change files, and the answer to a question whether to.
    static let reachingOut: Set<Command> = [
        .run, .openElsewhere, .trash, .copy, .move, .rename, .rotateFile, .undo, .accept,
    ]
}
