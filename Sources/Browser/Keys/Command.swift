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
    public var summary: String { Self.summaries[self] ?? rawValue }

    private static let summaries: [Command: String] = [
        .left: "left (viewer: previous, or pan)",
        .down: "down (viewer: next, or pan)",
        .up: "up (viewer: previous, or pan)",
        .right: "right (viewer: next, or pan)",
        .pageDown: "a page down",
        .pageUp: "a page up",
        .halfPageDown: "half a page down",
        .halfPageUp: "half a page up",
        .first: "first picture, or that of the count",
        .last: "last (and load on), or the count's",
        .previousSection: "previous section",
        .nextSection: "next section",
        .open: "open a picture or album",
        .back: "go back",
        .toggleLayout: "list or grid",
        .larger: "larger thumbnails",
        .smaller: "smaller thumbnails",
        .defaultSize: "thumbnails of the usual size",
        .nextPicture: "next picture",
        .previousPicture: "previous picture",
        .zoomIn: "zoom in",
        .zoomOut: "zoom out",
        .zoomFit: "fit the screen",
        .retry: "try again what failed",
        .reload: "load the section anew",
        .info: "what is known of the picture",
        .nextBlocks: "next set of block characters",
        .nextColors: "next colour depth",
        .toggleTint: "tint behind thumbnails",
        .find: "find by title or address",
        .findNext: "find the next one",
        .findPrevious: "find the one before",
        .filter: "filter while typing; an empty line shows all",
        .nextOrder: "next order: page, title, date",
        .mark: "mark, or take the mark away",
        .clearMarks: "clear all marks",
        .invertMarks: "mark all others instead",
        .save: "save the marked pictures, or this one",
        .copyAddress: "copy its address to the clipboard",
        .openElsewhere: "open it in the web browser",
        .slideshow: "slideshow, until a key is pressed",
        .retryPage: "load the page again",
        .dismiss: "leave it",
        .help: "all keys",
        .redraw: "draw the screen anew",
        .suspend: "suspend the program",
        .quit: "go back, then quit",
    ]
}
