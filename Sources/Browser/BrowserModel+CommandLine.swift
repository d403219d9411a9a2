import Gallery

extension BrowserModel {
    /// Runs what was typed after `:`: the name of a command, or its beginning, and what it takes; a number goes to that picture.
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
                display.show(message: "nothing to sort by: \(argument)")
                break
            }
            gallery.sort(by: key, isReversed: argument.hasPrefix("-"))
        default: break
        }
        return .none
    }

    /// Opens a SOURCE, as an album is opened.
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
