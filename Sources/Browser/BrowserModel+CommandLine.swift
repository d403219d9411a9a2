import Basics
import Gallery

/// The command line opened with `:`.
extension BrowserModel {
    /// Runs a command line: a command's name or an unambiguous prefix and its argument, or a number, which selects that picture.
    func run(line: String, in keyContext: KeyContext) -> Effect {
        let line = line.drop { $0 == " " }
        let name = String(line.prefix { $0 != " " })
        guard !name.isEmpty else { return .none }
        let argument = String(line.dropFirst(name.count).drop { $0 == " " })
        if let number = Int(name), number > 0 {
            return run(.first, count: number, in: keyContext)
        }
        switch context.options.keys.command(named: name, in: keyContext) {
        case .failure(let unclear):
            display.show(
                message: unclear.names.isEmpty
                    ? "no such command: \(name)"
                    : "\(name): \(unclear.names.joined(separator: ", "))?")
        case .success(let binding):
            if argument.isEmpty { return run(binding.command, count: nil, in: keyContext) }
            guard !binding.argument.isEmpty else {
                display.show(message: "\(binding.command.rawValue) takes nothing")
                break
            }
            return run(binding.command, argument)
        }
        return .none
    }

    private func run(_ command: Command, _ argument: String) -> Effect {
        switch command {
        case .open: open(place: argument)
        case .run: return askToRun(argument)
        case .find: prompt.find(argument)
        case .filter: gallery.filter(by: argument)
        case .sort:
            let name = argument.drop { $0 == "-" }
            guard let key = PictureOrder.Key(rawValue: String(name)) else {
                display.show(message: "no such order: \(argument)")
                break
            }
            gallery.sort(by: key, isReversed: argument.hasPrefix("-"))
        default: break
        }
        return .none
    }

    /// Opens a SOURCE on top of the current gallery, as an album is opened.
    func open(place text: String) {
        guard let places = context.services.places else {
            return display.show(message: "nothing else can be opened here")
        }
        display.show(message: "opening \(text)")
        placeRequest = MainRequest(on: context.main) { answer in
            places.find(text, completion: answer)
        } receive: { [weak self] (result: Result<Source, SourceError>) in
            guard let self else { return }
            switch result {
            case .failure(let error): display.show(message: "\(text): \(error)")
            case .success(let source):
                display.show(message: "")
                viewer.close()
                gallery.open(source)
            }
            display.stateChanged()
        }
    }
}

/// Running other programs and pasting from other windows.
extension BrowserModel {
    /// Asks whether to run a command on the marked pictures (or the selected one), and runs it once confirmed.
    ///
    /// No shell is involved: names are passed as arguments, in place of `{}` or at the end, whatever characters they contain.
    func askToRun(_ line: String) -> Effect {
        let typed = Self.words(line)
        let names = gallery.level.chosenPictures.map(Self.name)
        guard context.services.running != nil, !typed.isEmpty, !names.isEmpty else {
            display.show(message: typed.isEmpty ? "nothing to run" : "nothing to run it on")
            return .none
        }
        let words =
            typed.contains("{}") ? typed.flatMap { $0 == "{}" ? names : [$0] } : typed + names
        dialogs.ask(
            DialogsModel.Question(
                title: names.count == 1 ? "Run this?" : "Run this on \(names.count) pictures?",
                message: words.joined(separator: " ").oneLine(limit: 300), answer: "Run",
                accept: { [weak self] in
                    self?.commandWords = words
                    return .run
                }))
        return .none
    }

    /// Runs the confirmed command in the terminal, which must have been released; blocks until the command exits.
    public func runCommand(input: Int32, output: Int32) {
        context.services.running?.run(commandWords, input: input, output: output)
        display.stateChanged()
    }

    /// Splits a line into words at spaces, with shell quoting and backslashes; no other character is special.
    static func words(_ line: String) -> [String] {
        var (words, word): ([String], String?) = ([], nil)
        var (quote, isEscaped): (Character?, Bool) = (nil, false)
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                (quote, word) = (character, word ?? "")
            } else if quote == nil, character == " " {
                word.map { words.append($0) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }

    /// Inserts pasted text into the open prompt; without one, offers to open a pasted address or path and does nothing else.
    func paste(_ text: String) {
        guard typedLine == nil else { return prompt.insert(text) }
        let name = String(text.drop(while: \.isWhitespace).prefix { !$0.isNewline })
        guard dialogs.question == nil, let places = context.services.places, !name.isEmpty,
            name.utf8.count <= Self.maxCopied
        else { return }
        placeRequest = MainRequest(on: context.main) { answer in
            places.find(name, completion: answer)
        } receive: { [weak self] (result: Result<Source, SourceError>) in
            guard let self, dialogs.question == nil, (try? result.get()) != nil else { return }
            dialogs.ask(
                DialogsModel.Question(
                    title: "Open what was pasted?", message: name.oneLine(), answer: "Open",
                    accept: { [weak self] in
                        self?.open(place: name)
                        return .none
                    }))
            display.stateChanged()
        }
    }
}
