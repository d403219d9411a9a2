import Raster
import Thumbnails

/// An animated picture in the viewer: the visible frame and its timing.
///
/// One frame is prepared while the previous one is visible. A late frame delays those after it, so nothing piles up.
/// Times are in seconds of a steady clock and are passed in by the caller.
@MainActor final class Playback {
    /// The picture; its index changes when others appear before it.
    var id: PictureID
    /// Whether playback is paused, for example because an overlay covers the picture.
    var isPaused = false

    private let player: any FramePlaying
    private let context: BrowserContext
    private var drawing: ThumbnailRequest
    private var number = 0
    private var shown: Thumbnail?
    private var ahead: PlayedFrame?
    /// When the visible frame's display time ends; nil before the first frame.
    private var end: Double?
    /// Whether the visible frame is being redrawn for a new request.
    private var isRedrawing = false
    /// Whether to show the next frame as soon as it is ready.
    private var isStepDue = false
    private var request: MainRequest?

    init(of want: PictureRequests.Want, player: any FramePlaying, context: BrowserContext) {
        id = want.id
        drawing = want.request
        self.player = player
        self.context = context
        requestFrame(for: 0)
    }

    /// Whether this plays the wanted file; a reloaded file needs a new playback.
    func plays(_ want: PictureRequests.Want?) -> Bool {
        drawing.address == want?.request.address
            && drawing.generation == want?.request.generation
    }

    /// The visible frame, unless it was drawn for a larger box and no longer fits.
    var thumbnail: Thumbnail? { shown.flatMap { $0.fits(drawing.box) ? $0 : nil } }

    /// When to show the next frame; nil while none is ready.
    var due: Double? {
        guard ahead != nil, !isPaused else { return nil }
        return end ?? 0
    }

    /// Redraws the current frame for another request, which also applies to the following frames.
    func draw(for drawing: ThumbnailRequest) {
        guard drawing != self.drawing else { return }
        self.drawing = drawing
        ahead = nil
        isRedrawing = shown != nil
        requestFrame(for: number)
    }

    /// Shows the next frame if it is due and ready.
    func advance(at now: Double) {
        guard let due, due <= now, let frame = ahead else { return }
        ahead = nil
        number += end == nil ? 0 : 1
        // Counting from the due time keeps the wake-up delay from adding up, if that is less than a frame of the screen.
        let isNearlyInTime = end.map { now - $0 < 0.016 } ?? false
        end = (isNearlyInTime ? due : now) + Double(frame.milliseconds) / 1000
        show(frame)
    }

    /// Shows the next frame as soon as it is ready, whether or not it is due.
    func step() {
        if shown == nil, number == 0 {
            // The still picture on the screen is the first frame.
            (number, ahead) = (1, nil)
            requestFrame(for: 1)
        }
        isStepDue = ahead == nil
        guard let frame = ahead else { return }
        ahead = nil
        number += end == nil ? 0 : 1
        end = end ?? 0
        show(frame)
    }

    func stop() {
        request?.cancel()
        ahead = nil
    }

    private func show(_ frame: PlayedFrame) {
        shown = frame.thumbnail
        context.display.needsDisplay = true
        requestFrame(for: number + 1)
    }

    private func requestFrame(for number: Int) {
        request?.cancel()
        request = MainRequest(on: context.main) { [player, drawing] answer in
            player.frame(number, for: drawing, completion: answer)
        } receive: { [weak self] result in
            // A finished or broken animation keeps its last frame.
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
