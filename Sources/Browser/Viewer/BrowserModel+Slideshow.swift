extension BrowserModel {
    /// Ticks that a picture stays: five seconds, at ten ticks a second.
    private static let slideshowTicks = 50

    /// Shows one picture after the other, from the selected one, until a key is pressed.
    func startSlideshow() {
        guard level.selection != nil else { return }
        viewer = viewer ?? Viewer()
        viewer?.fit()
        ticksToNextPicture = Self.slideshowTicks
        show(message: "slideshow: any key stops it")
    }

    /// Stops it; false if none is running.
    func stopSlideshow() -> Bool {
        guard ticksToNextPicture != nil else { return false }
        ticksToNextPicture = nil
        show(message: "slideshow stopped")
        return true
    }

    /// Counts a tick; a picture still on its way is waited for, so that each is seen.
    func tickSlideshow() {
        guard let ticks = ticksToNextPicture else { return }
        if ticks > 1 {
            ticksToNextPicture = ticks - 1
            return
        }
        guard let id = level.selection, !isLoadingFull(id), viewer?.awaitsNext != true else {
            return
        }
        ticksToNextPicture = Self.slideshowTicks
        stateChanged()
        message = ""
        let growing = level.sections.sections.contains(where: \.mayGrow)
        if level.selectedNumberNow == level.layout.pictureCount - 1, !growing {
            ticksToNextPicture = nil
            show(message: "this is the last picture")
        } else {
            turn(by: 1)
        }
    }
}
