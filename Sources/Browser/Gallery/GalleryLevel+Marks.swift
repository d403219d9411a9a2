import Collector
import Gallery
import Network

/// The marked pictures and the commands on them, which return the message for the user.
extension GalleryLevel {
    func isMarked(_ picture: Picture, number: Int) -> Bool {
        marks.contains(picture.image) || range?.contains(number) == true
    }

    func toggleMark() {
        selectedPicture.map { marks.formSymmetricDifference([$0.image]) }
    }

    func clearMarks() -> String {
        defer { marks = [] }
        return marks.isEmpty ? "nothing is marked" : "marks cleared"
    }

    /// Forgets the marks of pictures that are gone, once all pages have been loaded.
    func forgetMissingMarks() {
        if !marks.isEmpty, !mayGrow { marks.formIntersection(marked.map(\.image)) }
    }

    func invertMarks() -> String {
        marks.formSymmetricDifference(images(0..<pictureCount))
        return markedText
    }

    /// The numbers from the start of the range to the selected picture.
    private var range: ClosedRange<Int>? {
        guard let (id, image) = rangeStart,
            let start = find(image, near: id).flatMap(number),
            let end = selectedNumber
        else { return nil }
        return min(start, end)...max(start, end)
    }

    /// Begins a range of marks, or marks all pictures in it.
    func markRange() -> String {
        guard let selection, let image = selectedPicture?.image else { return "nothing to mark" }
        guard let range else {
            rangeStart = (selection, image)
            return "a range begins here: move, then V marks it"
        }
        rangeStart = nil
        marks.formUnion(images(range))
        return markedText
    }

    /// Cancels the range; returns false if there is none.
    func stopRange() -> Bool {
        defer { rangeStart = nil }
        return rangeStart != nil
    }

    private var markedText: String { "\(marks.count) marked" }

    private func images(_ numbers: some Sequence<Int>) -> Set<Address> {
        Set(numbers.compactMap { picture(id(ofPicture: $0))?.image })
    }

    /// Selects the next marked picture, or the previous one if `step` is -1, wrapping around; returns false if none is marked.
    @discardableResult
    func goToMarked(step: Int) -> Bool {
        guard let start = selectedNumber, !marks.isEmpty else { return false }
        markedNumber(step: step, from: start).map(select(number:))
        return true
    }

    /// Returns the number of the next marked picture, or the previous one, after `start`, wrapping around; nil if none is shown.
    func markedNumber(step: Int, from start: Int) -> Int? {
        let total = pictureCount
        let numbers = (1...total).lazy.map { ((start + step * $0) % total + total) % total }
        return marks.isEmpty
            ? nil
            : numbers.first { number in
                picture(id(ofPicture: number)).map { marks.contains($0.image) }
                    ?? false
            }
    }

    /// The marked pictures, or the selected one if none is marked.
    var chosenPictures: [Picture] { chosenOrders.map(\.picture) }

    /// The marked pictures and albums with their places, or the selected one if none is marked.
    var chosenOrders: [SaveOrder] { chosen.compactMap(order) }

    /// The marked pictures and albums, hidden ones too, or the selected one if none is marked.
    var chosen: [PictureID] {
        var left = drawnMarks
        if left.isEmpty { return selectedIDs }
        return sections.flatMap { section in
            section.pictures.enumerated().filter { left.remove($0.element.image) != nil }
                .map { PictureID(section: section.id, index: $0.offset) }
        }
    }

    /// The images drawn as marked, also in a range that has only been begun.
    private var drawnMarks: Set<Address> { marks.union(range.map(images) ?? []) }

    /// A section as an album, to be saved whole.
    func albumOrder(of section: Section) -> SaveOrder {
        SaveOrder(
            section.album, section: (sectionPlaces[section.owner ?? section.id] ?? 0) + 1)
    }

    /// The marked pictures in gallery order without duplicates, including those hidden by a filter.
    var marked: [Picture] { drawnMarks.isEmpty ? [] : chosenPictures }

    func order(of id: PictureID) -> SaveOrder? {
        guard let place = sectionPlaces[id.section], let picture = picture(id) else {
            return nil
        }
        return SaveOrder(
            picture, section: place + 1, index: id.index + 1,
            gallery: sections[place].title)
    }
}
