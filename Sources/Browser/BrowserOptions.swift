public import Gallery
public import Network
public import Pipeline
public import Raster

/// List or grid; the raw value is the option's word.
public enum Layout: String, CaseIterable, Sendable {
    case list
    case grid

    /// The rows of cells that a thumbnail of `columns` cells gets, at least 1.
    ///
    /// A grid's have the shape given, height by width, of which 3/4 holds 4:3 whole and 3:2 with little to spare; lists are denser and
    /// take 2/3.
    public func thumbnailRows(columns: Int, cellAspect: Double, shape: Double = 0.75) -> Int {
        let shape = self == .grid ? shape : 0.67
        return max(1, Int((Double(columns) / cellAspect * shape).rounded()))
    }
}

/// What the user may set about the browser.
public struct BrowserOptions: Sendable {
    /// The first layout.
    public var layout = Layout.grid
    /// The width of a grid thumbnail, in cells, 8…120.
    public var tileColumns = 24
    /// In which order pictures are shown, and which of them, to begin with.
    public var order = PictureOrder()
    /// How pictures are drawn.
    public var style = RenderStyle()
    /// The most pages a section follows; nil for no limit.
    public var pageLimit: Int?
    /// The block sets that the terminal can show, in the order in which `B` steps through them.
    public var availableBlocks = BlockSet.allCases
    /// Whether spinners turn and pictures play; nothing moves by itself otherwise.
    public var isAnimated = true
    /// The user's own folder; empty if unknown.
    public var home = ""
    /// Whether Enter on a picture chooses it and quits.
    public var isChooser = false
    /// Which key does what.
    public var keys = KeyMap.standard

    /// The defaults.
    public init() {}
}

/// What the program does for the browser outside of it; a command that lacks its service says that it cannot be done.
public struct BrowserServices: Sendable {
    /// Writes pictures into files.
    public var saving: (any PictureSaving)?
    /// Shows an address in another program.
    public var opening: (any AddressOpening)?
    /// Runs other programs.
    public var running: (any CommandRunning)?
    /// Keeps a text in the clipboard; without it the terminal is asked to.
    public var clipboard: (any TextCopying)?
    /// Finds what the user names.
    public var places: (any PlaceFinding)?
    /// Finds the full pictures behind thumbnails; without it, the largest size that the gallery's page names is shown.
    public var details: (any DetailLoading)?

    /// None.
    public init() {}
}

/// Finds what the user names while the program runs; callable on any thread, answers once on any thread.
public protocol PlaceFinding: Sendable {
    /// The SOURCE that `text` names, as on the command line, or one line that says why it is not one.
    func find(
        _ text: String, completion: @escaping @Sendable (Result<Source, SourceError>) -> Void
    ) -> Subscription
    /// The paths that begin with `text`, folders with a slash at their end, in order; at most a hundred.
    func paths(
        beginningWith text: String, completion: @escaping @Sendable ([String]) -> Void
    ) -> Subscription
}

/// Runs another program in the terminal.
public protocol CommandRunning: Sendable {
    /// Starts `words`, a program and its arguments, without a shell, and waits for its end and for a key; blocks.
    func run(_ words: [String], input: Int32, output: Int32)
}

/// Keeps a text in the clipboard.
public protocol TextCopying: Sendable {
    /// Answers once, on any thread, whether that was done, or else one line why not.
    func copy(
        _ text: String, completion: @escaping @Sendable (_ failure: String?) -> Void
    ) -> Subscription
}

/// Shows an address in another program.
public protocol AddressOpening: Sendable {
    /// Starts the program and returns at once; the result is one line that says what happened.
    func open(_ address: Address) -> String
}
