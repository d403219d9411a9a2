import Pipeline
import Raster
import Thumbnails

/// An animated picture in the viewer: which frame is seen, and for how long.
///
/// One frame is drawn ahead while the other is seen. One that comes late delays those after it, so nothing piles up.
/// Times are seconds of a steady clock, told from outside.
@MainActor final class Playback {
    let id: PictureID
    var changed: () -> Void = {}
    /// Whether time stands still, as something covers the picture.
    var isPaused = false

    private let player: any FramePlaying
    private let main: any MainScheduling
    private var request: ThumbnailRequest
    private var number = 0
    private var shown: Thumbnail?
    private var ahead: PlayedFrame?
    /// When the time of the frame that is seen is over; nil before the first one.
    private var end: Double?
    /// Whether the frame that is seen is being drawn for another request.
    private var isRedrawing = false
    private var subscription: Subscription?
    /// Names what is asked for; an answer with another number is stale.
    private var ticket = 0

    init(of want: PictureRequests.Want, player: any FramePlaying, main: any MainScheduling) {
        id = want.id
        request = want.request
        self.player = player
        self.main = main
        ask(for: 0)
    }

    /// Whether it plays the file that is wanted: one that is loaded anew is played anew.
    func plays(_ want: PictureRequests.Want?) -> Bool {
        id == want?.id && request.address == want?.request.address
            && request.generation == want?.request.generation
    }

    /// The frame that is seen, unless it was drawn for a larger box: then it would not fit.
    var thumbnail: Thumbnail? {
        guard let shown, shown.cells.size.columns <= request.box.columns,
            shown.cells.size.rows <= request.box.rows
        else { return nil }
        return shown
    }

    /// When the next frame is to be shown; nil while there is none to show.
    var due: Double? {
        guard ahead != nil, !isPaused else { return nil }
        return end ?? 0
    }

    /// Has the same frame drawn otherwise from now on.
    func draw(for request: ThumbnailRequest) {
        guard request != self.request else { return }
        self.request = request
        ahead = nil
        isRedrawing = shown != nil
        ask(for: number)
    }

    /// Shows the next frame if it is time and it is there.
    func advance(at now: Double) {
        guard let due, due <= now, let frame = ahead else { return }
        ahead = nil
        number += end == nil ? 0 : 1
        // From the due time, so that the time it takes to wake does not add up.
        let isNearlyInTime = end.map { now - $0 < Self.tolerance } ?? false
        end = (isNearlyInTime ? due : now) + Double(frame.milliseconds) / 1000
        show(frame)
    }

    /// As long as a frame of the screen.
    private static let tolerance = 0.016

    func stop() {
        ticket += 1
        subscription?.cancel()
        subscription = nil
        ahead = nil
    }

    private func show(_ frame: PlayedFrame) {
        shown = frame.thumbnail
        changed()
        ask(for: number + 1)
    }

    private func ask(for number: Int) {
        subscription?.cancel()
        ticket += 1
        let ticket = ticket
        let main = main
        subscription = player.frame(number, for: request) { [weak self] result in
            main.post { self?.receive(result, ticket: ticket) }
        }
    }

    private func receive(_ result: Result<PlayedFrame?, ThumbnailError>, ticket: Int) {
        guard ticket == self.ticket else { return }
        subscription = nil
        // What is over or broken stays as it is.
        guard case .success(let frame?) = result else { return }
        if isRedrawing {
            isRedrawing = false
            show(frame)
        } else {
            ahead = frame
        }
    }
}
