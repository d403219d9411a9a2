import Gallery
import Raster

extension GalleryModel {
    func run(_ command: Command, count: Int?) -> Bool {
        let steps = count ?? 1
        switch command {
        case .toggleLayout: toggleLayout()
        case .larger: resizeTiles(by: steps)
        case .smaller: resizeTiles(by: -steps)
        case .defaultSize: resizeTiles(by: nil)
        case .nextOrder: nextOrder()
        default: return move(command, count: count)
        }
        return true
    }

    /// Runs a command that moves the selection; false if it is none.
    private func move(_ command: Command, count: Int?) -> Bool {
        let steps = count ?? 1
        let page = level.metrics.rowsPerScreen
        switch command {
        case .left: level.move(by: -steps)
        case .right: level.move(by: steps)
        case .up: level.move(byRows: -steps)
        case .down: level.move(byRows: steps)
        case .pageDown: level.page(byRows: page * steps)
        case .pageUp: level.page(byRows: -page * steps)
        case .halfPageDown: level.page(byRows: max(1, page / 2) * steps)
        case .halfPageUp: level.page(byRows: -max(1, page / 2) * steps)
        case .first: go(to: count ?? 1)
        case .last:
            level.sections.sections.forEach { $0.fruitlessPages = 0 }
            go(to: count)
        case .rowStart, .rowEnd: level.moveInRow(toEnd: command == .rowEnd)
        case .screenTop: level.visiblePictures.first.map { level.select(number: $0) }
        case .screenBottom: level.visiblePictures.last.map { level.select(number: $0) }
        case .center: level.center()
        case .nextSection: level.moveToSection(steps)
        case .previousSection: level.moveToSection(-steps)
        default: return false
        }
        return true
    }

    /// Selects the picture with that number, from 1, or the last one loaded if nil; one that is not loaded yet is loaded on to.
    func go(to number: Int?) {
        let total = level.layout.pictureCount
        guard total > 0 else { return }
        level.select(number: min(number ?? total, total) - 1)
        awaitedNumber = number.flatMap { $0 > total ? $0 : nil }
        goOnToAwaited()
    }

    /// Loads on for the picture that was gone to before its page was there, and selects it once it is.
    func goOnToAwaited() {
        guard let number = awaitedNumber else { return }
        let total = level.layout.pictureCount
        if number <= total || !level.sections.loadOn() {
            awaitedNumber = nil
            level.select(number: min(number, total) - 1)
            display.show(message: number <= total ? "" : "there are only \(total)")
        } else {
            display.show(message: "loading on to \(number), \(total) are there: any key stays here")
        }
    }

    @discardableResult
    func click(x: Int, y: Int) -> Bool {
        guard y > 0, y < display.size.rows - 1,
            let number = level.layout.picture(atX: x, row: level.scrollRow + y - 1)
        else { return false }
        // The sticky header covers what is below it.
        let isCovered = y == 1 && level.stickyBlock != nil
        guard !isCovered else { return false }
        level.select(number: number)
        return true
    }

    func toggleMark() {
        guard let picture = level.selectedPicture else { return }
        if level.marks.remove(picture.image) == nil { level.marks.insert(picture.image) }
    }

    func clearMarks() {
        display.show(message: level.marks.isEmpty ? "nothing is marked" : "marks cleared")
        level.marks = []
    }

    func invertMarks() {
        let shown = (0..<level.layout.pictureCount).compactMap {
            level.sections.picture(level.id(ofPicture: $0))?.image
        }
        level.marks.formSymmetricDifference(Set(shown))
        display.show(message: "\(level.marks.count) marked")
    }

    /// The marked pictures in gallery order, each once, those that a filter hides too; the selected one if none is marked.
    var chosenPictures: [Picture] {
        guard !level.marks.isEmpty else { return [level.selectedPicture].compactMap(\.self) }
        var left = level.marks
        return level.sections.sections.lazy.flatMap(\.pictures).filter {
            left.remove($0.image) != nil
        }
    }
}
