import Gallery

extension BrowserModel {
    /// Whether keys go to the line that is being typed.
    var isTyping: Bool { prompt != nil && context == .gallery }

    /// Answers a key while a line is being typed.
    func type(_ key: Key) -> Effect {
        // The terminal may need it at any time.
        switch options.keys.command(for: key, in: .gallery) {
        case .redraw: return .redraw
        case .suspend: return .suspend
        default: break
        }
        guard let answer = prompt?.take(key), let prompt else { return .none }
        if answer != .typing {
            self.prompt = nil
        }
        switch prompt.purpose {
        case .find: find(prompt.text, answer)
        case .filter: filter(prompt, answer)
        }
        return .none
    }

    // MARK: Find

    private func find(_ text: String, _ answer: Prompt.Answer) {
        guard answer == .done else { return }
        // As in other programs, an empty line repeats the search.
        if !text.isEmpty {
            sought = text
        }
        findNext(1)
    }

    /// Selects the next picture that holds what is sought, after `steps` of them, before the selected one if negative.
    func findNext(_ steps: Int) {
        guard !sought.isEmpty else { return show(message: "nothing to find yet") }
        let text = FoldedText(sought)
        // A larger count is a slip.
        for _ in 0..<min(abs(steps), 100) {
            let start = level.selectedNumberNow
            guard
                let number = level.numberOfPicture(holding: text, isBackwards: steps < 0)
            else { return show(message: "not found: \(sought)") }
            level.select(number: number)
            guard let start, steps > 0 ? number <= start : number >= start else { continue }
            show(message: steps > 0 ? "found from the start again" : "found from the end again")
            // The only one there is would be read for over the whole gallery again.
            if number == start { return }
        }
    }
}
