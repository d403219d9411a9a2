import Gallery
import Raster

/// The visible part of a page in a strip.
struct StripPiece {
    let number: Int
    let part: UnitRect
    let area: CellRect
}

/// Two pages side by side, and pages as one strip: in that the selected one is at the top, scrolled by a part of its height, and others
/// follow below it.
extension ViewerModel {
    /// Returns the number of the picture to be shown beside another: the next page, or the next marked picture; nil if there is none.
    func partner(of number: Int) -> Int? {
        switch pairing {
        case nil, .strip: nil
        case .marked: markedPartner.flatMap(level.number).flatMap { $0 == number ? nil : $0 }
        case .versions:
            [number + 1, number - 1, nil][number % 3].flatMap { $0 < level.pictureCount ? $0 : nil }
        case .spread, .rightToLeft: spread(around: number).first { $0 != number }
        }
    }

    /// Returns the one or two pages of the spread that a page belongs to: the cover and wide pages are alone, and pairs are counted from
    /// there; or the versions of a picture, with their difference.
    func spread(around number: Int) -> Range<Int> {
        if pairing == .versions {
            let first = number - number % 3
            return first..<min(first + 3, level.pictureCount)
        }
        let isAlone = { $0 == 0 || !self.showsSpreads || self.isWide($0) }
        if isAlone(number) { return number..<number + 1 }
        // Further back the pages of a chapter are not remembered.
        let start = ((number - 200)..<number).last { $0 < 0 || isAlone($0) } ?? 0
        let first = number - (number - start - 1) % 2
        let isPair = first + 1 < level.pictureCount && !isAlone(first + 1)
        return first..<first + (isPair ? 2 : 1)
    }

    private func isWide(_ number: Int) -> Bool {
        guard let size = gallery.size(of: level.id(ofPicture: number)) else { return false }
        return size.width > size.height
    }

    /// The parts of pages on the screen, from top to bottom; empty without pictures.
    var pieces: [StripPiece] {
        guard let first = level.selectedNumber else { return [] }
        var pieces: [StripPiece] = []
        var y = fullArea.y
        var hidden = hiddenRows(of: first)
        for number in first..<level.pictureCount where y < fullArea.bottom {
            let rows = rows(ofPage: number)
            let shown = min(rows - hidden, fullArea.bottom - y)
            pieces.append(
                StripPiece(
                    number: number,
                    part: UnitRect(
                        x: 0, y: Double(hidden) / Double(rows), width: 1,
                        height: Double(shown) / Double(rows)),
                    area: CellRect(x: fullArea.x, y: y, columns: fullArea.columns, rows: shown)))
            y += shown
            hidden = 0
        }
        return pieces
    }

    /// Returns the height of a page as wide as the screen, in rows; as high as the screen while its shape is unknown.
    private func rows(ofPage number: Int) -> Int {
        guard let size = gallery.size(of: level.id(ofPicture: number)) else {
            return fullArea.rows
        }
        let shape = Double(size.height) / Double(size.width)
        let rows = Double(fullArea.columns) * shape / display.style.cellAspect
        return max(1, Int(min(rows, 1e6).rounded()))
    }

    private func hiddenRows(of number: Int) -> Int {
        let rows = rows(ofPage: number)
        return min(rows - 1, Int((scrolledPart * Double(rows)).rounded()))
    }

    /// Scrolls by screens, or parts of one; at the strip's end the next volume follows.
    func scrollStrip(by screens: Double) {
        guard var number = level.selectedNumber else { return }
        var hidden = hiddenRows(of: number) + Int((screens * Double(fullArea.rows)).rounded())
        while hidden < 0, number > 0 {
            number -= 1
            hidden += rows(ofPage: number)
        }
        while hidden >= rows(ofPage: number) {
            guard number + 1 < level.pictureCount else { return turnPage(by: 1) }
            hidden -= rows(ofPage: number)
            number += 1
        }
        showHere(number)
        scrolledPart = max(0, Double(hidden) / Double(rows(ofPage: number)))
    }
}
