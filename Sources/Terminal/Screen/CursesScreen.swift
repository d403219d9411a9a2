import CNcurses
import Glibc
import Raster

/// The screen as ncurses draws it: shows canvases, and writes only what changed since the last one.
///
/// One at a time in a process, and on the main thread only, as ncurses demands.
@MainActor final class CursesScreen {
    /// The largest screen that is used; the two pairs of each cell fit the entry's 20 bits.
    ///
    /// A terminal may claim more.
    nonisolated static let largestSize = CellSize(columns: 1000, rows: 500)

    private let handle: OpaquePointer
    private let device: TerminalDevice
    private let modes: ScreenModes
    /// The colours it was started with: mono if the terminal did not have those asked for.
    let depth: ColorDepth
    private let scrolls: Bool
    private var slots: PairSlots?
    private var shown: Canvas
    private var rowBuffer: [cchar_t] = []
    /// Whether nothing on the screen can be relied on.
    private var needsClear = true
    private var isActive = true
    /// Whether frames are bracketed by the marks of mode 2026, for terminals that show what is between them at once.
    var synchronizesFrames = false

    /// Takes the terminal over: alternate screen, no echo, no cursor.
    init(device: TerminalDevice, entry: TermInfo?, depth: ColorDepth) throws(TerminalError) {
        let size = device.size
        modes = ScreenModes(entry: entry)
        scrolls = entry?.scrollsLikeAnsi ?? false
        let entry = entry?.adapted(to: depth, size: size, name: device.name)
        guard let handle = CursesStart.open(device, entry: entry) else {
            throw .unknownTerminal(device.name)
        }
        self.handle = handle
        self.device = device
        let isColored = depth != .mono && CursesStart.startColors(atLeast: entry?[.colors])
        self.depth = isColored ? depth : .mono
        slots = isColored ? PairSlots(size: size) : nil
        shown = Canvas(size: size)
        CursesStart.configure()
        device.write(modes.entering)
        resize(to: size)
    }

    /// The size of what is shown, in cells.
    var size: CellSize { shown.size }

    /// Follows the terminal to a new size; everything is drawn anew.
    func resize(to size: CellSize) {
        if Int(cn_lines()) != size.rows || Int(cn_columns()) != size.columns {
            resizeterm(Int32(size.rows), Int32(size.columns))
        }
        shown = Canvas(size: size)
        slots = slots.map { _ in PairSlots(size: size) }
        rowBuffer = Array(repeating: cchar_t(), count: size.columns)
        needsClear = true
    }

    /// Draws everything anew with the next canvas, whatever the terminal shows now.
    func invalidate() {
        needsClear = true
    }

    /// Shows `canvas`, whose size must be `size`; blocks until the terminal has taken the bytes.
    func present(_ canvas: Canvas) {
        guard isActive, canvas.size == size else { return }
        let isBracketed = synchronizesFrames && (needsClear || canvas.cells != shown.cells)
        if isBracketed {
            device.write(ScreenModes.frameBegin)
        }
        if !needsClear, scrolls, let distance = ScrollDetector.distance(from: shown, to: canvas) {
            scroll(canvas.scrollRows, by: distance)
        }
        // While curscr is marked for clearing, ncurses does not search the screen for a pair that is redefined; those
        // that are shown never are, see PairSlots.
        clearok(cn_curscr(), true)
        for y in 0..<size.rows where needsClear || !isRow(y, sameIn: canvas) {
            put(row: y, of: canvas)
        }
        clearok(cn_curscr(), needsClear)
        refresh()
        if isBracketed {
            device.write(ScreenModes.frameEnd)
        }
        needsClear = false
        shown = canvas
    }

    /// Gives the terminal back for a while, as it was.
    func suspend() {
        guard isActive else { return }
        isActive = false
        device.write(modes.leaving)
        endwin()
    }

    /// Takes the terminal again after `suspend`.
    func resume() {
        isActive = true
        needsClear = true
        // Any refresh ends what endwin began; an empty one shows no old picture.
        refresh()
        device.write(modes.entering)
    }

    /// What gives the terminal back when nothing else can run any more.
    var restoringBytes: [UInt8] { modes.restoring }

    /// Gives the terminal back for good; the screen cannot be used afterwards.
    func end() {
        suspend()
        delscreen(handle)
    }

    private func isRow(_ y: Int, sameIn canvas: Canvas) -> Bool {
        let range = y * size.columns..<(y + 1) * size.columns
        return shown.cells[range] == canvas.cells[range]
    }

    private func put(row y: Int, of canvas: Canvas) {
        let count = canvas.cells.withUnsafeBufferPointer { cells in
            let row = UnsafeBufferPointer(
                rebasing: cells[y * size.columns..<(y + 1) * size.columns])
            return RowEncoder(depth: depth, y: y).encode(row, into: &rowBuffer, slots: &slots)
        }
        _ = rowBuffer.withUnsafeBufferPointer { row in
            mvadd_wchnstr(Int32(y), 0, row.baseAddress, Int32(count))
        }
    }

    /// Lets the terminal move rows, and tells ncurses: its own search takes rows of half blocks for equal, because it
    /// looks at characters only, and would draw them all anew.
    private func scroll(_ rows: Range<Int>, by distance: Int) {
        device.write(ScrollSequence.bytes(rows: rows, distance: distance))
        for window in [cn_curscr(), cn_stdscr()] {
            scrollok(window, true)
            wsetscrreg(window, Int32(rows.lowerBound), Int32(rows.upperBound - 1))
            wscrl(window, Int32(distance))
            wsetscrreg(window, 0, Int32(size.rows - 1))
            scrollok(window, false)
        }
        slots?.scroll(rows, by: distance)
        shown.scroll(rows, by: distance)
    }
}
