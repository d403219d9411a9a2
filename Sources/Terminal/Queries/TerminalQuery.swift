import Basics
import Pipeline
import Raster

/// Queries to the terminal about itself, as bytes to be written at once.
///
/// The primary device attributes (DA1) come last as a fence: every terminal replies to those, and most reply in order.
/// Some do not (GNU screen, Alacritty), so replies are accepted at any time. `TerminalReply` has the replies, and
/// `TerminalTraits` what they mean.
enum TerminalQuery {
    /// Why a terminal is not sent a query.
    private enum Exception {
        /// tmux replies to none of these, GNU screen passes the text on to be printed, and pictures would not reach the terminal that
        /// draws them.
        case multiplexer
        /// It prints device control strings and application commands.
        case appleTerminal
        /// Its title would change.
        case iTerm
        /// `--print` has no use for it.
        case output
    }

    private static let table: [(query: String, exceptions: Set<Exception>)] = [
        // The background and the sixteen colours, terminated by BEL: rxvt replies with the query's terminator, and truncates the other one.
        ("]11;?\u{7}" + (0..<16).map { "\u{1B}]4;\($0);?\u{7}" }.joined(), []),
        // A cell's pixels (XTWINOPS), the name (XTVERSION), synchronized output and reports (DECRQM).
        ("[16t", []), ("[>q", []), ("[?2026$p", [.output]),
        // Whether pictures may be copied, which is told by a mode that is left alone.
        ("[?5522$p", [.output]),
        (ScreenModes.reports.map { "[?\($0)$p" }.joined(separator: "\u{1B}"), [.output]),
        // The capabilities RGB, Tc and colors (XTGETTCAP), one by one since some terminals stop at an unknown one.
        ("P+q524742\u{1B}\\", textual), ("P+q5463\u{1B}\\", textual),
        ("P+q636F6C6F7273\u{1B}\\", textual),
        // Sets a 24-bit colour, requests the attributes (DECRQSS), and resets them.
        (
            """
            [48;2;\(directColor.red);\(directColor.green);\(directColor.blue)m\
            \u{1B}P$qm\u{1B}\\\u{1B}[m
            """, textual
        ),
        // Whether kitty's protocol accepts a picture of one pixel, and the maximum number of colours of sixels (XTSMGRAPHICS).
        (kittyGraphics, pictorial), ("[?1;1;0S", pictorial),
        // Whether it reads such a picture from shared memory.
        (
            "_Gi=\(sharedID),s=1,v=1,a=q,t=s,f=24,S=3;\(String(utf8: SharedPixels.probe.bytes.base64))\u{1B}\\",
            pictorial.union([.output])
        ),
    ]
    private static let textual: Set<Exception> = [.multiplexer, .appleTerminal]
    private static let pictorial = textual.union([.iTerm])
    private static let kittyGraphics = "_Gi=\(graphicsID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
    private static let fence = "\u{1B}[c"

    /// The picture ID in the query for kitty's graphics protocol.
    static let graphicsID = 31
    /// The picture ID in the query for shared memory.
    static let sharedID = 32

    /// A colour far from all of xterm's palette: a terminal limited to that palette has to substitute another.
    static let directColor = RGB(red: 150, green: 30, blue: 75)

    /// Returns all queries needed for a screen.
    ///
    /// Must precede the first frame, which erases what terminals may print that do not understand them.
    static func forScreen(environment: EnvironmentVariables) -> [UInt8] {
        queries(environment, except: []) + (environment.isTmux ? throughTmux : [])
            + fence.bytes
    }

    /// Returns the queries needed for `--print`; anything that a terminal prints instead of replying is erased again.
    static func forOutput(environment: EnvironmentVariables) -> [UInt8] {
        TerminalSequence.keepCursor + queries(environment, except: [.output])
            + "\u{1B}8\u{1B}[K\(fence)".bytes
    }

    private static func queries(
        _ environment: EnvironmentVariables, except exceptions: Set<Exception>
    ) -> [UInt8] {
        var exceptions = exceptions
        if environment.isMultiplexed { exceptions.insert(.multiplexer) }
        if environment["TERM_PROGRAM"] == "Apple_Terminal" { exceptions.insert(.appleTerminal) }
        if environment["TERM_PROGRAM"] == "iTerm.app" { exceptions.insert(.iTerm) }
        return table.filter { $0.exceptions.isDisjoint(with: exceptions) }
            .flatMap { "\u{1B}\($0.query)".bytes }
    }

    /// The query for a cell's pixels only, which change with the font.
    static let cellSize = "\u{1B}[16t".bytes

    /// The queries to the terminal around tmux: its name and kitty's protocol, followed by a fence.
    static let throughTmux = TerminalSequence.throughTmux(
        "\u{1B}[>q\u{1B}\(kittyGraphics)\(fence)".bytes)

    /// The device status (DSR), which the terminal reports once it has read that far.
    static let status = "\u{1B}[5n".bytes

    /// Terminals that print unknown strings or misinterpret OSC; none of them replies to queries.
    private static let mute = [
        "dumb", "linux", "eterm", "cons", "ansi", "pcansi", "cygwin", "fbterm", "vt52",
    ]

    /// Returns whether the terminal called `name` may be queried.
    static func isFit(for name: String) -> Bool {
        !name.isEmpty && !mute.contains { name.hasPrefix($0) }
    }

    /// Returns how long to wait for replies before using those that have arrived, in seconds; longer over a network.
    static func timeout(environment: EnvironmentVariables) -> Double {
        environment["SSH_CONNECTION"]?.isEmpty == false ? 0.6 : 0.15
    }
}
