import Basics
import Pipeline
import Raster
import Thumbnails
import Trace

/// What all models share: the screen they fill, how pictures are drawn, the message line, and what remains to be done.
@MainActor final class DisplayState {
    var size = CellSize(columns: 80, rows: 24)
    var style: RenderStyle
    /// As the terminal suggests it: what the user has not chosen otherwise follows that.
    var suggested: RenderStyle
    private(set) var message = ""
    /// Whether something has changed that decides what is loaded.
    var needsUpdate = true
    var needsDisplay = true
    /// Whether the facts of a picture are shown.
    var isInfoShown = false
    /// Whether they tell where it was taken.
    var isPositionShown = false
    /// What holds the processes that decode pictures, in words; nil until that is known.
    var decoders: String?

    init(style: RenderStyle) {
        self.style = style
        suggested = style
    }

    /// What pixels can be sent as; the first element, nil, is not at all.
    var pixelForms: [PixelForm?] = [nil]
    /// What would let there be more; may be empty.
    var graphicsHint = ""

    /// The depths that can be shown: what is simpler than the terminal's own can be shown with it.
    var depths: [ColorDepth] { Array(ColorDepth.allCases.drop { $0 != suggested.depth }) }

    /// The rows between top and bottom line.
    var body: CellRect { CellRect(x: 0, y: 1, columns: size.columns, rows: max(1, size.rows - 2)) }

    /// The columns right of the viewer's picture where its facts stand; 0 where they cover a part of it instead.
    var factsColumns: Int {
        guard isInfoShown, size.columns >= 100 else { return 0 }
        return size.columns >= 140 ? 56 : 44
    }

    func stateChanged() {
        needsUpdate = true
        needsDisplay = true
    }

    /// Shows `text` on the bottom line until the next key; an empty one takes the message away.
    func show(message text: String) {
        message = text.oneLine()
        needsDisplay = true
    }
}

/// What all models are made with.
struct BrowserContext {
    let options: BrowserOptions
    let services: BrowserServices
    let display: DisplayState
    let thumbnails: any ThumbnailLoading
    let main: any MainScheduling
    /// Seconds of a steady clock.
    let clock: () -> Double
    let tracer: Tracer
    var texts = LocalTexts(home: "")
}
