import Basics
import Gallery
import Raster
import Thumbnails

/// The viewer's scene and its layout.
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
                return ViewerScene.Other(
                    picture: picture, frame: frame(of: picture, in: other.area))
            },
            failure: full.failure(of: id)?.description.oneLine(), map: mapScene,
            strip: stripScene)
    }

    private func pictureScene(_ id: PictureID) -> PictureScene {
        if let playback, playback.id == id, let frame = playback.thumbnail { return .ready(frame) }
        let tiles = gallery.tiles
        let partial = id == level.selection ? preview.thumbnail : nil
        if let thumbnail = partial ?? full.thumbnail(of: id) ?? tiles.thumbnail(of: id) {
            return .ready(thumbnail)
        }
        // An album only has its thumbnail.
        return level.picture(id)?.kind == .album
            ? tiles.pictureScene(of: id) : full.pictureScene(of: id)
    }

    /// Returns where a picture is drawn: in the middle of its area, but pages of a spread touch each other.
    private func frame(of picture: PictureScene, in body: CellRect) -> CellRect {
        guard case .ready(let thumbnail) = picture else { return body }
        let columns = min(thumbnail.cells.size.columns, body.columns)
        let rows = min(thumbnail.cells.size.rows, body.rows)
        let room = body.columns - columns
        let isTouching = showsSpreads && body != whole
        let margin = isTouching ? (body.x == whole.x ? room : 0) : room / 2
        let above = pairing == .strip ? 0 : (body.rows - rows) / 2
        return CellRect(x: body.x + margin, y: body.y + above, columns: columns, rows: rows)
    }

    /// The numbers of the pictures in the filmstrip, with the selected one as close to the middle as possible.
    var stripPictures: Range<Int> {
        guard stripRows > 0, let number = level.selectedNumber else { return 0..<0 }
        let total = level.layout.pictureCount
        let count = min(total, whole.columns / (Self.stripBox(display.style).columns + 2))
        let first = min(max(0, number - count / 2), total - count)
        return first..<first + count
    }

    var stripScene: [StripScene] {
        let (pictures, box) = (stripPictures, Self.stripBox(display.style))
        let left = (whole.columns - pictures.count * (box.columns + 2)) / 2
        return pictures.map { number in
            let id = level.id(ofPicture: number)
            return StripScene(
                picture: strip.pictureScene(of: id),
                frame: CellRect(
                    x: left + (number - pictures.lowerBound) * (box.columns + 2) + 1,
                    y: area.bottom + 1, columns: box.columns, rows: box.rows),
                isSelected: id == level.selection)
        }
    }

    /// The overview map in the corner, a sixth of the area's width and at most a third of its height.
    private var mapScene: MapScene? {
        guard zoom.isZoomed, area.columns >= 40, area.rows >= 12 else { return nil }
        let (shape, part) = (shape, region)
        guard part.width < 1 || part.height < 1 else { return nil }
        let most = min(6, area.rows / 3)
        let aspect = shape.picture * display.style.cellAspect
        let columns = min(area.columns / 6, Int((Double(most) * aspect).rounded(.up)))
        let rows = min(most, max(2, Int((Double(columns) / aspect).rounded())))
        return MapScene(
            frame: CellRect(
                x: area.right - max(3, columns) - 1,
                y: area.bottom - rows - 1, columns: max(3, columns), rows: rows),
            part: part)
    }

    /// The aspect ratios of the selected picture and its area.
    var shape: Zoom.Shape { shape(of: level.selection) }

    /// Returns the aspect ratios of a picture and its area; the picture's size is taken from its file, or else from its page.
    private func shape(of id: PictureID?) -> Zoom.Shape {
        let body = area.size
        let shape = Double(body.columns) / (Double(body.rows) * display.style.cellAspect)
        guard let size = id.flatMap(pictureSize) else {
            return Zoom.Shape(picture: shape, body: shape)
        }
        return Zoom.Shape(picture: Double(size.width) / Double(size.height), body: shape)
    }

    /// Returns the rotated size in pixels: of the largest file, else of the file that stands in for it, else from the page; nil if unknown.
    private func pictureSize(_ id: PictureID) -> PixelSize? {
        guard let picture = level.picture(id) else { return nil }
        var size = (full.thumbnail(of: id) ?? gallery.tiles.thumbnail(of: id))?.facts.size
        if let own = full.facts(of: id, at: picture.largest) {
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
    var whole: CellRect {
        var area = display.body
        area.size.columns -= display.factsColumns
        area.size.rows -= stripRows
        return area
    }

    /// The selected picture's area: all, or one half beside another picture.
    var area: CellRect { places.first?.area ?? whole }

    /// The numbers of the pictures shown, the selected one first, and their areas.
    private var places: [(number: Int, area: CellRect)] {
        if pairing == .strip { return pieces.map { ($0.number, $0.area) } }
        guard let number = level.selectedNumber else { return [] }
        guard let other = partner(of: number) else { return [(number, whole)] }
        var left = whole
        left.size.columns = max(1, whole.columns / 2)
        var right = left
        right.x += whole.columns - left.columns
        let isLeft = pairing == .marked || (number < other) == (pairing == .spread)
        return isLeft ? [(number, left), (other, right)] : [(number, right), (other, left)]
    }

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

    /// The filmstrip's rows: a thumbnail and the selection's border; 0 without filmstrip.
    var stripRows: Int {
        isStripShown && display.body.rows >= 16 ? Self.stripBox(display.style).rows + 2 : 0
    }

    static func stripBox(_ style: RenderStyle) -> CellSize {
        let columns = 12
        return CellSize(
            columns: columns,
            rows: min(6, Layout.list.thumbnailRows(columns: columns, cellAspect: style.cellAspect)))
    }

    /// Block pixels per picture pixel when the picture fits the screen; nil while its size is unknown.
    var fittingScale: Double? {
        level.selection.flatMap(pictureSize).map {
            let fit = Fit($0, into: area.size, style: display.style)
            let seen = display.style.pixels?.size(of: fit.cells) ?? fit.pixels
            return Double(seen.width) / Double($0.width)
        }
    }

    /// Pixels, bytes, zoom and date for the bottom line.
    var facts: [String] {
        guard let id = level.selection, let picture = level.picture(id) else { return [] }
        let own =
            full.facts(of: id, at: picture.largest)
            ?? gallery.tiles.facts(of: id, at: picture.largest)
        var details = picture.details(facts: own, context.texts)
        if pairing != .strip, let scale = fittingScale {
            let percent = Int(bounded: (scale * zoom.factor * 100).rounded()) ?? 0
            details.insert("\(max(1, percent)) %", at: 2)
        }
        return details.filter { !$0.isEmpty }
    }

    var region: UnitRect { pairing == .strip ? .whole : zoom.region(shape) }

    /// Returns the visible part of a picture without its borders.
    func region(of id: PictureID) -> UnitRect { zoom.region(shape(of: id)) }
}

/// The visible part of a page in a strip.
struct StripPiece {
    let number: Int
    let part: UnitRect
    let area: CellRect
}

/// Pages as one strip: the selected one is at the top, scrolled by a part of its height, and others follow below it.
extension ViewerModel {
    /// The parts of pages on the screen, from top to bottom; empty without pictures.
    var pieces: [StripPiece] {
        guard let first = level.selectedNumber else { return [] }
        var (pieces, y, hidden): ([StripPiece], Int, Int) = ([], whole.y, hiddenRows(of: first))
        for number in first..<level.layout.pictureCount where y < whole.bottom {
            let rows = rows(ofPage: number)
            let shown = min(rows - hidden, whole.bottom - y)
            pieces.append(
                StripPiece(
                    number: number,
                    part: UnitRect(
                        x: 0, y: Double(hidden) / Double(rows), width: 1,
                        height: Double(shown) / Double(rows)),
                    area: CellRect(x: whole.x, y: y, columns: whole.columns, rows: shown)))
            (y, hidden) = (y + shown, 0)
        }
        return pieces
    }

    /// Returns the height of a page as wide as the screen, in rows; as high as the screen while its shape is unknown.
    private func rows(ofPage number: Int) -> Int {
        guard let size = gallery.size(of: level.id(ofPicture: number)) else {
            return whole.rows
        }
        let shape = Double(size.height) / Double(size.width)
        let rows = Double(whole.columns) * shape / display.style.cellAspect
        return max(1, Int(min(rows, 1e6).rounded()))
    }

    private func hiddenRows(of number: Int) -> Int {
        let rows = rows(ofPage: number)
        return min(rows - 1, Int((scrolledPart * Double(rows)).rounded()))
    }

    /// Scrolls by screens, or parts of one; at the strip's end the next volume follows.
    func scrollStrip(by screens: Double) {
        guard var number = level.selectedNumber else { return }
        var hidden = hiddenRows(of: number) + Int((screens * Double(whole.rows)).rounded())
        while hidden < 0, number > 0 {
            number -= 1
            hidden += rows(ofPage: number)
        }
        while hidden >= rows(ofPage: number) {
            guard number + 1 < level.layout.pictureCount else { return turnPage(by: 1) }
            hidden -= rows(ofPage: number)
            number += 1
        }
        level.select(number: number)
        begun = level.selectedPicture?.image
        scrolledPart = max(0, Double(hidden) / Double(rows(ofPage: number)))
    }
}
