import Raster

extension BrowserModel {
    /// Where keys go now: to the topmost thing on the screen that takes them.
    var context: KeyContext {
        if failureQueue.first != nil { return .dialog }
        if helpRow != nil { return .help }
        return viewer == nil ? .gallery : .viewer
    }

    /// Answers a key.
    func handle(_ key: Key) -> Effect {
        if isTyping { return type(key) }
        let context = context
        // A question is answered, not counted.
        if context != .dialog, count.take(key) { return .none }
        let typed = count.finish()
        // Esc gives up the number that is being typed, and nothing else.
        if typed != nil, key == .escape, context != .dialog { return .none }
        guard let command = options.keys.command(for: key, in: context) else { return .none }
        return run(command, count: typed, in: context)
    }

    private func run(_ command: Command, count: Int?, in context: KeyContext) -> Effect {
        switch command {
        case .redraw: return .redraw
        case .suspend: return .suspend
        case .quit: return quit(in: context)
        case .copyAddress: return copyAddress()
        default: break
        }
        switch context {
        case .dialog: answer(command)
        case .help: runInHelp(command, count: count)
        case .viewer: runInViewer(command, count: count)
        case .gallery: runInGallery(command, count: count)
        }
        return .none
    }

    /// `q`: out of what is on top; out of the program if nothing is.
    private func quit(in context: KeyContext) -> Effect {
        switch context {
        case .dialog: answer(.dismiss)
        case .help: helpRow = nil
        case .viewer, .gallery:
            if !goBack() { return .quit }
        }
        return .none
    }

    /// Closes the info panel, the viewer or the album; false if none of them is open.
    @discardableResult
    func goBack() -> Bool {
        if isInfoShown {
            isInfoShown = false
        } else if viewer != nil {
            closeViewer()
        } else if levels.count > 1 {
            closeAlbum()
        } else {
            return false
        }
        return true
    }

    /// What gallery and viewer have in common.
    func runAnywhere(_ command: Command) {
        switch command {
        case .retry: retryFailed()
        case .reload: reload()
        case .info: isInfoShown.toggle()
        case .help: helpRow = 0
        case .back: goBack()
        case .slideshow: startSlideshow()
        case .openElsewhere: openElsewhere()
        case .mark, .clearMarks, .invertMarks, .save: runOnPictures(command)
        case .nextBlocks: nextBlocks()
        case .nextColors: nextColors()
        case .toggleTint:
            style.isTinted.toggle()
            show(message: style.isTinted ? "tint on" : "tint off")
        default: break
        }
    }

    private func nextBlocks() {
        style.blocks = Self.next(after: style.blocks, in: options.availableBlocks)
        show(message: "blocks: \(style.blocks.rawValue)")
    }

    private func nextColors() {
        style.depth = Self.next(after: style.depth, in: options.availableDepths)
        show(message: "colours: \(style.depth.rawValue)")
    }

    /// The choice after `current`, the first one after the last; `current` itself where there is no choice.
    private static func next<Choice: Equatable>(after current: Choice, in choices: [Choice])
        -> Choice
    {
        guard let place = choices.firstIndex(of: current) else { return choices.first ?? current }
        return choices[(place + 1) % choices.count]
    }
}
