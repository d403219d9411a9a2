import Gallery
import Pipeline

/// The pages behind thumbnails: only the viewer asks for them, for the picture it shows and for the next.
extension BrowserModel {
    /// Asks for the pages behind the pictures with these numbers, the first most urgently.
    func requestDetails(_ numbers: [Int]) {
        guard let details else { return }
        let wants = numbers.enumerated().compactMap {
            rank, number -> (id: PictureID, picture: Picture, priority: Priority)? in
            guard exists(number) else { return nil }
            let id = level.id(ofPicture: number)
            guard let picture = level.sections.picture(id), picture.hasUnseenDetail else {
                return nil
            }
            return (id, picture, rank == 0 ? .urgent : .prefetch)
        }
        details.update(wants)
    }

    /// Whether the page that knows the full picture is on its way.
    func awaitsDetail(_ id: PictureID) -> Bool {
        guard level.sections.picture(id)?.hasUnseenDetail == true else { return false }
        return if case .loading = details?.state(of: id) { true } else { false }
    }

    /// Why the page behind a picture gave no full one; what the gallery's page names is then shown.
    func detailFailure(of id: PictureID) -> String? {
        if case .failed(let error) = details?.state(of: id) { error.description } else { nil }
    }

    /// The page behind a picture is there, or has failed.
    func detailChanged(_ id: PictureID, _ detail: Detail?) {
        for level in levels {
            guard let section = level.sections.section(id.section) else { continue }
            if let detail { section.adopt(detail, at: id.index) }
            level.sectionsChanged()
        }
        needsUpdate = true
        guard viewer != nil, id == level.selection else { return }
        needsDisplay = true
        guard detail == .album, let album = level.sections.picture(id) else { return }
        if viewer?.openedPicture == id {
            openAlbum(album)
        } else {
            show(message: "an album: Enter opens it")
        }
    }
}
