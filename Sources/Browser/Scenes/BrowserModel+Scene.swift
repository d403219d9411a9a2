import Raster
import Thumbnails
import Trace

extension BrowserModel {
    /// The smallest screen that shows more than a text.
    private static let smallest = CellSize(columns: 24, rows: 6)

    /// The frame to draw now; consistent in itself, whatever has arrived meanwhile.
    ///
    /// Asks for what it shows: pictures in memory are in this very frame, the rest is requested, and what has gone
    /// out of reach is given up.
    public func scene() -> Scene {
        let span = tracer.begin("scene")
        defer { span.end() }
        guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else {
            return tooSmallScene()
        }
        request()
        // What asking has changed, such as a section that now loads, is in this frame.
        needsDisplay = false
        let body = viewer == nil ? Scene.Body.gallery(galleryScene()) : .viewer(viewerScene())
        let bottom = bottomLine()
        isSpinning = bottom.isLoading || bottom.transfers > 0 || body.hasSpinner
        isAnimating = isSpinning || ticksToNextPicture != nil
        return Scene(
            size: size, top: topLine(), bottom: bottom, body: body, overlay: overlay(),
            spinnerPhase: spinnerPhase)
    }

    private func request() {
        if hasStarted {
            loadPagesInReach()
        }
        if viewer == nil {
            requestTiles()
        } else {
            requestViewerPictures()
        }
        pinSeen()
        updatePlayback()
    }

    /// Has what is on the screen kept in memory, the viewer's picture with the thumbnail that stands in for it.
    private func pinSeen() {
        let seen = tiles.seen + full.seen
        guard seen != pinned else { return }
        pinned = seen
        thumbnails.pin(seen)
    }

    private func tooSmallScene() -> Scene {
        isAnimating = false
        playback?.isPaused = true
        needsDisplay = false
        let texts = ["too small: 24 × 6 at least", "too small", "small", ""]
        let text = texts.first { $0.count <= size.columns } ?? ""
        return Scene(
            size: size, top: TopLine(title: "", section: "", count: ""),
            bottom: BottomLine(
                position: "", label: "", isLoading: false, transfers: 0, message: "", hint: ""),
            body: .tooSmall(text), overlay: nil, spinnerPhase: spinnerPhase)
    }

    // MARK: Lines

    private func topLine() -> TopLine {
        guard let place = currentBlock() else {
            return TopLine(title: "Halftone", section: "", count: "")
        }
        let section = level.sections.sections[place]
        return TopLine(
            title: level.title.isEmpty ? "Halftone" : level.title,
            section: section.title == level.title ? "" : section.title,
            count: section.pictures.isEmpty ? section.detail : section.countText)
    }

    private func bottomLine() -> BottomLine {
        let sections = level.sections.sections
        return BottomLine(
            position: position(mayGrow: sections.contains(where: \.mayGrow)),
            label: isTyping
                ? prompt?.line ?? "" : count.value.map(String.init) ?? selectedCaption(),
            isLoading: levels.contains { $0.sections.sections.contains(where: \.isLoading) },
            transfers: thumbnails.transfersInFlight + (saves?.underWayCount ?? 0),
            progress: viewer == nil ? "" : preview.progress.map(Quantity.progress) ?? "",
            message: isTyping ? "" : message,
            hint: hint())
    }

    private func position(mayGrow: Bool) -> String {
        guard let number = level.selectedNumberNow else { return "" }
        let marks = level.marks.isEmpty ? "" : " · \(level.marks.count) marked"
        return "\(number + 1)/\(level.layout.pictureCount)\(mayGrow ? "+" : "")\(marks)"
    }

    private func selectedCaption() -> String {
        level.selection.flatMap(level.sections.picture)?.caption ?? ""
    }

    private func hint() -> String {
        let key = options.keys.keys(for: .help, in: .gallery).first?.name ?? "?"
        return "\(key) help"
    }
}

extension Scene.Body {
    /// Whether anything in it turns.
    var hasSpinner: Bool {
        switch self {
        case .gallery(let gallery):
            gallery.stickyHeader?.isLoading == true || gallery.elements.contains { $0.hasSpinner }
        case .viewer(let viewer): viewer.isLoading
        case .tooSmall: false
        }
    }
}

extension GalleryScene.Element {
    /// Whether it turns.
    var hasSpinner: Bool {
        switch self {
        case .header(let header, _): header.isLoading
        case .tile(let tile, _): tile.picture.isLoading
        case .row(let row, _): row.picture.isLoading
        case .note: false
        }
    }
}

extension PictureScene {
    /// Whether it is on its way and nothing stands in for it.
    var isLoading: Bool {
        if case .placeholder(isLoading: true) = self { true } else { false }
    }
}
