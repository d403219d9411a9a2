import Thumbnails

extension BrowserModel {
    /// Plays the picture that the viewer shows if it moves; stands still while something covers it.
    func updatePlayback() {
        guard viewer != nil, let id = level.selection, let want = full.want(of: id) else {
            return stopPlayback()
        }
        if let playback,
            playback.id != id || playback.generation != want.request.generation
                || playback.address != want.request.address
        {
            stopPlayback()
        }
        if playback == nil {
            startPlayback(want)
        }
        playback?.isPaused = failureQueue.first != nil || helpRow != nil
        playback?.draw(for: want.request)
    }

    private func startPlayback(_ want: PictureRequests.Want) {
        guard case .ready(let still) = full.state(of: want.id), still.facts.isAnimated,
            let player = thumbnails.player(of: want.request, facts: still.facts)
        else { return }
        let playback = Playback(
            of: want.id, request: want.request, player: player, main: main)
        playback.changed = { [weak self] in self?.needsDisplay = true }
        self.playback = playback
    }

    func stopPlayback() {
        playback?.stop()
        playback = nil
    }
}
