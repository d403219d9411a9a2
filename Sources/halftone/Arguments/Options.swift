import Browser
import Gallery
import Network
import Raster

/// What the command line and the configuration ask for.
struct Options: Sendable {
    /// What the program does with the pictures.
    enum Mode: Sendable {
        /// Browse them, or list their addresses when standard output is no terminal.
        case browse
        /// Draw the contact sheet to standard output.
        case print
        /// Print each picture's address.
        case urls
        /// Print one JSON object a picture.
        case json
        /// Print how each page was read.
        case explain
        /// Print the help.
        case help
        /// Print the version.
        case version
    }

    /// How many pages a section follows.
    enum PageLimit: Hashable, Sendable {
        /// At most that many.
        case pages(Int)
        /// As many as there are.
        case all
    }

    var mode = Mode.browse
    var sources: [String] = []
    var layout = Layout.grid
    var tileColumns = 24
    var blocks = BlockSet.half
    /// Nil reads the terminal.
    var depth: ColorDepth?
    /// How colours that the depth lacks are mixed.
    var dither = Dither.auto
    var isTinted = true
    var pageLimit: PageLimit?
    var recipeFiles: [String] = []
    var network = NetworkOptions()
    /// Nil is the default folder; the cache is off if `usesCache` is false.
    var cacheFolder: String?
    var usesCache = true
    var maxPixels = 100_000_000
    var order = PictureOrder()
    /// Where pictures are saved; nil is the folder the program runs in.
    var outputFolder: String?
    var configFile: String?
    var usesConfig = true
    var traceFile: String?
    /// Other keys for commands, by the command's name: from the configuration.
    var keys: [String: [String]] = [:]
}

/// A mistake in the command line or configuration: one line that says what and why.
struct UsageError: Error, Hashable, CustomStringConvertible {
    /// What is wrong: an option, a file.
    var subject: String
    /// Why.
    var reason: String

    var description: String { "\(subject): \(reason)" }
}
