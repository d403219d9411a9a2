import Gallery
import Raster
import Thumbnails

extension BrowserModel {
    /// One picture over the body: the full one, else its thumbnail, centred.
    func viewerScene() -> ViewerScene {
        guard let id = level.selection else {
            return ViewerScene(
                picture: .placeholder(isLoading: false), frame: body, isLoading: false)
        }
        let picture = viewerPicture(id)
        return ViewerScene(
            picture: picture, frame: frame(of: picture), isLoading: isLoadingFull(id),
            failure: full.failure(of: id).map { OneLine.text($0.description) })
    }

    private func viewerPicture(_ id: PictureID) -> PictureScene {
        if let playback, playback.id == id, let frame = playback.thumbnail {
            return .ready(frame)
        }
        if let thumbnail = preview.thumbnail ?? full.thumbnail(of: id) ?? tiles.thumbnail(of: id) {
            return .ready(thumbnail)
        }
        // An album has no picture of its own to show beside its thumbnail.
        return level.sections.picture(id)?.kind == .album
            ? tiles.pictureScene(of: id) : full.pictureScene(of: id)
    }

    /// Whether the picture itself is on its way.
    func isLoadingFull(_ id: PictureID) -> Bool {
        if awaitsDetail(id) || fullSizeGuess(of: id) != nil { return true }
        return if case .loading = full.state(of: id) { true } else { false }
    }

    private func frame(of picture: PictureScene) -> CellRect {
        guard case .ready(let thumbnail) = picture else { return body }
        let columns = min(thumbnail.cells.size.columns, body.size.columns)
        let rows = min(thumbnail.cells.size.rows, body.size.rows)
        return CellRect(
            x: (body.size.columns - columns) / 2, y: body.y + (body.size.rows - rows) / 2,
            columns: columns, rows: rows)
    }
}
