/// The commands that keys can run, in the order of the help; the raw value is the name in the configuration's `"keys"`.
public enum Command: String, CaseIterable, Sendable {
    /// Move by one.
    case left, down, up, right
    /// Move by a screen or half a screen.
    case pageDown = "page-down"
    case pageUp = "page-up"
    case halfPageDown = "half-page-down"
    case halfPageUp = "half-page-up"
    /// Move to the ends; with a count, both select that picture.
    case first, last
    /// Load the section to its end.
    case all
    /// Go to the newest picture, and to newer ones as they appear.
    case newest
    /// Go to the first picture that is new in a followed gallery.
    case firstNew = "first-new"
    /// Move along the row, or to the first or last picture on the screen.
    case rowStart = "row-start"
    case rowEnd = "row-end"
    case screenTop = "screen-top"
    case screenBottom = "screen-bottom"
    /// Scroll the selected picture's row to the middle of the screen.
    case center
    /// Move between sections.
    case previousSection = "previous-section"
    case nextSection = "next-section"

    /// Commands of the viewer.
    case nextPicture = "next-picture"
    case previousPicture = "previous-picture"
    case zoomIn = "zoom-in"
    case zoomOut = "zoom-out"
    case zoomFit = "zoom-fit"
    case fitWidth = "fit-width"
    case fitHeight = "fit-height"
    case actualSize = "actual-size"
    case keepView = "keep-view"
    case rotateRight = "rotate-right"
    case rotateLeft = "rotate-left"
    case flip
    case flipVertical = "flip-vertical"
    case play
    case nextFrame = "next-frame"
    case filmstrip
    case spread, strip, compare, blink, difference

    /// Open a picture, album or other place, and go back and forward.
    case open, show, view, cd, back, parent, forward
    /// Come back to a place.
    case setBookmark = "set-bookmark"
    case goToBookmark = "go-to-bookmark"
    case home, follow
    /// Change the gallery's layout.
    case toggleLayout = "toggle-layout"
    case larger, smaller
    case defaultSize = "default-size"

    /// Find, filter and sort pictures.
    case find
    case findNext = "find-next"
    case findPrevious = "find-previous"
    case filter
    case hideSeen = "hide-seen"
    case showAll = "show-all"
    case render
    case learn
    case nextOrder = "next-order"
    case sort, reverse, group, duplicates

    /// Load again.
    case retry, reload
    /// Change what is shown, and how.
    case info
    case position
    case nextBlocks = "next-blocks"
    case nextColors = "next-colors"
    case nextGraphics = "next-graphics"
    case toggleTint = "toggle-tint"
    case toggleBars = "toggle-bars"
    case crop
    case invert, brightness, gamma

    /// Act on the selected or marked pictures.
    case mark
    case clearMarks = "clear-marks"
    case invertMarks = "invert-marks"
    case markRange = "mark-range"
    case nextMarked = "next-marked"
    case previousMarked = "previous-marked"
    case index
    case save
    case saveAll = "save-all"
    case pause
    case copyAddress = "copy-address"
    case copyPicture = "copy-picture"
    case openElsewhere = "open-elsewhere"
    /// Run another program on them.
    case run
    case slideshow

    /// Change their files.
    case trash, copy, move, rename
    case rotateFile = "rotate-file"
    case undo

    /// Answer a question.
    case accept, dismiss

    /// Commands of the program.
    case commandLine = "command-line"
    case help, messages, redraw, suspend, quit
    case quitUnasked = "quit!"
    case saveAndQuit = "save-and-quit"
    case printAndQuit = "print-and-quit"
}
