import Basics
import Gallery
import Raster
import Thumbnails

/// The viewer's scene and its layout, with the filmstrip, and what the bottom line says of the picture.
extension ViewerModel {
    /// Returns the scene with the full picture, or its thumbnail, centred.
    func scene() -> ViewerScene {
        guard let id = level.selection else {
            return ViewerScene(
                picture: .placeholder(isLoading: false), frame: area, isLoading: false)
        }
        let picture = pictureScene(id)
        return ViewerScene(
            picture: picture, frame: frame(of: picture, in: area), isLoading: isLoadingFull(id),
            others: places.dropFirst().map { other in
                let picture = pictureScene(level.id(ofPicture: other.number))
                return FramedScene(
                    picture: picture, frame: frame(of: picture, in: other.area))
            },
            failure: full.failure(of: id)?.description.oneLine(), map: mapScene,
            filmstrip: filmstripScene)
    }

    private func pictureScene(_ id: PictureID) -> PictureScene {
        if let playback, playback.id == id, let frame = playback.thumbnail { return .ready(frame) }
        let tiles = gallery.tiles
        let partial = id == level.selection ? preview.thumbnail : nil
        // A tile in its own tone would flash.
        let tile = level.reading.tone == Tone() ? tiles.thumbnail(of: id) : nil
        if let thumbnail = partial ?? full.thumbnail(of: id) ?? tile {
            return .ready(thumbnail)
        }
        // An album only has its thumbnail.
        return level.picture(id)?.kind == .album
            ? tiles.pictureScene(of: id) : full.pictureScene(of: id)
    }

    /// Returns where a picture is drawn: in the middle of its area, but pages of a spread touch each other.
    private func frame(of picture: PictureScene, in body: CellRect) -> CellRect {
        guard case .ready(let thumbnail) = picture else { return body }
        let size = thumbnail.cells.size
        var frame = body.middle(columns: size.columns, rows: size.rows)
        if showsSpreads, body != fullArea {
            frame.x = body.x == fullArea.x ? body.right - frame.columns : body.x
        }
        if pairing == .strip { frame.y = body.y }
        return frame
    }

    /// The overview map in the corner, a sixth of the area's width and at most a third of its height.
    private var mapScene: MapScene? {
        guard zoom.isZoomed, area.columns >= 40, area.rows >= 12 else { return nil }
        let aspect = ratios.picture * display.style.cellAspect
        let part = region
        guard part.width < 1 || part.height < 1 else { return nil }
        let most = min(6, area.rows / 3)
        let columns = min(area.columns / 6, Int((Double(most) * aspect).rounded(.up)))
        let rows = min(most, max(2, Int((Double(columns) / aspect).rounded())))
        return MapScene(
            frame: CellRect(
                x: area.right - max(3, columns) - 1,
                y: area.bottom - rows - 1, columns: max(3, columns), rows: rows),
            part: part)
    }

    /// The aspect ratios of the selected picture and its area.
    var ratios: Zoom.Ratios { ratios(of: level.selection) }

    /// Returns the aspect ratios of a picture and its area; the picture's size is taken from its file, or else from its page.
    private func ratios(of id: PictureID?) -> Zoom.Ratios {
        let body = area.size
        let shape = Double(body.columns) / (Double(body.rows) * display.style.cellAspect)
        let picture = id.flatMap(pictureSize).map { Double($0.width) / Double($0.height) }
        return Zoom.Ratios(picture: picture ?? shape, body: shape)
    }

    /// Returns the rotated size in pixels: of the largest file, else of the file that stands in for it, else from the page; nil if unknown.
    func pictureSize(_ id: PictureID) -> PixelSize? {
        guard let picture = level.picture(id) else { return nil }
        var size = (full.thumbnail(of: id) ?? gallery.tiles.thumbnail(of: id))?.facts.size
        if let own = full.facts(of: id, picture) {
            size = own.size
        } else if let shown = size, shown.width > 0,
            let width = gallery.size(of: id)?.width
                ?? (picture.full ?? picture.variants.dropFirst().last)?.width?.count
        {
            // A smaller file has the same shape.
            size = PixelSize(width: width, height: max(1, shown.height * width / shown.width))
        }
        guard let known = size ?? gallery.size(of: id), known.count > 0 else { return nil }
        let content = content(of: id)
        return rotation.turned(
            PixelSize(
                width: max(1, Int(Double(known.width) * content.width)),
                height: max(1, Int(Double(known.height) * content.height))))
    }

