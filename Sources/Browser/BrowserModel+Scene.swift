import Gallery
import Raster
import Thumbnails

extension BrowserModel {
    /// Returns the frame to draw: describes the state as of the last `update` and changes nothing.
    public func scene() -> Scene {
        if isTooSmall { return tooSmallScene() }
        return Scene(
            size: display.size, top: topLine(), bottom: bottomLine(),
            body: viewer.isOpen ? .viewer(viewer.scene()) : .gallery(gallery.scene()),
            overlay: dialogs.scene(info: infoScene),
            spinnerPhase: context.options.isAnimated ? spinnerPhase : nil)
    }

    private func tooSmallScene() -> Scene {
        let (columns, rows) = (Self.smallest.columns, Self.smallest.rows)
        let texts = ["too small: \(columns) × \(rows) at least", "too small", "small", ""]
        let text = texts.first { $0.count <= display.size.columns } ?? ""
        return Scene(
            size: display.size, top: TopLine(path: [], count: ""),
            bottom: BottomLine(), body: .tooSmall(text), overlay: nil, spinnerPhase: spinnerPhase)
    }

    private func topLine() -> TopLine {
        let section = gallery.level.currentSection
        return TopLine(path: gallery.levels.flatMap(\.path), count: section?.detail ?? "")
    }

    private func bottomLine() -> BottomLine {
        let typed = typedLine
        let label =
            typed.map { $0.lead + $0.trail } ?? count.value.map(String.init)
            ?? gallery.level.selectedPicture?.caption
        return BottomLine(
            position: position, label: label ?? "", lead: typed?.lead,
            isLoading: gallery.isLoadingPage,
            transfers: transfers,
            progress: progress,
            facts: typed == nil && viewer.isOpen ? viewer.facts : [],
            message: typed == nil ? display.message : "", hint: hint)
    }

    /// A reminder of the key that opens the help.
    var hint: String {
        "\(context.options.keys.keys(for: .help, in: .gallery).first?.name ?? "?") help"
    }

    private var progress: String {
        guard saving.openCount == 0, viewer.isOpen else { return saving.progress }
        return viewer.preview.progress.map(Quantity.progress) ?? ""
    }

    private var position: String {
        let level = gallery.level
        guard let number = level.selectedNumber else { return "" }
        let (layout, sections) = (level.layout, level.sections.sections)
        let place = layout.block(ofPicture: number)
        let block = layout.blocks[place]
        let more = sections[place].mayGrow ? "+" : ""
        let remarks = [
            sections.count > 1 ? " · \(place + 1) of \(sections.count)" : "",
            level.marks.isEmpty ? "" : " · \(level.marks.count) marked",
        ]
        return "\(number - block.firstPicture + 1)/\(block.count)\(more)" + remarks.joined()
    }

    private func infoScene() -> InfoScene? {
        let level = gallery.level
        guard let id = level.selection, let picture = level.sections.picture(id) else { return nil }
        let (tiles, full) = (gallery.tiles, viewer.full)
        var scene = InfoScene(
            of: picture, facts: (full.thumbnail(of: id) ?? tiles.thumbnail(of: id))?.facts,
            largest: full.facts(of: id, at: picture.largest)
                ?? tiles.facts(of: id, at: picture.largest), context.texts,
            showsPosition: display.isPositionShown,
            others: [
                ("Error", tiles.failure(of: id)?.description),
                ("Detail page", viewer.details?.failure(of: id)?.description),
                ("Full picture", full.failure(of: id)?.description),
                ("Decoders", display.decoders), ("Graphics", display.graphicsText),
            ])
        let columns = display.factsColumns
        if viewer.isOpen, columns > 0 {
            scene.frame = CellRect(
                x: display.size.columns - columns, y: 1, columns: columns,
                rows: display.body.size.rows)
        }
        return scene
    }
}
