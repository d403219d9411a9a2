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

    /// Looking for pictures.
    case find
    case findNext = "find-next"
    case findPrevious = "find-previous"
    case filter
    case nextOrder = "next-order"

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

    /// On the selected picture, or the marked ones.
    case mark
    case clearMarks = "clear-marks"
    case invertMarks = "invert-marks"
    case save
    case copyAddress = "copy-address"
    case openElsewhere = "open-elsewhere"
    case slideshow

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
        case .find: "find by title or address"
        case .findNext: "find the next one"
        case .findPrevious: "find the one before"
        case .filter: "filter while typing; an empty line shows all"
        case .nextOrder: "next order: page, title, date"
        case .mark: "mark, or take the mark away"
        case .clearMarks: "clear all marks"
        case .invertMarks: "mark all others instead"
        case .save: "save the marked pictures, or this one"
        case .copyAddress: "copy its address to the clipboard"
        case .openElsewhere: "open it in the web browser"
        case .slideshow: "slideshow, until a key is pressed"
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
