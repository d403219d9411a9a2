import Raster

/// What the terminal is asked about itself, as bytes to write in one go.
///
/// The primary device attributes (DA1) come last as a fence: every terminal answers those, and most answer in order.
/// Some do not (GNU screen, Alacritty), so answers count whenever they come.
enum TerminalQuery {
    /// Everything a screen needs to know.
    ///
    /// The background (OSC 11), the sixteen colours (OSC 4), a cell's pixels (XTWINOPS 16), synchronised output
    /// (DECRQM 2026). To be written before the first frame, which clears what a terminal that does not
    /// understand may print.
    static let forScreen = colors + cellSize + request("[?2026$p") + fence

    /// What `--print` needs: nothing that any known terminal prints instead of answering.
    static let forOutput = colors + cellSize + fence

    /// A cell's pixels alone, which another font changes.
    static let cellSize = request("[16t")

    /// Descriptions of terminals that print strings they do not know, or take OSC for something else; they have no
    /// answers either.
    private static let mute = [
        "linux", "eterm", "cons", "ansi", "pcansi", "cygwin", "fbterm", "vt52",
    ]

    /// Whether the terminal called `name` may be asked.
    static func isFit(for name: String) -> Bool {
        !mute.contains { name.hasPrefix($0) }
    }

    /// How long answers are waited for before what has come is used: seconds, more over a network.
    static func patience(environment: [String: String]) -> Double {
        let isRemote = environment["SSH_CONNECTION"].map { !$0.isEmpty } ?? false
        return isRemote ? 0.6 : 0.15
    }

    // Ended by BEL: rxvt answers with the terminator it was asked with, and cuts the other one in half.
    private static let colors =
        request("]11;?\u{7}") + (0..<16).flatMap { request("]4;\($0);?\u{7}") }
    private static let fence = request("[c")

    private static func request(_ body: String) -> [UInt8] {
        [0x1B] + Array(body.utf8)
    }
}
