import Raster

/// Two pages side by side: which belong together.
extension ViewerModel {
    /// Returns the number of the picture to be shown beside another: the next page, or the next marked picture; nil if there is none.
    func partner(of number: Int) -> Int? {
        switch pairing {
        case nil, .strip: return nil
        case .marked:
            return markedPartner.flatMap(level.number).flatMap { $0 == number ? nil : $0 }
        case .spread, .rightToLeft: return spread(around: number).first { $0 != number }
        }
    }

    /// Returns the one or two pages of the spread that a page belongs to: the cover and wide pages are alone, and pairs are counted from
    /// there.
    func spread(around number: Int) -> Range<Int> {
        let isAlone = { $0 == 0 || self.isWide($0) }
        if isAlone(number) { return number..<number + 1 }
        // Further back the pages of a chapter are not remembered.
        let start = ((number - 200)..<number).last { $0 < 0 || isAlone($0) } ?? 0
        let first = number - (number - start - 1) % 2
        let isPair = first + 1 < level.layout.pictureCount && !isAlone(first + 1)
        return first..<first + (isPair ? 2 : 1)
    }

    private func isWide(_ number: Int) -> Bool {
        guard let size = gallery.size(of: level.id(ofPicture: number)) else { return false }
        return size.width > size.height
    }
}
