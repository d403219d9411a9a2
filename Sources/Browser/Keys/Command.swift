/// What a key can do; the raw value is its name in the configuration's `"keys"`.
public enum Command: String, CaseIterable, Sendable {
    /// Moving by one.
    case left, down, up, right
    /// Moving by a screen, and by half of one.
    case pageDown = "page-down"
    case pageUp = "page-up"
    case halfPageDown = "half-page-down"
    case halfPageUp = "half-page-up"
    /// To the ends; with a count, `last` and `first` go to that picture.
    case first, last
    /// To the headings.
    case previousSection = "previous-section"
    case nextSection = "next-section"

    /// Into a picture or album, and out again.
    case open, back
    /// Looks of the gallery.
    case toggleLayout = "toggle-layout"
    case larger, smaller
    case defaultSize = "default-size"

    /// In the viewer.
    case nextPicture = "next-picture"
    case previousPicture = "previous-picture"
    case zoomIn = "zoom-in"
    case zoomOut = "zoom-out"
    case zoomFit = "zoom-fit"

    /// Loading again.
    case retry, reload
    /// What is shown, and how.
    case info
    case nextBlocks = "next-blocks"
    case nextColors = "next-colors"
    case toggleTint = "toggle-tint"

    /// Answers to a failed page.
    case retryPage = "retry-page"
    case dismiss

    /// The program.
    case help, redraw, suspend, quit
}

extension Command {
    /// What it does, for the help.
    public var summary: String {
        switch self {
        case .left: "left (viewer: previous, or pan)"
        case .down: "down (viewer: next, or pan)"
        case .up: "up (viewer: previous, or pan)"
        case .right: "right (viewer: next, or pan)"
        case .pageDown: "a page down"
        case .pageUp: "a page up"
        case .halfPageDown: "half a page down"
        case .halfPageUp: "half a page up"
        case .first: "first picture, or that of the count"
        case .last: "last (and load on), or the count's"
        case .previousSection: "previous section"
        case .nextSection: "next section"
        default: otherSummary
        }
    }

    private var otherSummary: String {
        switch self {
        case .open: "open a picture or album"
        case .back: "go back"
        case .toggleLayout: "list or grid"
        case .larger: "larger thumbnails"
        case .smaller: "smaller thumbnails"
        case .defaultSize: "thumbnails of the usual size"
        case .nextPicture: "next picture"
        case .previousPicture: "previous picture"
        case .zoomIn: "zoom in"
        case .zoomOut: "zoom out"
        case .zoomFit: "fit the screen"
        case .retry: "try again what failed"
        case .reload: "load the section anew"
        case .info: "what is known of the picture"
        case .nextBlocks: "next set of block characters"
        case .nextColors: "next colour depth"
        case .toggleTint: "tint behind thumbnails"
        case .retryPage: "load the page again"
        case .dismiss: "leave it"
        case .help: "all keys"
        case .redraw: "draw the screen anew"
        case .suspend: "suspend the program"
        case .quit: "go back, then quit"
        default: rawValue
        }
    }
}
