import Glibc
import Raster
import TestSupport
import TestTraits
import Testing

/// Drives the real program against a server on the loopback interface: in a pseudo-terminal, or
/// with its output in a pipe.
@Suite("The program, end to end", .onOwnThread) struct EndToEnd {
    /// The screen sizes used by most tests.
    static let sizes = [CellSize(columns: 80, rows: 24), CellSize(columns: 120, rows: 40)]
}

/// The sequences that keys send in an xterm.
enum Keys {
    static let enter = "\r"
    static let escape = "\u{1B}"
    static let pageDown = "\u{1B}[6~"
    static let down = "\u{1B}OB"
    static let right = "\u{1B}OC"
    static let function1 = "\u{1B}OP"
    static let interrupt = "\u{3}"
    static let backspace = "\u{7F}"
    static let redraw = "\u{C}"
    static let suspend = "\u{1A}"

    /// Returns a press and release of the first button over a cell, in the form of mode 1006.
    static func click(x: Int, y: Int) -> String {
        "\u{1B}[<0;\(x + 1);\(y + 1)M\u{1B}[<0;\(x + 1);\(y + 1)m"
    }

    /// Returns one notch of the wheel over the middle of the screen.
    static func wheel(isDown: Bool) -> String { "\u{1B}[<\(isDown ? 65 : 64);20;10M" }
}

extension ProgramScreen {
    /// Reads until the output stops.
    func settle() { process.waitForSilence() }

    /// Returns the rows that look different after a full redraw.
    func changesByRedraw() -> [String] {
        settleTransfers()
        let before = view
        let count = screen.clearCount
        type(Keys.redraw)
        guard wait({ $0.screen.clearCount > count }) else { return ["nothing was drawn"] }
        settleTransfers()
        return differences(from: before)
    }

    /// Reads until the output stops and no transfer is under way, which may last longer than the silence on a busy machine; until its end, the
    /// size is only claimed.
    private func settleTransfers() {
        let isOver = { (screen: ProgramScreen) in
            !screen.bottom.contains("↓") && !screen.bottom.contains(/\d\?/)
        }
        repeat { settle() } while !isOver(self) && wait(isOver)
    }

    /// What is wrong with the terminal for its next user; empty if it was restored.
    var leftBehind: [String] {
        var faults: [String] = []
        if screen.isAlternate { faults.append("the alternate screen") }
        if !screen.modes.contains(25) { faults.append("no cursor") }
        for mode in [1000, 1002, 1003, 1006, 2004, 2026] where screen.modes.contains(mode) {
            faults.append("mode \(mode)")
        }
        if screen.title != "" || !screen.keptTitles.isEmpty { faults.append("a title") }
        if screen.currentPen != .blank { faults.append("a style") }
        if screen.region != 0..<screen.size.rows { faults.append("a scroll region") }
        if !process.attributes.isSame(as: attributesBefore) { faults.append("attributes") }
        return faults + screen.unrecognised
    }
}
