public import Basics
public import Collector
public import Gallery
public import Network
public import Pipeline
public import Raster
public import State

/// Programs with their arguments, by patterns of what they open.
public typealias ProgramRules = [(pattern: String, words: [String])]

/// The user's settings of the browser.
public struct BrowserOptions: Sendable {
    /// The layout at the start.
    public var layout = Layout.grid
    /// The least width of a grid thumbnail, in cells, 8…120.
    public var tileColumns = 24
    /// The sort order and filter at the start.
    public var order = PictureOrder()
    /// The rendering style of pictures.
    public var style = RenderStyle()
    /// The maximum number of pages that a section loads; nil for no limit.
    public var pageLimit: Int?
    /// The block sets that the terminal can show, in the order in which `B` steps through them.
    public var availableBlocks = BlockSet.allCases
    /// Whether spinners and animated pictures move; otherwise nothing moves by itself.
    public var isAnimated = true
    /// The animated tiles that move, unless nothing does.
    public var movingTiles = MovingTiles.selected
    /// The user's home folder; empty if unknown.
    public var home = ""
    /// The title, file name or number of the picture to start at.
    public var at: String?
    /// Whether galleries open where they were left.
    public var resumes = true
    /// Whether the pictures are old ones, each followed by a new one and their difference.
    public var showsVersions = false
    /// Whether to start at the newest picture.
    public var goesToNewest = false
    /// Whether pictures fill their tiles, cropped.
    public var cropsTiles = false
    /// What the bottom line, the tiles and the window's title say of a picture, with names in braces; nil for captions and paths.
    public var statusTemplate: String?, labelTemplate: String?, titleTemplate: String?
    /// The names that may stand in them.
    public static let valueNames = PictureRecord.names + ["url", "count"]
    /// Whether the first runs show the most important keys.
    public var showsHints = true
    /// Whether Enter on a picture chooses it and quits.
    public var isChooser = false
    /// The field that is printed of what is chosen; nil for its name.
    public var printedField: String?
    /// What the top line says instead of the gallery's path.
    public var heading: String?
    /// The number of pictures saved at a time; four keep a connection busy.
    public var savesAtOnce = 4
    /// Whether little is fetched in advance.
    public var sparesLine = false
    /// Whether the terminal is reached by SSH.
    public var isOverSSH = false
    /// The key bindings; the standard ones are not made before they are needed.
    public var keys: KeyMap {
        get { ownKeys ?? .standard }
        set { ownKeys = newValue }
    }
    private(set) var ownKeys: KeyMap?
    /// The lines that are run when something happens.
    public var hooks: [Hook: [String]] = [:]
    /// The programs to which pictures are handed by their media type, which may end with `/*`; the first that fits counts.
    public var programs: ProgramRules = [("video/*", ["mpv", "{path}"])]

    /// Creates the default options.
    public init() {}
}

/// Animated tiles that move; the raw value is the option's keyword.
public enum MovingTiles: String, CaseIterable, Sendable {
    case none, selected, all
}

/// What lines can be run for; the raw value is its name in the configuration.
public enum Hook: String, CaseIterable, Sendable {
    /// Another picture is shown in the viewer.
    case open = "on-open"
    /// A picture has been saved; its path is that of the new file.
    case save = "on-save"
    /// The program is about to end.
    case quit = "on-quit"
}

