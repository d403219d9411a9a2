extension TermInfo {
    /// The capabilities common to xterm's family, for a terminal whose description is not installed.
    ///
    /// Only what drawing needs, from xterm's control sequences (ctlseqs); keys missing here are decoded without ncurses.
    static let xterm: TermInfo = {
        var entry = TermInfo(
            names: "xterm-family".bytes, booleans: Array(repeating: 0, count: 15),
            numbers: [], strings: [])
        for boolean: BooleanCapability in [.autoRightMargin, .eatNewline, .moveInAnyMode] {
            entry.booleans[boolean.rawValue] = 1
        }
        entry[.colors] = 256
        for (capability, sequence) in sequences { entry[capability] = sequence }
        return entry
    }()

    private static let sequences: [(StringCapability, String)] = [
        (.carriageReturn, "\r"), (.cursorAddress, "\u{1B}[%i%p1%d;%p2%dH"),
        (.cursorRightBy, "\u{1B}[%p1%dC"), (.clearScreen, "\u{1B}[H\u{1B}[2J"),
        (.eraseToEndOfScreen, "\u{1B}[J"), (.eraseToEndOfLine, "\u{1B}[K"),
        (.changeScrollRegion, "\u{1B}[%i%p1%d;%p2%dr"), (.scrollForward, "\n"),
        (.scrollReverse, "\u{1B}M"), (.saveCursor, "\u{1B}7"), (.restoreCursor, "\u{1B}8"),
        (.enterAlternateScreen, "\u{1B}[?1049h"), (.exitAlternateScreen, "\u{1B}[?1049l"),
        (.cursorInvisible, "\u{1B}[?25l"), (.cursorNormal, "\u{1B}[?25h"),
        (.keypadTransmit, "\u{1B}[?1h\u{1B}="), (.keypadLocal, "\u{1B}[?1l\u{1B}>"),
        (.enterBold, "\u{1B}[1m"), (.enterDim, "\u{1B}[2m"), (.enterUnderline, "\u{1B}[4m"),
        (.exitUnderline, "\u{1B}[24m"), (.enterReverse, "\u{1B}[7m"),
        (.exitAttributes, "\u{1B}[m"), (.originalPair, "\u{1B}[39;49m"),
        (.keyMouse, "\u{1B}[<"), (.keyUp, "\u{1B}OA"), (.keyDown, "\u{1B}OB"),
        (.keyRight, "\u{1B}OC"), (.keyLeft, "\u{1B}OD"), (.keyHome, "\u{1B}OH"),
        (.keyEnd, "\u{1B}OF"),
    ]
}
