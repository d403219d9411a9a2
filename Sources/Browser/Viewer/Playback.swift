import Raster
import Thumbnails

/// An animated picture in the viewer: which frame is seen, and for how long.
///
/// One frame is drawn ahead while the other is seen. One that comes late delays those after it, so nothing piles up.
/// Times are seconds of a steady clock, told from outside.
@MainActor final class Playback {
    let id: PictureID
    /// Whether time stands still, as something covers the picture.
    var isPaused = false

    private let player: any FramePlaying
    private let context: BrowserContext
    private var drawing: ThumbnailRequest
    private var number = 0
    private var shown: Thumbnail?
    private var ahead: PlayedFrame?
    /// When the time of the frame that is seen is over; nil before the first one.
    private var end: Double?
    /// Whether the frame that is seen is being drawn for another request.
    private var isRedrawing = false
    /// Whether the next frame is to be shown as soon as it is there.
    private var isStepDue = false
    private var request: MainRequest?

    init(of want: PictureRequests.Want, player: any FramePlaying, context: BrowserContext) {
        id = want.id
        drawing = want.request
        self.player = player
        self.context = context
        ask(for: 0)
    }

    /// Whether it plays the file that is wanted: one that is loaded anew is played anew.
    func plays(_ want: PictureRequests.Want?) -> Bool {
        id == want?.id && drawing.address == want?.request.address
            && drawing.generation == want?.request.generation
    }

    /// The frame that is seen, unless it was drawn for a larger box: then it would not fit.
    var thumbnail: Thumbnail? { shown.flatMap { $0.fits(drawing.box) ? $0 : nil } }

    /// When the next frame is to be shown; nil while there is none to show.
    var due: Double? {
        guard ahead != nil, !isPaused else { return nil }
        return end ?? 0
    }

    /// Has the same frame drawn otherwise from now on.
    func draw(for drawing: ThumbnailRequest) {
        guard drawing != self.drawing else { return }
        self.drawing = drawing
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

    /// Shows the next frame whether or not it is time, as soon as it is there.
    func step() {
        if shown == nil, number == 0 {
            // The picture that stands there is the first frame.
            (number, ahead) = (1, nil)
            ask(for: 1)
        }
        isStepDue = ahead == nil
        guard let frame = ahead else { return }
        ahead = nil
        number += end == nil ? 0 : 1
        end = end ?? 0
        show(frame)
    }

    /// As long as a frame of the screen.
    private static let tolerance = 0.016

    func stop() {
        request?.cancel()
        ahead = nil
    }

    private func show(_ frame: PlayedFrame) {
        shown = frame.thumbnail
        context.display.needsDisplay = true
        ask(for: number + 1)
    }

    private func ask(for number: Int) {
        request?.cancel()
        request = MainRequest(on: context.main) { [player, drawing] answer in
            player.frame(number, for: drawing, completion: answer)
        } receive: { [weak self] result in
            // What is over or broken stays as it is.
            if case .success(let frame?) = result { self?.receive(frame) }
        }
    }

    private func receive(_ frame: PlayedFrame) {
        if isRedrawing {
            isRedrawing = false
            show(frame)
        } else {
            ahead = frame
            if isStepDue { step() }
        }
    }
}

extension Thumbnail {
    func fits(_ box: CellSize) -> Bool {
        cells.size.columns <= box.columns && cells.size.rows <= box.rows
    }
}
