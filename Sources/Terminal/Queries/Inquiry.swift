public import Raster

/// Questions that are under way, and when their answers are to be used.
///
/// Times are seconds of a steady clock. Answers come together as a rule, so they are used together: at the fence, or when
/// patience ends, so that pictures are not drawn anew for each. Whatever comes later is used at once.
struct Inquiry {
    private(set) var report: TerminalReport
    private let patience: Double
    /// When what has come is used without the fence; nil while nothing is waited for.
    private(set) var deadline: Double?
    private var askedAt: Double?
    /// How many terminals may answer to the last question: with tmux, the one around it.
    private var fences = 0
    private var used: TerminalReport

    /// For so many seconds after a question the Escape key is held for a moment.
    ///
    /// An answer cut off after its first byte looks like that key; every terminal still in use answers sooner.
    private static let longestAnswer = 2.0

    init(report: TerminalReport, patience: Double) {
        self.report = report
        used = report
        self.patience = patience
    }

    /// Questions have gone out, which so many terminals will answer.
    ///
    /// What the terminal around tmux said before counts until then only: it may be another one by now.
    mutating func begin(at now: Double, fences count: Int = 1) {
        askedAt = now
        deadline = now + patience
        fences = count
        report.forgetOuter()
    }

    mutating func note(_ reply: TerminalReply) {
        report.note(reply)
        guard reply.isFence else { return }
        deadline = nil
        fences -= 1
        if fences <= 0 { askedAt = nil }
    }

    /// Until when answers that are on their way are to be taken off it; nil if none are.
    var lastCall: Double? { askedAt.map { $0 + patience } }

    /// Whether answers are still to be expected.
    func isOpen(at now: Double) -> Bool { askedAt.map { now - $0 < Self.longestAnswer } ?? false }

    /// Whether what is known has changed and is to be used now; true once for each change.
    mutating func hasSettled(at now: Double) -> Bool {
        if let due = deadline, now >= due { deadline = nil }
        guard report != used, deadline == nil else { return false }
        used = report
        return true
    }
}

/// What a terminal has told about itself so far, or its environment has; nil where neither did.
public struct TerminalReport: Hashable, Sendable {
    /// The colour behind text.
    public private(set) var background: RGB?
    /// A cell's height divided by its width.
    public private(set) var cellAspect: Double?
    /// A cell's pixels.
    private(set) var cellPixels: PixelSize?
    /// Whether it answered to kitty's graphics protocol.
    private(set) var showsKittyGraphics = false
    /// Whether its attributes name sixels.
    private(set) var showsSixels = false
    /// How many colours a picture in sixels may have.
    private(set) var sixelColors: Int?
    /// Whether it shows what is written between two marks at once (mode 2026).
    public private(set) var synchronizesOutput = false
    /// Whether it took a 24-bit colour as it was, or instead one of a palette.
    private(set) var showsDirectColor: Bool?
    /// How many colours its palette has.
    private(set) var colorCount: Int?
    /// What it calls itself.
    private(set) var program: TerminalProgram?
    /// Whether it is tmux.
    let isTmux: Bool
    /// What the terminals around it call themselves.
    private(set) var outer: Set<TerminalProgram> = []
    private var palette: [Int: RGB] = [:]

    /// Takes what `environment` says: rxvt, Konsole and others put the numbers of their colours into COLORFGBG.
    public init(environment: [String: String] = [:]) {
        isTmux = TerminalQuery.isTmux(environment)
        guard let last = environment["COLORFGBG"]?.split(separator: ";").last,
            let index = Int(last), (0..<16).contains(index)
        else { return }
        background = SystemColors.xterm.colors[index]
    }

    /// The sixteen colours; nil unless it told all of them.
    public var systemColors: SystemColors? { SystemColors((0..<16).compactMap { palette[$0] }) }

    mutating func note(_ reply: TerminalReply) {
        switch reply {
        case .background(let color): background = color
        case .palette(let colors): palette.merge(colors) { $1 }
        case .cellSize(let width, let height):
            guard let aspect = Self.aspect(width: Double(width), height: Double(height)) else {
                return
            }
            cellAspect = aspect
            cellPixels = PixelSize(width: width, height: height)
        case .synchronizedOutput(let isKnown): synchronizesOutput = isKnown
        // One proof is enough, whatever its description lacks.
        case .directColor(let isShown): showsDirectColor = isShown || showsDirectColor == true
        case .colorCount(let count):
            colorCount = count
            if count > 256 { showsDirectColor = true }
        case .program(let program) where isTmux && program.name != "tmux": outer.insert(program)
        case .program(let program): self.program = program
        case .kittyGraphics(let isUnderstood): showsKittyGraphics = isUnderstood
        case .pictureIsLost: break
        case .sixelColors(let count): sixelColors = count
        case .attributes(let hasSixels): showsSixels = hasSixels
        }
    }

    mutating func forgetOuter() {
        guard isTmux else { return }
        outer = []
        showsKittyGraphics = false
    }

    /// Whether it told its background and all sixteen colours.
    var hasColors: Bool { background != nil && palette.count == 16 }

    /// Fills in how tall cells are if the terminal did not tell.
    mutating func assume(cellAspect known: Double?) { cellAspect = cellAspect ?? known }

    /// `style` as it suits this terminal; what is not known stays as it is.
    public func suited(_ style: RenderStyle) -> RenderStyle {
        var style = style
        style.background = background ?? style.background
        style.systemColors = systemColors ?? style.systemColors
        style.cellAspect = cellAspect ?? style.cellAspect
        return style
    }

    /// Height divided by width of a cell of so many pixels; nil for what no font has.
    static func aspect(width: Double, height: Double) -> Double? {
        width >= 2 && height >= 4 && (1...4).contains(height / width) ? height / width : nil
    }
}
