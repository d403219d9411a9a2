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
        let part = FoldedText(sought)
        // Each step may read the whole gallery: a larger count is a slip.
        for _ in 0..<min(abs(steps), 100) {
            guard find(part, step: steps.signum()) else {
                return show(message: "not found: \(sought)")
            }
        }
    }

    private func find(_ part: FoldedText, step: Int) -> Bool {
        let total = level.layout.pictureCount
        guard total > 0, let start = level.selectedNumberNow else { return false }
        for distance in 1...total {
            let place = start + step * distance
            let number = (place % total + total) % total
            guard let picture = level.sections.picture(level.id(ofPicture: number)),
                FoldedText(picture).contains(part)
            else { continue }
            level.select(number: number)
            if place != number {
                show(message: step > 0 ? "found from the start again" : "found from the end again")
            }
            return true
        }
        return false
    }
}
