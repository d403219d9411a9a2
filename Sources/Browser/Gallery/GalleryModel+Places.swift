import Gallery
import Network
import Pipeline
import State

/// Where the reader was in each gallery: kept behind the screen, and gone to when the gallery is opened again.
extension GalleryModel {
    /// Goes to where the gallery was left once that is known, unless something else is selected meanwhile.
    func resume() {
        let level = level
        guard context.options.resumes, let state = context.services.state, level.destination == nil,
            !level.isPlaced, level.sections.count == 1, let gallery = key
        else { return }
        level.resuming = MainRequest(on: context.main) { answer in
            state.place(in: gallery, completion: answer)
            return .ended
        } receive: { [weak self, weak level] (place: Place?) in
            guard let self, let level, let place, !level.isPlaced else { return }
            level.view = place.view
            guard place.number > 1, let picture = Address(place.picture) else { return }
            level.destination = .place(picture, number: place.number)
            goOn()
            display.stateChanged()
        }
    }

    /// Keeps where the reader is, at most once a second unless this is the last moment.
    func keepPlace(isLast: Bool = false) {
        let (level, now) = (level, context.clock())
        let isKept = level.kept.id == level.selection && level.kept.view == level.view
        guard let state = context.services.state, !isKept, isLast || now - level.kept.time > 1,
            level.destination == nil, let place
        else { return }
        level.kept = (level.selection, level.view, now)
        state.keep(place)
    }

    /// The selected picture's place; nil if there is none that can be gone to again.
    var place: Place? {
        guard let id = level.selection, let picture = level.selectedPicture,
            let section = level.section(id.section), section.owner == nil, !section.isNews,
            let gallery = key
        else { return nil }
        var place = Place(gallery: gallery)
        (place.title, place.caption) = (section.title, picture.caption)
        (place.picture, place.thumbnail) = (picture.image.text, picture.thumbnail.text)
        (place.number, place.view) = (id.index + 1, level.view)
        return place
    }

    /// The address by which the current section's gallery is known; nil for what cannot be opened again or must be typed, and for the home
    /// screen.
    var key: String? {
        guard let address = level.currentSection?.address ?? level.sections.first?.address,
            !address.isInline, !address.isOnFileServer,
            address.text != context.services.home?.address.text,
            address.filePath?.hasPrefix("/proc/") != true, !address.text.contains("?files=")
        else { return nil }
        return address.text
    }
}