/// Services outside the browser; a command whose service is missing reports that it is unavailable.
public struct BrowserServices: Sendable {
    /// Writes pictures into files.
    public var saving: (any PictureSaving)?
    /// Changes local files.
    public var files: (any FileChanging)?
    /// Shows an address in another program.
    public var opening: (any AddressOpening)?
    /// Runs other programs.
    public var running: (any CommandRunning)?
    /// Copies text to the clipboard; if nil, the terminal is asked to.
    public var clipboard: (any TextCopying)?
    /// Copies pictures to the clipboard; nil copies none.
    public var pictureClipboard: (any PictureCopying)?
    /// Keeps places, bookmarks and lines; nil keeps nothing.
    public var state: StateStore?
    /// Follows galleries; nil follows none.
    public var followed: FollowedGalleries?
    /// The pages of followed galleries, reduced to what is new.
    public var news: (any PageLoading)?
    /// The gallery of recent places; nil if there is none.
    public var home: Source?
    /// What other programs have had shown; nil if they cannot.
    public var shown: ShownPictures?
    /// Tells of changes in the folders shown.
    public var watch: FolderWatch?
    /// Resolves what the user wants to open.
    public var sources: (any SourceFinding)?
    /// Counts the requests sent, and reports servers that ask to wait.
    public var traffic: Locked<Traffic>?
    /// Reads what the files of local pictures say, in their order, on any thread; nil for a file that cannot be read.
    ///
    /// Blocks on the disk; if `compares`, also finds those that look the same, which decodes all of them the first time.
    public var readFacts:
        (
            @Sendable ([Address], _ compares: Bool, _ isCancelled: () -> Bool) -> [FileFacts?]
        )?
    /// Knows how the pictures on this machine look.
    public var index: (any PictureIndexing)?
    /// Makes a recipe from examples on a page; completes once, on any thread.
    public var learn:
        (
            @Sendable (
                RecipeExamples, _ completion: @escaping Receiver<Result<RecipeLesson, PageError>>
            ) -> Subscription
        )?
    /// What has been taught so far; nil if nothing can be.
    public var teaching: RecipeTeaching?
    /// Has pages and what follows them drawn by a browser, or no longer, and returns which; callable on any thread.
    public var toggleRendering: (@Sendable ([Address]) -> Bool)?
    /// Finds the full pictures behind thumbnails; if nil, the largest size named by the gallery's page is shown.
    public var details: (any DetailLoading)?

    /// Creates an empty set of services.
    public init() {}
}

/// Resolves sources that the user enters while the program runs; callable on any thread, completes once on any thread.
public protocol SourceFinding: Sendable {
    /// Finds the SOURCE that `text` names, as on the command line, but relative to `folder` unless that is nil; the error is one line
    /// that says why there is none. Only what `isTyped` may name a file server.
    func find(
        _ text: String, in folder: String?, isTyped: Bool,
        completion: @escaping Receiver<Result<Source, SourceError>>
    ) -> Subscription
    /// Finds the paths that begin with `text`, in order, folders with a trailing slash; at most a hundred.
    func paths(
        beginningWith text: String, in folder: String?,
        completion: @escaping Receiver<[String]>
    ) -> Subscription
}

/// Knows how the pictures on this machine look; callable on any thread.
public protocol PictureIndexing: Sendable {
    /// Finds the largest picture that looks like one with this fingerprint; only then, `found` runs on any thread.
    func find(_ fingerprint: UInt64, found: @escaping Receiver<IndexedPicture>)
    /// Adds a picture file, or those in a folder and its sub-folders; `completion` runs on any thread, with their number.
    func index(_ address: Address, completion: @escaping Receiver<Int>)
}

/// Changes local files; callable on any thread.
public protocol FileChanging: Sendable {
    /// Changes files, one after the other, along with those that are one picture with them; after each picture `report` runs on any thread.
    func change(_ works: [FileWork], report: @escaping Receiver<FileReport>)
    /// Tells, on any thread, whether there is a folder at a path.
    func isFolder(_ path: String, answer: @escaping Receiver<Bool>)
}

/// Copies text to the clipboard.
public protocol TextCopying: Sendable {
    /// Copies `text`; completes once, on any thread, with nil or a one-line reason for the failure.
    func copy(_ text: String, completion: @escaping Receiver<String?>)
}

/// Copies pictures to the clipboard.
public protocol PictureCopying: Sendable {
    /// Copies the file of `picture`; completes once, on any thread, with the file if the terminal is to copy it, else with nil.
    func copy(
        _ picture: Picture, forTerminal: Bool,
        completion:
            @escaping Receiver<
                Result<(bytes: [UInt8], mediaType: String)?, CopyError>
            >)
}

/// Why a picture could not be copied, in one line.
public struct CopyError: Error, CustomStringConvertible {
    /// The reason.
    public let description: String

    /// Creates the error.
    public init(_ description: String) { self.description = description }
}

/// Shows an address in another program.
public protocol AddressOpening: Sendable {
    /// Starts the program and returns at once; the result is a one-line message for the user.
    func open(_ address: Address) -> String
}
