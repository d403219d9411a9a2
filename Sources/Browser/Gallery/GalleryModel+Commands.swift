import Gallery
import Raster

extension GalleryModel {
    @discardableResult
    func run(_ command: Command, count: Int?) -> Bool {
        let steps = count ?? 1
        switch command {
        case .toggleLayout: toggleLayout()
        case .larger: resizeTiles(by: steps)
        case .smaller: resizeTiles(by: -steps)
        case .defaultSize: resizeTiles(by: nil)
        case .markRange: markRange()
        case .nextOrder:
            sort(by: PictureOrder.Key.allCases.next(after: order.key), isReversed: order.isReversed)
        case .reverse: sort(by: order.key, isReversed: !order.isReversed)
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
        case .right: go(steps, level.move(by:))
        case .up: level.move(byRows: -steps)
        case .down: go(steps, level.move(byRows:))
        case .pageDown: go(page * steps, level.page(byRows:))
        case .pageUp: level.page(byRows: -page * steps)
        case .halfPageDown: go(max(1, page / 2) * steps, level.page(byRows:))
        case .halfPageUp: level.page(byRows: -max(1, page / 2) * steps)
        case .first: go(to: count ?? 1)
        case .last: if let count { go(to: count) } else { goToLast() }
        case .all: loadAll()
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

    /// Selects what is under the pointer, of a header its first picture; false unless it is a picture.
    @discardableResult
    func click(x: Int, y: Int) -> Bool {
        let row = level.scrollRow + y - 1
        let header = level.layout.blocks.first {
            $0.hasHeader && $0.firstRow == row && $0.count > 0
        }
        if y > 0, y < display.size.rows - 1, let header {
            level.select(number: header.firstPicture)
        }
        guard y > 0, y < display.size.rows - 1,
            let number = level.layout.picture(atX: x, row: level.scrollRow + y - 1)
        else { return false }
        level.select(number: number)
        return true
    }

    /// The numbers between the picture where a range was begun and the selected one.
    var range: ClosedRange<Int>? {
        guard let start = rangeStart.flatMap(level.number), let end = level.selectedNumber else {
            return nil
        }
        return min(start, end)...max(start, end)
    }

    /// Begins a range of marks, or marks what is in it.
    func markRange() {
        guard let range else {
            rangeStart = level.selection
            return display.show(message: "a range begins here: move, then V marks it")
        }
        rangeStart = nil
        let pictures = range.compactMap { level.sections.picture(level.id(ofPicture: $0))?.image }
        level.marks.formUnion(pictures)
        display.show(message: "\(level.marks.count) marked")
    }

    /// Gives up the range that was begun; false if there is none.
    func stopRange() -> Bool {
        defer { rangeStart = nil }
        return rangeStart != nil
    }

    /// Selects the next marked picture, or the one before if `step` is -1; around the end if need be.
    func goToMarked(step: Int) {
        let total = level.layout.pictureCount
        guard let start = level.selectedNumber, !level.marks.isEmpty else {
            return display.show(message: "nothing is marked")
        }
        let numbers = (1...total).lazy.map { ((start + step * $0) % total + total) % total }
        let found = numbers.first { [level] number in
            let picture = level.sections.picture(level.id(ofPicture: number))
            return picture.map { level.marks.contains($0.image) } ?? false
        }
        found.map { level.select(number: $0) }
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

    /// The marked pictures; the selected one if none is marked.
    var chosenPictures: [Picture] {
        level.marks.isEmpty ? [level.selectedPicture].compactMap(\.self) : marked
    }

    /// The marked pictures in gallery order, each once, those that a filter hides too.
    var marked: [Picture] {
        var left = level.marks
        return level.sections.sections.lazy.flatMap(\.pictures).filter {
            left.remove($0.image) != nil
        }
    }
}
