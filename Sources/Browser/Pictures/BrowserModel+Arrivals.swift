extension BrowserModel {
    /// A thumbnail of grid or list is there or has failed; a frame is due only if it is seen.
    func tileChanged(_ id: PictureID) {
        // The viewer judges its guesses by thumbnails; one whose request another cancelled is asked for again.
        if viewer != nil || tiles.isWanted(id) {
            needsUpdate = true
        }
        if isSeen(id) {
            needsDisplay = true
        }
    }

    /// A picture of the viewer is there or has failed.
    func fullPictureChanged(_ id: PictureID) {
        // A guess that failed makes room for the next one.
        needsUpdate = true
        if viewer != nil, id == level.selection || guesses.isTrying(id) {
            needsDisplay = true
        }
    }

    private func isSeen(_ id: PictureID) -> Bool {
        if id == level.selection { return true }
        guard viewer == nil, let number = level.number(of: id) else { return false }
        return level.layout.pictures(in: level.visibleRows).contains(number)
    }
}
