import Basics
import Pipeline
import Raster
import Thumbnails
import Trace

/// The state shared by all models: screen size, rendering style, message line and pending updates.
@MainActor final class DisplayState {
    var size = CellSize(columns: 80, rows: 24)
    var style: RenderStyle
    /// The style suggested by the terminal, followed by every setting that the user has not changed.
    var suggested: RenderStyle
    private(set) var message = ""
    /// The messages shown so far, latest last.
    private(set) var messages: [String] = []
    /// Whether a change may affect what has to be loaded.
    var needsUpdate = true
    var needsDisplay = true
    /// Whether the terminal has the focus; without it nothing plays, and nothing is fetched ahead.
    var hasFocus = true
    /// Whether the info panel is open.
    var isInfoShown = false
    /// Whether the info panel includes where the picture was taken.
    var isPositionShown = false
    /// How the decoder processes are confined, for the info panel; nil until known.
    var decoders: String?

    init(style: RenderStyle) {
        self.style = style
        suggested = style
    }

    /// The forms in which the terminal can show pixels; the first element, nil, means none.
    var pixelForms: [PixelForm?] = [nil]
    /// How to enable further graphics; may be empty.
    var graphicsHint = ""

    /// The graphics in use, or how to get some.
    var graphicsText: String {
        let further = pixelForms.compactMap { $0?.graphics.rawValue }.joined(separator: ", ")
        let hint = further.isEmpty ? graphicsHint : "X shows \(further)"
        return style.pixels?.graphics.rawValue ?? (hint.isEmpty ? "none" : "none; \(hint)")
    }

    /// The colour depths that can be shown: the terminal's own and all simpler ones.
    var depths: [ColorDepth] { Array(ColorDepth.allCases.drop { $0 != suggested.depth }) }

    /// Whether the top and bottom lines are hidden.
    var hidesBars = false

    /// The rows between the top and bottom lines.
    var body: CellRect { Scene.body(of: size, hidesBars: hidesBars) }

    /// The width of the info panel to the right of the viewer's picture; 0 if it covers part of the picture instead.
    var factsColumns: Int {
        guard isInfoShown, size.columns >= 100 else { return 0 }
        return size.columns >= 140 ? 56 : 44
    }

    func stateChanged() {
        needsUpdate = true
        needsDisplay = true
    }

    /// Shows `text` on the bottom line until the next key press; an empty one removes the message.
    func show(_ text: String) {
        message = text.oneLine()
        needsDisplay = true
        if !message.isEmpty, message != messages.last {
            // More than anyone reads again.
            messages = messages.suffix(99) + [message]
        }
    }

    /// Returns the choice with this name, or the one after `current` if it is empty; nil, with a message, if there is none.
    func choice<Value: Equatable>(
        _ name: String, among choices: [Value], after current: Value, named: (Value) -> String
    ) -> Value? {
        if name.isEmpty { return choices.next(after: current) }
        let found = choices.first { named($0) == name }
        if found == nil { show("not one of \(choices.map(named).joined(separator: ", "))") }
        return found
    }

    /// Shows pictures with the block characters, colours or graphics of this name, or with the next ones if it is empty.
    func changeBlocks(_ name: String, among choices: [BlockSet]) {
        choice(name, among: choices, after: style.blocks, named: \.rawValue).map {
            style.blocks = $0
            show("blocks: \($0.rawValue)")
        }
    }

    func changeColors(_ name: String) {
        choice(name, among: depths, after: style.depth, named: \.rawValue).map {
            style.depth = $0
            show("colours: \($0.rawValue)")
        }
    }

    func changeGraphics(_ name: String) {
        choice(name, among: pixelForms, after: style.pixels) {
            $0?.graphics.rawValue ?? "none"
        }.map {
            style.pixels = $0
            show("graphics: \(graphicsText)")
        }
    }

    /// Switches something on or off, and says so.
    func toggle(_ isOn: inout Bool, _ on: String, _ off: String) {
        isOn.toggle()
        show(isOn ? on : off)
    }
}

/// What works with the dependencies and the display that all models share.
@MainActor protocol ContextSharing {
    var context: BrowserContext { get }
}

extension ContextSharing {
    var display: DisplayState { context.display }
    var options: BrowserOptions { context.options }
    var services: BrowserServices { context.services }
    var texts: LocalTexts { context.texts }

    /// Shows `text` on the bottom line until the next key press; an empty one removes the message.
    func show(_ text: String) { display.show(text) }

    /// Returns what passes answers on to the main thread, where they change the state.
    func onMain<Answer: Sendable>(
        _ receive: @escaping @MainActor (Answer) -> Void
    ) -> Receiver<Answer> {
        { [main = context.main, display] answer in
            main.post {
                receive(answer)
                display.stateChanged()
            }
        }
    }
}

/// The dependencies shared by all models.
struct BrowserContext {
    let options: BrowserOptions
    let services: BrowserServices
    let display: DisplayState
    let thumbnails: any ThumbnailLoading
    let main: any MainScheduling
    /// A steady clock, in seconds.
    let clock: () -> Double
    let tracer: Tracer
    var texts = LocalTexts(home: "")
}

extension Array where Element: Equatable {
    /// Returns the element after `current`, wrapping around; the first one, or `current` if the array is empty, when it is not contained.
    func next(after current: Element) -> Element {
        guard let place = firstIndex(of: current) else { return first ?? current }
        return self[(place + 1) % count]
    }
}
