public import Raster

/// A terminal's answers to queries; nil where it does not answer.
public struct TerminalAnswers: Sendable {
    /// The background colour (OSC 11).
    public var background: RGB?
    /// The first sixteen colours (OSC 4).
    public var palette: SystemColors?
    /// The size of a cell in pixels (XTWINOPS 16).
    public var cellSize: PixelSize?
    /// Whether mode 2026 is supported (DECRQM); nil if the query is not supported either.
    public var synchronizesOutput: Bool?
    /// Answers to other queries, both without the escape character: `P+q524742` (XTGETTCAP), `P$qm` (DECRQSS), `[>q` (XTVERSION).
    public var others: [String: String] = [:]
    /// The answers of the surrounding terminal to other queries, if this one is tmux passing them through.
    public var outer: [String: String]?
    /// The modes for reports that it has: of the focus (1004), of dark and light (2031).
    public var reports: Set<Int> = []
    /// Whether pictures in kitty's protocol are read from shared memory.
    public var readsSharedMemory = false
    /// Whether device control strings are printed instead of understood or ignored.
    public var printsStrings = false

    /// Creates answers; every terminal that answers reports its primary device attributes.
    public init(
        background: RGB? = nil, palette: SystemColors? = nil, cellSize: PixelSize? = nil,
        synchronizesOutput: Bool? = nil
    ) {
        self.background = background
        self.palette = palette
        self.cellSize = cellSize
        self.synchronizesOutput = synchronizesOutput
    }
}

extension ScreenEmulator {
    /// Answers an operating system command or device control string that is a query.
    func answer(command text: String) {
        guard let answers else { return }
        if answers.printsStrings, text.hasPrefix("P") {
            text.dropFirst().unicodeScalars.forEach { put($0.value) }
        } else if let other = answers.others[text] {
            reply(other + "\u{1B}\\")
        } else if text == "]11;?" {
            answers.background.map { reply("]11;\(Self.name($0))\u{7}") }
        } else if text.hasPrefix("]4;"), text.hasSuffix(";?"),
            let index = Int(text.dropFirst(3).dropLast(2)), let palette = answers.palette
        {
            reply("]4;\(index);\(Self.name(palette.colors[index]))\u{7}")
        }
    }

    /// Answers a control sequence that is a query.
    func answer(_ sequence: ControlSequence) {
        guard let answers else { return }
        switch (sequence.marker, sequence.final, sequence.number(0, or: 0)) {
        case (">", "q", 0): answers.others["[>q"].map { reply($0 + "\u{1B}\\") }
        case (nil, "n", 5): reply("[0n")
        case (nil, "c", 0): reply(answers.others["[c"] ?? "[?64;1;22c")
        case ("?", "S", 1): answers.others["[?1;1;0S"].map(reply)
        case (nil, "t", 16): answers.cellSize.map { reply("[6;\($0.height);\($0.width)t") }
        case ("?", "p", let mode) where answers.reports.contains(mode): reply("[?\(mode);2$y")
        case ("?", "p", 2026): answers.synchronizesOutput.map { reply("[?2026;\($0 ? 2 : 0)$y") }
        default: break
        }
    }

    func reply(_ body: String) {
        pendingAnswers += [0x1B] + Array(body.utf8)
    }

    private static func name(_ color: RGB) -> String {
        let channels = [color.red, color.green, color.blue].map { channel in
            let digits = String(channel, radix: 16)
            return String(repeating: digits.count == 1 ? "0" + digits : digits, count: 2)
        }
        return "rgb:" + channels.joined(separator: "/")
    }
}
