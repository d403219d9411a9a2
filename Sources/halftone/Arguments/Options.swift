import Basics
import Browser
import Collector
import Gallery
import Network
import Raster
import Terminal

/// The settings from the command line and the configuration; their initial values are the defaults that the help shows.
struct Options {
    /// Where a pane for pictures is opened, and how many percent of the space it takes.
    struct Split {
        var isBelow = false
        var percent = 40
    }

    /// The program's mode of operation.
    enum Mode {
        /// Browse the pictures, or list their addresses if standard output is not a terminal.
        case browse
        case print, urls, json, new, explain, makeRecipe, checkRecipes, help, version, printConfig,
            forget, forgetHost, index, show
    }

    var mode = Mode.browse
    var sources: [String] = []
    /// Whether the list on standard input is NUL-separated.
    var isNulSeparated = false
    /// Whether printed names end with a NUL instead of a line feed.
    var isNulTerminated = false
    /// Whether local files are printed as paths.
    var printsPaths = false
    /// Whether a folder and all its subfolders form one gallery.
    var isRecursive = false
    /// The names of folders that it leaves out.
    var ignored = ["node_modules"]
    /// The cells that `--print` fills; nil prints everything.
    var pane: CellSize?
    /// Where on the screen it does so, from 0; nil is at the cursor.
    var corner: (x: Int, y: Int)?
    /// Nil selects the finest set that the terminal is known to draw.
    var blocks: BlockSet?
    /// Nil selects what the terminal has been found to support.
    var graphics: Graphics?
    /// Nil detects the terminal's colour depth.
    var depth: ColorDepth?
    var dither = Dither.auto
    var isTinted = true
    /// What is for the screen only; its order and tiles also for what is printed, one page of each section if no limit is given.
    var browser = BrowserOptions()
    var recipeFiles: [String] = []
    var network = NetworkOptions()
    /// The user's name at a site, and the program that prints the password, with its arguments.
    var login = (user: "", program: [String]())
    /// What of it is different for some hosts: options and their values.
    var sites: [String: [(spec: OptionSpec, value: String)]] = [:]
    /// The cache folder, unless `usesCache` is false; nil is the default.
    var cacheFolder: String?
    var usesCache = true
    /// Whether places and the like are kept from one run to the next.
    var usesState = true
    var maxPixels = 100_000_000
    /// Where pictures are saved, and how.
    var saving = PictureSaver.Options(target: ".")
    /// Whether they are saved without a screen.
    var savesAll = false
    /// The archive that what arrives from the web is kept in.
    var recording: String?
    var configFile: String?
    var usesConfig = true
    var traceFile: String?
    /// Whether pictures are decoded in sandboxed processes.
    var usesSandbox = true
    var theme = ThemeColors()
    /// The profile of Firefox whose cookies are sent, empty for the one used last; nil for none.
    var firefoxProfile: String?
    /// The browser that draws pages, with its arguments; empty if it is looked for in `PATH`.
    var browserProgram: [String] = []
    /// The programs that open addresses, by patterns of these.
    var programs: ProgramRules = []
    /// This program on other machines; nil brings it there.
    var remoteProgram: String?
    /// What of the configuration runs no programs, and names no files and log-ins, and so applies on other machines, too.
    var settings: [LooseValue.Member] = []
    /// Where other programs may connect.
    var socket: String?
    /// Whether they may connect where they look for it, to show pictures.
    var hasOwnSocket = true
    var split = Split()
    /// Whether these may run programs and change files.
    var allowsAllRemotely = false
    /// The line for a program that runs.
    var remoteLine: String?
    /// Whether a picture file is shown without the folder around it.
    var isAlone = false
    /// The file to which they are written instead of standard output.
    var chosenFile: String?

    /// Applies `arguments` (without the program's name): `--opt value`, `--opt=value`, `-ab` for letters; `--` ends the options.
    mutating func apply(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                sources += rest
                return
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                sources.append(argument)
                continue
            }
            let switches = argument.dropFirst().compactMap { letter in
                OptionSpec.all.first { $0.letter == letter }
            }
            if switches.count == argument.count - 1 {
                for spec in switches { try spec.apply(&self, "", as: argument) }
                continue
            }
            let (written, given) = argument.halves(at: "=")
            guard written.hasPrefix("--"), let spec = OptionSpec.named(written.dropFirst(2)) else {
                let nearest = OptionSpec.nearestName(to: String(written.drop { $0 == "-" }))
                    .map { "; did you mean --\($0)?" }
                throw UsageError(
                    quoting: written, "is not an option\(nearest ?? "") (see --help)")
            }
            if let placeholder = spec.placeholder {
                guard let value = given ?? rest.popFirst() else {
                    throw UsageError(written, "needs a value: \(placeholder)")
                }
                try spec.apply(&self, value, as: written)
            } else {
                guard given == nil else {
                    throw UsageError(written, "takes no value")
                }
                try spec.apply(&self, "", as: written)
            }
        }
    }
}

/// An error in the command line or configuration: one line with its subject and reason.
struct UsageError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, such as an option or a file.
    let subject: String
    let reason: String

    init(_ subject: String, _ reason: String) {
        self.subject = subject
        self.reason = reason
    }

    var description: String { "\(subject): \(reason)" }

    /// Returns `text` in quotes, without anything that could disturb a terminal.
    static func quoted(_ text: String) -> String { "'\(text.oneLine())'" }
}

/// Returns the result of `body`, whose errors become errors about `subject`.
func blaming<Value>(
    _ subject: String, _ body: () throws -> Value
) throws(UsageError) -> Value {
    do {
        return try body()
    } catch {
        throw UsageError(subject, "\(error)")
    }
}

extension UsageError {
    /// Creates an error about a text of the user's.
    init(quoting text: String, _ reason: String) {
        self.init(Self.quoted(text), reason)
    }
}
