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
    /// Loads the section to its end.
    case all
    /// Along the row, and to the first and last picture on the screen.
    case rowStart = "row-start"
    case rowEnd = "row-end"
    case screenTop = "screen-top"
    case screenBottom = "screen-bottom"
    /// The selected picture's row to the middle of the screen.
    case center
    /// To the headings.
    case previousSection = "previous-section"
    case nextSection = "next-section"

    /// Into a picture or album, or another place, and out again.
    case open, back, forward
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
    case sort, reverse

    /// In the viewer.
    case nextPicture = "next-picture"
    case previousPicture = "previous-picture"
    case zoomIn = "zoom-in"
    case zoomOut = "zoom-out"
    case zoomFit = "zoom-fit"
    case fitWidth = "fit-width"
    case fitHeight = "fit-height"
    case actualSize = "actual-size"
    case rotateRight = "rotate-right"
    case rotateLeft = "rotate-left"
    case flip
    case flipVertical = "flip-vertical"
    case play
    case nextFrame = "next-frame"
    case filmstrip

    /// Loading again.
    case retry, reload
    /// What is shown, and how.
    case info
    case position
    case nextBlocks = "next-blocks"
    case nextColors = "next-colors"
    case nextGraphics = "next-graphics"
    case toggleTint = "toggle-tint"

    /// On the selected picture, or the marked ones.
    case mark
    case clearMarks = "clear-marks"
    case invertMarks = "invert-marks"
    case markRange = "mark-range"
    case nextMarked = "next-marked"
    case previousMarked = "previous-marked"
    case save
    case copyAddress = "copy-address"
    case openElsewhere = "open-elsewhere"
    case slideshow
    /// Another program with them.
    case run

    /// Answers to a question.
    case accept, dismiss

    /// The program.
    case commandLine = "command-line"
    case help, redraw, suspend, quit
    case printAndQuit = "print-and-quit"
}
