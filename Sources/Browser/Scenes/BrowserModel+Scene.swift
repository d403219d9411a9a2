import Raster
import Thumbnails
import Trace

extension BrowserModel {
    /// The smallest screen that shows more than a text.
    private static let smallest = CellSize(columns: 24, rows: 6)

    private var isTooSmall: Bool {
        size.columns < Self.smallest.columns || size.rows < Self.smallest.rows
    }

    /// The frame to draw now: describes the state as the last `update` left it, and changes nothing.
    public func scene() -> Scene {
        let span = tracer.begin("scene")
        defer { span.end() }
        if isTooSmall { return tooSmallScene() }
        return Scene(
            size: size, top: topLine(), bottom: bottomLine(),
            body: viewer == nil ? .gallery(galleryScene()) : .viewer(viewerScene()),
            overlay: overlay(), spinnerPhase: spinnerPhase)
    }

    /// Notes that the scene of this moment has been drawn.
    public func didDisplay() {
        needsDisplay = false
    }

    /// Settles what follows from the state: to be called once after each batch of inputs and results, whether or not
    /// a frame is due.
    ///
    /// Pictures in memory are in the very next frame, the rest is requested, and what has gone out of reach is given
    /// up. Costs next to nothing when nothing has changed.
    public func update() {
        if let due = settleDue, due <= clock() {
            stateChanged()
        }
        if needsUpdate {
            settle()
            needsUpdate = false
        }
        let spins = !isTooSmall && hasSpinner
        if spins != isSpinning {
            isSpinning = spins
            needsDisplay = true
        }
        isAnimating = !isTooSmall && (isSpinning || ticksToNextPicture != nil)
    }

    private func settle() {
        let span = tracer.begin("update")
        defer { span.end() }
        guard !isTooSmall else {
            settleDue = nil
            playback?.isPaused = true
            return
        }
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

    /// Whether a spinner or a number of transfers is on the screen.
    private var hasSpinner: Bool {
        if transfers > 0 || isLoadingPage { return true }
        guard viewer != nil else { return tiles.hasPlaceholderLoading }
        return level.selection.map(isLoadingFull) ?? false
    }

    private var transfers: Int { thumbnails.transfersInFlight + (saves?.underWayCount ?? 0) }

    private var isLoadingPage: Bool {
        levels.contains { $0.sections.sections.contains(where: \.isLoading) }
    }

    /// Has what is on the screen kept in memory, the viewer's picture with the thumbnail that stands in for it.
    private func pinSeen() {
        let seen = tiles.seen + full.seen
        guard seen != pinned else { return }
        pinned = seen
        thumbnails.pin(seen)
    }

    private func tooSmallScene() -> Scene {
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
            isLoading: isLoadingPage, transfers: transfers,
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
