/// The modes of the terminal that the program switches beside ncurses, and how all of them are undone in a crash.
struct ScreenModes {
    /// Mouse reports on.
    let entering: [UInt8]
    /// Mouse reports off.
    let leaving: [UInt8]
    /// Everything off that ncurses or we may have switched on.
    let restoring: [UInt8]

    /// Reports of presses and the wheel (1000), in the form without a limit of 223 columns (1006).
    private static let mouseOn = "\u{1B}[?1000h\u{1B}[?1006h"
    private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1000l"

    /// What is written between the two is shown at once (mode 2026), by terminals that know it.
    static let frameBegin = Array("\u{1B}[?2026h".utf8)
    /// The end of it.
    static let frameEnd = Array("\u{1B}[?2026l".utf8)

    /// What a frame that is cut short may have left on: the marks, a scroll region, attributes.
    static let afterCut = frameEnd + Array("\u{1B}[r\u{1B}[m".utf8)

    /// Makes the modes for a terminal as `entry` describes it; without one there is no mouse.
    init(entry: TermInfo?) {
        let hasMouse = entry?[.keyMouse] != nil
        entering = hasMouse ? Array(Self.mouseOn.utf8) : []
        leaving = hasMouse ? Array(Self.mouseOff.utf8) : []
        let undo: [StringCapability] = [
            .exitAttributes, .originalPair, .cursorNormal, .keypadLocal, .exitAlternateScreen,
        ]
        let strings = undo.compactMap { entry?[$0] }.map(Self.withoutPadding)
        restoring = Self.frameEnd + leaving + Array(("\u{1B}[r" + strings.joined()).utf8)
    }

    /// Delays, written `$<5>`, are for terminals of glass and tubes.
    private static func withoutPadding(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "$"), rest[start...].hasPrefix("$<"),
            let end = rest[start...].firstIndex(of: ">")
        {
            result += rest[..<start]
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