    /// The body without the filmstrip and the info panel.
    var fullArea: CellRect {
        var area = display.body
        area.size.columns -= display.factsColumns
        area.size.rows -= filmstripRows
        return area
    }

    /// The selected picture's area: all, or one half beside another picture.
    var area: CellRect { places.first?.area ?? fullArea }

    /// The numbers of the pictures shown, the selected one first, and their areas.
    private var places: [(number: Int, area: CellRect)] {
        if pairing == .strip { return pieces.map { ($0.number, $0.area) } }
        guard let number = level.selectedNumber else { return [] }
        guard !showsOne, let other = partner(of: number) else { return [(number, fullArea)] }
        var left = fullArea
        // What is compared does not touch.
        left.size.columns = max(1, (fullArea.columns - (showsSpreads ? 0 : 1)) / 2)
        var right = left
        right.x += fullArea.columns - left.columns
        let isLeft = pairing == .marked || (number < other) == (pairing != .rightToLeft)
        return isLeft ? [(number, left), (other, right)] : [(number, right), (other, left)]
    }

    var region: UnitRect { pairing == .strip ? .whole : zoom.region(ratios) }

    /// Returns the visible part of a picture without its borders; each page of a spread is fitted by its own shape.
    func region(of id: PictureID) -> UnitRect {
        let ratios = ratios(of: id)
        var zoom = zoom
        if followsFit, let factor = fitFactor(ratios) { zoom.set(factor) }
        return zoom.region(ratios)
    }

    /// Block pixels per picture pixel when the picture fits the screen; nil while its size is unknown.
    var fittingScale: Double? {
        level.selection.flatMap(pictureSize).map {
            let fit = Fit($0, into: area.size, style: display.style)
            let seen = display.style.pixels?.size(of: fit.cells) ?? fit.pixels
            return Double(seen.width) / Double($0.width)
        }
    }

    /// Pixels, bytes, zoom, date and tone for the bottom line.
    var facts: [String] {
        guard let id = level.selection, let picture = level.picture(id) else { return [] }
        var details = picture.details(
            facts: full.facts(of: id, picture) ?? gallery.tiles.facts(of: id, picture), texts)
        if pairing != .strip, let scale = fittingScale {
            let percent = Int(bounded: (scale * zoom.factor * 100).rounded()) ?? 0
            details.insert("\(max(1, percent)) %", at: 2)
        }
        return (details + level.reading.tone.words).nonEmpty
    }

    /// The numbers of the pictures in the filmstrip, with the selected one as close to the middle as possible.
    var filmstripPictures: Range<Int> {
        guard filmstripRows > 0, let number = level.selectedNumber else { return 0..<0 }
        let total = level.pictureCount
        let count = min(total, fullArea.columns / (filmstripBox.columns + 2))
        let first = min(max(0, number - count / 2), total - count)
        return first..<first + count
    }

    var filmstripScene: [FramedScene] {
        let pictures = filmstripPictures
        let box = filmstripBox
        let left = (fullArea.columns - pictures.count * (box.columns + 2)) / 2
        return pictures.map { number in
            let id = level.id(ofPicture: number)
            return FramedScene(
                picture: filmstrip.pictureScene(of: id),
                frame: CellRect(
                    x: left + (number - pictures.lowerBound) * (box.columns + 2) + 1,
                    y: area.bottom + 1, columns: box.columns, rows: box.rows),
                isSelected: id == level.selection)
        }
    }

    /// The filmstrip's rows: a thumbnail and the selection's border; 0 without filmstrip.
    var filmstripRows: Int {
        isFilmstripShown && display.body.rows >= 16 ? filmstripBox.rows + 2 : 0
    }

    var filmstripBox: CellSize {
        let aspect = display.style.cellAspect
        return CellSize(
            columns: 12, rows: min(6, Layout.list.thumbnailRows(columns: 12, cellAspect: aspect)))
    }
}
