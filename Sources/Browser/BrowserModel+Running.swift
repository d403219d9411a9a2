import Basics
import Gallery

/// Other programs, and what comes from other windows.
extension BrowserModel {
    /// Shows once what would be run on the marked pictures, or this one, and runs it if that is accepted.
    ///
    /// Without a shell: names are arguments, in the place of `{}` or at the end, whatever is in them.
    func askToRun(_ line: String) -> Effect {
        let typed = Self.words(line)
        let names = gallery.chosenPictures.map(Self.name)
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

    /// Runs the command that was accepted, in the terminal, which must be free for it; blocks until it has ended.
    public func runCommand(input: Int32, output: Int32) {
        context.services.running?.run(commandWords, input: input, output: output)
        display.stateChanged()
    }

    /// A line's words: spaces between them, unless they are quoted or escaped as for a shell; nothing else means anything.
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

    /// Text goes to the line that is being typed; an address or a path is offered to be opened, and nothing else is done.
    func paste(_ text: String) {
        guard typedLine == nil else { return prompt.insert(text) }
        let name = String(text.drop(while: \.isWhitespace).prefix { !$0.isNewline })
        guard dialogs.question == nil, let places = context.services.places, !name.isEmpty,
            name.utf8.count <= Self.longestCopied
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
