import Raster

/// Queries to the terminal about itself, as bytes to be written at once.
///
/// The primary device attributes (DA1) come last as a fence: every terminal replies to those, and most reply in order.
/// Some do not (GNU screen, Alacritty), so replies are accepted at any time.
enum TerminalQuery {
    /// Returns all queries needed for a screen.
    ///
    /// The background (OSC 11), the sixteen colours (OSC 4), a cell's pixels (XTWINOPS 16), synchronized output (DECRQM 2026), the name
    /// (XTVERSION) and the colours. Must precede the first frame, which erases what terminals may print that do not understand them.
    static func forScreen(environment: [String: String]) -> [UInt8] {
        palette + cellSize + request("[?2026$p") + name + colors(environment)
            + graphics(environment) + fence
    }

    /// Returns the queries needed for `--print`; anything that a terminal prints instead of replying is erased again.
    static func forOutput(environment: [String: String]) -> [UInt8] {
        palette + cellSize + request("7") + name + colors(environment)
            + (isTmux(environment) ? [] : graphics(environment)) + request("8") + request("[K")
            + fence
    }

    /// The query for a cell's pixels only, which change with the font.
    static let cellSize = request("[16t")

    /// A colour far from all of xterm's palette: a terminal limited to that palette has to substitute another.
    static let directColor = RGB(red: 150, green: 30, blue: 75)

    /// Terminals that print unknown strings or misinterpret OSC; none of them replies to queries.
    private static let mute = [
        "linux", "eterm", "cons", "ansi", "pcansi", "cygwin", "fbterm", "vt52",
    ]

    /// Returns whether the terminal called `name` may be queried.
    static func isFit(for name: String) -> Bool { !mute.contains { name.hasPrefix($0) } }

    /// Returns whether the terminal is tmux or GNU screen, as far as can be seen from inside.
    static func isMultiplexed(_ environment: [String: String]) -> Bool {
        let name = environment["TERM"] ?? ""
        return environment["TMUX"] != nil || environment["STY"] != nil || name.hasPrefix("screen")
            || name.hasPrefix("tmux")
    }

    /// Returns whether the terminal is tmux itself; programs started from tmux in another terminal merely inherit the variable.
    static func isTmux(_ environment: [String: String]) -> Bool {
        let name = environment["TERM"] ?? ""
        return environment["TMUX"]?.isEmpty == false && environment["STY"] == nil
            && (name.hasPrefix("tmux") || name.hasPrefix("screen"))
    }

    /// Returns how long to wait for replies before using those that have arrived, in seconds; longer over a network.
    static func timeout(environment: [String: String]) -> Double {
        let isRemote = environment["SSH_CONNECTION"].map { !$0.isEmpty } ?? false
        return isRemote ? 0.6 : 0.15
    }

    /// The capabilities `RGB`, `Tc` and `colors` (XTGETTCAP), one by one since some terminals stop at an unknown one;
    /// then a 24-bit colour is set, the attributes are requested (DECRQSS), and reset.
    ///
    /// tmux replies to none of these, GNU screen passes the text on to be printed, and Apple's Terminal prints it.
    private static func colors(_ environment: [String: String]) -> [UInt8] {
        guard !isMultiplexed(environment), environment["TERM_PROGRAM"] != "Apple_Terminal" else {
            return []
        }
        let names = ["524742", "5463", "636F6C6F7273"]
        let (red, green, blue) = (directColor.red, directColor.green, directColor.blue)
        return names.flatMap { request("P+q\($0)\u{1B}\\") }
            + request("[48;2;\(red);\(green);\(blue)m") + request("P$qm\u{1B}\\") + request("[m")
    }

    /// The picture ID in the query for kitty's graphics protocol.
    static let graphicsID = 31

    /// Queries whether kitty's protocol accepts a picture of one pixel, and the maximum number of colours of sixels
    /// (XTSMGRAPHICS); empty where pictures would not reach the terminal that draws them, or titles would change instead.
    private static func graphics(_ environment: [String: String]) -> [UInt8] {
        if isTmux(environment) { return throughTmux }
        guard !isMultiplexed(environment),
            !["Apple_Terminal", "iTerm.app"].contains(environment["TERM_PROGRAM"])
        else { return [] }
        return kittyGraphics + request("[?1;1;0S")
    }

    private static let kittyGraphics = request(
        "_Gi=\(graphicsID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\")

    /// The queries to the terminal around tmux: its name and kitty's protocol, followed by a fence.
    static let throughTmux = TmuxPassthrough.wrapped(name + kittyGraphics + fence)

    // Terminated by BEL: rxvt replies with the query's terminator, and truncates the other one.
    private static let palette =
        request("]11;?\u{7}") + (0..<16).flatMap { request("]4;\($0);?\u{7}") }
    private static let name = request("[>q")
    /// The device status (DSR), which the terminal reports once it has read that far.
    static let status = request("[5n")
    private static let fence = request("[c")

    private static func request(_ body: String) -> [UInt8] { [0x1B] + Array(body.utf8) }
}
