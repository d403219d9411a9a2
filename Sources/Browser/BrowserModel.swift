public import Gallery
public import Pipeline
public import Raster
public import Thumbnails
public import Trace

/// List or grid; the raw value is the option's word.
public enum Layout: String, CaseIterable, Sendable {
    /// Rows of texts beside small thumbnails.
    case list
    /// Thumbnails over their titles.
    case grid
}

/// What the user may set about the browser.
public struct BrowserOptions: Sendable {
    /// The first layout.
    public var layout = Layout.grid
    /// The width of a grid thumbnail, in cells, 8…120.
    public var tileColumns = 24
    /// How pictures are drawn.
    public var style = RenderStyle()
    /// The most pages a section follows; nil for no limit.
    public var pageLimit: Int?

    /// The defaults.
    public init() {}
}

/// The view model of the whole program: sections, selection, layout, viewer, dialogs.
///
/// Stub: to be written. Knows no terminal; tested without one.
@MainActor public final class BrowserModel {
    /// Makes a browser with one section for each source. Nothing is loaded before `start`.
    public init(
        sources: [Source], options: BrowserOptions, pages: any PageLoading,
        thumbnails: any ThumbnailLoading, main: any MainScheduling, tracer: Tracer
    ) {}

    /// Loads the first page of every section.
    public func start() {}

    /// Tells the size of the screen, and how tall a cell is against its width; keeps the selection in view.
    public func resize(to size: CellSize, cellAspect: Double) {}

    /// Answers a key or the mouse.
    public func handle(_ event: InputEvent) -> Effect { .none }

    /// Moves the spinners on by one; called about ten times a second while `isAnimating`.
    public func tick() {}

    /// Whether anything visible has changed since `scene` was last called.
    public private(set) var needsDisplay = true

    /// Whether a spinner is on the screen.
    public var isAnimating: Bool { false }

    /// Shows `text` on the bottom line until the next key.
    public func show(message text: String) {}

    /// The frame to draw now; consistent in itself, whatever has arrived meanwhile.
    public func scene() -> Scene { fatalError("to be written") }

    /// Whether at least one section has loaded a page: decides the exit code.
    public var hasLoadedAnything: Bool { false }

    /// Each failed section's address and reason, for standard error at the end.
    public var failures: [String] { [] }
}
