import Raster

/// What the terminal is asked about itself, as bytes to write in one go.
///
/// The primary device attributes (DA1) come last as a fence: every terminal answers those, and most answer in order.
/// Some do not (GNU screen, Alacritty), so answers count whenever they come.
enum TerminalQuery {
    /// Everything a screen needs to know.
    ///
    /// The background (OSC 11), the sixteen colours (OSC 4), a cell's pixels (XTWINOPS 16), synchronised output (DECRQM 2026), its name
    /// (XTVERSION), its colours. To be written before the first frame, which clears what a terminal that does not understand may print.
    static func forScreen(environment: [String: String]) -> [UInt8] {
        palette + cellSize + request("[?2026$p") + name + colors(environment)
            + graphics(environment) + fence
    }

    /// What `--print` needs; what a terminal may print instead of answering is erased again.
    static func forOutput(environment: [String: String]) -> [UInt8] {
        palette + cellSize + request("7") + name + colors(environment)
            + (isTmux(environment) ? [] : graphics(environment)) + request("8") + request("[K")
            + fence
    }

    /// A cell's pixels alone, which another font changes.
    static let cellSize = request("[16t")

    /// A colour that is far from all of xterm's palette: a terminal that has only that one has to take another.
    static let directColor = RGB(red: 150, green: 30, blue: 75)

    /// Descriptions of terminals that print strings they do not know, or take OSC for something else; they have no answers either.
    private static let mute = [
        "linux", "eterm", "cons", "ansi", "pcansi", "cygwin", "fbterm", "vt52",
    ]

    /// Whether the terminal called `name` may be asked.
    static func isFit(for name: String) -> Bool { !mute.contains { name.hasPrefix($0) } }

    /// Whether the terminal is tmux or GNU screen, as far as can be seen from inside.
    static func isMultiplexed(_ environment: [String: String]) -> Bool {
        let name = environment["TERM"] ?? ""
        return environment["TMUX"] != nil || environment["STY"] != nil || name.hasPrefix("screen")
            || name.hasPrefix("tmux")
    }

    /// Whether the terminal is tmux itself, with no other multiplexer between; who started it in tmux only leaves the variable.
    static func isTmux(_ environment: [String: String]) -> Bool {
        let name = environment["TERM"] ?? ""
        return environment["TMUX"]?.isEmpty == false && environment["STY"] == nil
            && (name.hasPrefix("tmux") || name.hasPrefix("screen"))
    }

    /// How long answers are waited for before what has come is used: seconds, more over a network.
    static func patience(environment: [String: String]) -> Double {
        let isRemote = environment["SSH_CONNECTION"].map { !$0.isEmpty } ?? false
        return isRemote ? 0.6 : 0.15
    }

    /// The capabilities `RGB`, `Tc` and `colors` (XTGETTCAP), each by itself, since some terminals stop at one that they do not
    /// know; then a 24-bit colour is set, the attributes asked back (DECRQSS), and reset.
    ///
    /// tmux answers none of it, GNU screen hands the text on to be printed, and Apple's Terminal prints it.
    private static func colors(_ environment: [String: String]) -> [UInt8] {
        guard !isMultiplexed(environment), environment["TERM_PROGRAM"] != "Apple_Terminal" else {
            return []
        }
        let names = ["524742", "5463", "636F6C6F7273"]
        let (red, green, blue) = (directColor.red, directColor.green, directColor.blue)
        return names.flatMap { request("P+q\($0)\u{1B}\\") }
            + request("[48;2;\(red);\(green);\(blue)m") + request("P$qm\u{1B}\\") + request("[m")
    }

    /// What kitty's graphics protocol calls the picture that is asked about.
    static let graphicsID = 31

    /// Whether a picture of one pixel would be taken by kitty's protocol (its query action), and how many colours sixels may
    /// have (XTSMGRAPHICS); nothing where pictures would not reach what draws them, or titles be changed instead.
    private static func graphics(_ environment: [String: String]) -> [UInt8] {
        if isTmux(environment) { return throughTmux }
        guard !isMultiplexed(environment),
            !["Apple_Terminal", "iTerm.app"].contains(environment["TERM_PROGRAM"])
        else { return [] }
        return kittyGraphics + request("[?1;1;0S")
    }

    private static let kittyGraphics = request(
        "_Gi=\(graphicsID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\")

    /// What is asked of the terminal around tmux: its name and kitty's protocol, and a fence of its own.
    static let throughTmux = TmuxPassthrough.wrapped(name + kittyGraphics + fence)

    // Ended by BEL: rxvt answers with the terminator it was asked with, and cuts the other one in half.
    private static let palette =
        request("]11;?\u{7}") + (0..<16).flatMap { request("]4;\($0);?\u{7}") }
    private static let name = request("[>q")
    private static let fence = request("[c")

    private static func request(_ body: String) -> [UInt8] { [0x1B] + Array(body.utf8) }
}
