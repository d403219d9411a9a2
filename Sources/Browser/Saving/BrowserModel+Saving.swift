import Gallery
import Network

extension BrowserModel {
    /// Runs a command on the selected picture, or on the marked ones; others are not its own.
    func runOnPictures(_ command: Command) {
        switch command {
        case .mark: toggleMark()
        case .clearMarks: clearMarks()
        case .invertMarks: invertMarks()
        case .save: save()
        default: break
        }
    }

    /// One line for each picture that could not be saved; decides the exit code.
    public var saveFailures: [String] { saves?.failures ?? [] }

    /// Gives up what is being saved, at the end of the program.
    public func cancelSaves() {
        saves?.cancel()
    }

    // MARK: Marks

    /// Whether the picture is marked.
    func isMarked(_ picture: Picture) -> Bool {
        level.marks.contains(picture.image)
    }

    private func toggleMark() {
        guard let picture = level.selection.flatMap(level.sections.picture) else { return }
        if level.marks.remove(picture.image) == nil {
            level.marks.insert(picture.image)
        }
    }

    private func clearMarks() {
        show(message: level.marks.isEmpty ? "nothing is marked" : "marks cleared")
        level.marks = []
    }

    private func invertMarks() {
        level.marks.formSymmetricDifference(Set(allPictures.map(\.image)))
        show(message: "\(level.marks.count) marked")
    }

    private var allPictures: [Picture] {
        (0..<level.layout.pictureCount).compactMap {
            level.sections.picture(level.id(ofPicture: $0))
        }
    }

    // MARK: Saving

    private func save() {
        guard let saves else { return show(message: "there is nowhere to save to") }
        let chosen = level.marks.isEmpty ? selectedPictures : markedPictures
        let pictures = chosen.filter { $0.kind == .picture }
        guard !pictures.isEmpty else {
            return show(
                message: chosen.isEmpty
                    ? "no picture to save" : "open the album to save its pictures")
        }
        saves.add(pictures)
    }

    private var selectedPictures: [Picture] {
        [level.selection.flatMap(level.sections.picture)].compactMap(\.self)
    }

    /// In gallery order, each once, those that a filter hides too.
    private var markedPictures: [Picture] {
        var left = level.marks
        return level.sections.sections.lazy.flatMap(\.pictures).filter {
            left.remove($0.image) != nil
        }
    }
}
