import Raster
import Thumbnails

/// An animated picture: the visible frame and its timing.
///
/// One frame is prepared while the previous one is visible. A late frame delays those after it, so nothing piles up. A terminal that
/// keeps frames is sent each of them once, and plays on by itself. Times are in seconds of a steady clock.
@MainActor final class Playback {
    /// The picture; its index changes when others appear before it.
    var id: PictureID
    /// Whether playback is paused, for example because an overlay covers the picture.
    var isPaused = false {
        didSet {
            guard isPaused != oldValue, isComplete else { return }
            catchUp()
            show(kept[number % kept.count])
        }
    }

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
    /// The least time that a frame is shown, in seconds.
    private let shortest: Double
    /// The frames of this play so far, if the terminal keeps them.
    private var kept: [PlayedFrame] = []
    /// Whether they are all, and the animation never ends.
    private var isComplete = false
    /// Since when the terminal plays by itself, from frame `number` on.
    private var start: Double?

    /// Frames that take more bytes in all are not left to the terminal: kitty keeps 320 MB.
    private static let mostKept = 96 << 20

    private init(
        of want: PictureRequests.Want, player: any FramePlaying, shortest: Double,
        context: BrowserContext
    ) {
        id = want.id
        drawing = want.request
        self.player = player
        self.shortest = shortest
        self.context = context
        requestFrame(for: 0)
    }

    /// Returns what plays `want` from now on, once it is there as `still` and if that is animated: `current`, if it does, or else another.
    static func next(
        after current: Playback?, _ want: PictureRequests.Want?, still: Thumbnail?,
        isPaused: Bool, shortest: Double = 0, context: BrowserContext
    ) -> Playback? {
        var playback = current
        if let current, !current.plays(want) {
            current.stop()
            playback = nil
        }
        guard let want else { return nil }
        if playback == nil, let still, still.facts.isAnimated {
            playback = context.thumbnails.player(of: want.request, facts: still.facts).map {
                Playback(of: want, player: $0, shortest: shortest, context: context)
            }
        }
        playback?.id = want.id
        playback?.isPaused = isPaused
        playback?.draw(for: want.request)
        return playback
    }

    /// Whether this plays the wanted file; a reloaded file needs a new playback.
    private func plays(_ want: PictureRequests.Want?) -> Bool {
        drawing.address == want?.request.address
            && drawing.generation == want?.request.generation
    }

    /// The visible frame, unless it was drawn for a larger box and no longer fits.
    var thumbnail: Thumbnail? { shown.flatMap { $0.fits(drawing.box) ? $0 : nil } }

    /// When to show the next frame; nil while none is ready.
    var due: Double? {
        ahead == nil || isPaused ? nil : end ?? 0
    }

    /// Redraws the current frame for another request, which also applies to the following frames.
    private func draw(for drawing: ThumbnailRequest) {
        guard drawing != self.drawing else { return }
        self.drawing = drawing
        catchUp()
        kept = []
        isComplete = false
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
        end = (isNearlyInTime ? due : now) + max(shortest, Double(frame.milliseconds) / 1000)
        show(frame)
    }

    /// Shows the next frame as soon as it is ready, whether or not it is due.
    func step() {
        isPaused = true
        if shown == nil, number == 0 {
            // The still picture on the screen is the first frame.
            number = 1
            ahead = nil
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
        keep(frame)
        shown = frame.thumbnail
        context.display.needsDisplay = true
        let pictures = kept.compactMap { frame in
            frame.thumbnail.pixels.map { ($0, frame.milliseconds) }
        }
        if !pictures.isEmpty {
            let position = isComplete ? number % kept.count : kept.count - 1
            let film = Film(pictures, at: position, isPlaying: isComplete && !isPaused)
            shown?.pixels = CodedPicture(film)
        }
        if !isComplete {
            requestFrame(for: number + 1)
        } else if isPaused {
            ahead = kept[(number + 1) % kept.count]
        } else {
            (start, ahead) = (context.clock(), nil)
        }
    }

    /// Keeps a frame if the terminal does, and notices when it has all.
    private func keep(_ frame: PlayedFrame) {
        guard !isComplete, drawing.style.pixels?.playsFilms == true,
            let size = frame.thumbnail.pixels?.size,
            size.count * 4 * frame.thumbnail.facts.frameCount <= Self.mostKept
        else { return }
        isComplete = frame.beginsAgain && !kept.isEmpty
        if isComplete { return }
        if frame.beginsAgain || number == 0 {
            kept = [frame]
        } else if !kept.isEmpty {
            kept.append(frame)
        }
        // The file has more than it says.
        if kept.count > frame.thumbnail.facts.frameCount { kept = [] }
    }

    /// Notes which frame the terminal shows that has played by itself.
    private func catchUp() {
        guard let start else { return }
        self.start = nil
        let seconds = { Double(self.kept[$0 % self.kept.count].milliseconds) / 1000 }
        let whole = kept.indices.map(seconds).reduce(0, +)
        var rest = (context.clock() - start).truncatingRemainder(dividingBy: whole)
        while rest >= seconds(number) {
            rest -= seconds(number)
            number += 1
        }
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
