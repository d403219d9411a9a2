import Basics
import CNcurses
import Glibc
package import Raster

/// The screen as ncurses draws it: shows canvases, and writes only what changed since the last one.
///
/// Texts are ncurses'. The cells of pictures, where the terminal allows it, are written beside it: for ncurses they hold
/// a placeholder that never changes, so it writes nothing there. `shown` is what the terminal shows, written by either.
///
/// One at a time in a process, and on the main thread only, as ncurses demands.
@MainActor package final class CursesScreen {
    /// The largest screen that is used; the two pairs of each cell fit the entry's 20 bits.
    ///
    /// A terminal may claim more.
    nonisolated static let largestSize = CellSize(columns: 1000, rows: 500)

    /// How long the end waits for a terminal that takes nothing any more, in seconds.
    private static let patience = 0.4

    private let device: TerminalDevice
    private let handle: OpaquePointer
    private let output: TerminalOutput
    private let capture: CursesCapture
    /// A window without a place on the screen, for keys: reading from any other would draw it, in the middle of a frame.
    let keys: UnsafeMutablePointer<WINDOW>?
    /// The terminal's modes before us, and ours.
    private let attributes: (before: TerminalAttributes, own: TerminalAttributes)
    let modes: ScreenModes
    /// The colours that are shown; all may be chosen at any time, unless it was started without.
    private(set) var depth: ColorDepth
    private let scrolls: Bool
    let sparesPictures: Bool
    private var slots: PairSlots?
    private var shown: Canvas
    private var marked = MarkedCharacters()
    /// More of them than any screen holds: they are forgotten, and everything is drawn anew.
    private static let mostMarked = 20_000
    private var rowBuffer: [cchar_t] = []
    /// The cells of pictures that the next frame has to write.
    private var wanted: [Bool] = []
    /// Whether nothing on the screen can be relied on.
    private(set) var needsClear = true
    private var isActive = true
    /// What shows pictures as pixels.
    var pixels = PixelLayer()
    /// Whether frames are bracketed by the marks of mode 2026, for terminals that show what is between them at once.
    var synchronizesFrames = false
    /// Where the cursor is shown, beside ncurses; nil while it is hidden where ncurses left it.
    private var cursor: (x: Int, y: Int)?
    /// The window's title as we set it; empty while it has its own.
    private var title = ""

    /// Takes the terminal over: alternate screen, no echo, no cursor.
    ///
    /// Without `isColored` it stays in one colour.
    init(
        device: TerminalDevice, entry: TermInfo, depth: ColorDepth, isColored: Bool,
        output: TerminalOutput
    ) throws(TerminalError) {
        let size = device.size
        modes = ScreenModes(entry: entry)
        scrolls = entry.scrollsLikeAnsi
        // The placeholder has to be a character of several bytes.
        sparesPictures = CharacterSet.isUnicode && entry.takesPictures
        let entry = entry.adapted(
            size: size, isColored: isColored, sparingPictures: sparesPictures)
        let before = TerminalAttributes(of: device.output)
        guard let capture = CursesCapture(terminal: device.output) else { throw .system(errno) }
        guard
            let handle = CursesStart.open(device, output: capture.descriptor, entry: entry)
        else {
            throw .refused(device.name)
        }
        self.device = device
        self.handle = handle
        self.capture = capture
        self.output = output
        let isColored = isColored && CursesStart.startColors(atLeast: entry[.colors])
        self.depth = isColored ? depth : .mono
        slots = isColored ? PairSlots(size: size) : nil
        shown = Canvas(size: size)
        CursesStart.setModes()
        attributes = (before, TerminalAttributes(of: device.output))
        let keys = newpad(1, 1)
        self.keys = keys
        output.send(capture.bytes { CursesStart.configure(keys: keys) } + modes.entering)
        resize(to: size)
    }

    package var size: CellSize { shown.size }

    /// Shows the colours of `depth` from now on, as far as there are colours; everything is drawn anew then.
    func adopt(_ depth: ColorDepth) {
        guard slots != nil, depth != self.depth else { return }
        self.depth = depth
        needsClear = true
    }

    /// Shows pictures as pixels by `method` from now on, where there are any; everything is drawn anew then.
    func adopt(_ method: PixelMethod?) {
        let method = sparesPictures ? method : nil
        guard method != pixels.method else { return }
        output.send(pixels.reset())
        pixels.method = method
        needsClear = true
    }

    /// Has the terminal say which of the pictures on the screen it has lost.
    func callRoll() -> [UInt8] { pixels.rollCall(shown) }

    /// Sends all pictures again: the terminal is another one, which has none.
    func forgetPictures() {
        pixels.forget()
        needsClear = true
    }

    /// Follows the terminal to its present size, if that is a new one; everything is drawn anew then.
    package func followSize() {
        let size = device.size
        if size != self.size { resize(to: size) }
    }

    private func resize(to size: CellSize) {
        if Int(cn_lines()) != size.rows || Int(cn_columns()) != size.columns {
            resizeterm(Int32(size.rows), Int32(size.columns))
        }
        shown = Canvas(size: size)
        slots = slots.map { _ in PairSlots(size: size) }
        rowBuffer = Array(repeating: cchar_t(), count: size.columns)
        wanted = Array(repeating: false, count: size.columns * size.rows)
        needsClear = true
    }

    /// Draws everything anew with the next canvas, whatever the terminal shows now.
    package func invalidate() { needsClear = true }

    /// Shows `canvas`, whose size must be `size`: hands a whole frame to the output.
    package func present(_ canvas: Canvas) {
        guard isActive, canvas.size == size else { return }
        var canvas = canvas
        if marked.count > Self.mostMarked {
            marked = MarkedCharacters()
            needsClear = true
        }
        canvas.renumberMarked(by: &marked)
        let isCleared = needsClear
        let removal = isCleared ? pixels.reset() : []
        var frame = isCleared ? [clear()] : []
        let prelude =
            removal
            + pixels.admit(
                into: &canvas, over: shown, isCleared: isCleared, at: SteadyClock.now)
        if !isCleared, scrolls, pixels.canScroll,
            let distance = ScrollDetector.distance(from: shown, to: canvas)
        {
            frame.append(scroll(canvas.scrollRows, by: distance))
        }
        frame += changes(to: canvas)
        let painted = pixels.paint(canvas, wanted: wanted)
        shown = canvas
        if synchronizesFrames, !frame.allSatisfy(\.isEmpty) {
            frame = [ScreenModes.frameBegin] + frame + [ScreenModes.frameEnd]
        }
        // Outside of the marks: kitty 0.26 loses commands between them now and then.
        output.send(frame: [prelude] + withCursor(canvas.cursor, frame + [painted]))
    }

    /// `frame` between taking the cursor back to where ncurses knows it and showing it in another place.
    ///
    /// Where it is hidden before and after, or stays and nothing is drawn, nothing is added.
    private func withCursor(_ place: (x: Int, y: Int)?, _ frame: [[UInt8]]) -> [[UInt8]] {
        let place = modes.canKeepCursor ? place : nil
        let stays = place.map { [$0.x, $0.y] } == cursor.map { [$0.x, $0.y] }
        if stays, place == nil || frame.allSatisfy(\.isEmpty) { return frame }
        defer { cursor = place }
        let back = cursor == nil ? "" : CursorSequence.back
        let shown = place.map { CursorSequence.show(x: $0.x, y: $0.y) } ?? ""
        return [Array(back.utf8)] + frame + [Array(shown.utf8)]
    }

    /// Calls the terminal's window `title`, if it has one that can be given back.
    func show(title: String) {
        guard isActive, modes.hasTitle, title != self.title else { return }
        self.title = title
        output.send(TitleSequence.bytes(title, isUnicode: CharacterSet.isUnicode))
    }

    /// Gives the terminal back for a while, as it was.
    ///
    /// A frame under way is not finished. Waits for a terminal that takes bytes at all, and not long for one that does not.
    package func suspend() {
        guard isActive else { return }
        isActive = false
        if output.cutFrame() { output.send(pixels.afterCut + ScreenModes.afterCut) }
        output.send(withCursor(nil, []).flatMap(\.self) + pixels.reset())
        output.send(capture.bytes { endwin() } + modes.leaving)
        output.finish(patience: Self.patience)
        attributes.before.restore()
    }

    /// Takes the terminal again after `suspend`.
    package func resume() {
        isActive = true
        needsClear = true
        title = ""
        attributes.own.restore()
        let start = capture.bytes {
            // Any refresh ends what endwin began; an empty one shows no old picture.
            refresh()
            // The next key read would switch the keypad on, in the middle of a frame.
            keypad(keys, true)
        }
        output.send(start + modes.entering)
    }

    /// Gives the terminal back for good, as `suspend` does; the screen cannot be used afterwards.
    func end() {
        suspend()
        _ = capture.bytes { delscreen(handle) }
    }

    private func places(ofRow y: Int) -> Range<Int> { y * size.columns..<(y + 1) * size.columns }

    /// Empties the screen: ncurses would write every placeholder otherwise.
    private func clear() -> [UInt8] {
        needsClear = false
        shown = Canvas(size: size)
        erase()
        clearok(cn_curscr(), true)
        return capture.bytes { refresh() }
    }

    /// What ncurses writes for the texts that changed, and what we write for the pictures.
    private func changes(to canvas: Canvas) -> [[UInt8]] {
        var rows: [Int] = []
        var textRows: [Int] = []
        // While curscr is marked for clearing, ncurses does not search the screen for a pair that is redefined; those
        // that are shown never are, see PairSlots.
        clearok(cn_curscr(), true)
        for y in 0..<size.rows {
            let changes = compare(row: y, with: canvas)
            if changes.hasPictures { rows.append(y) }
            guard changes.hasTexts else { continue }
            put(row: y, of: canvas)
            textRows.append(y)
        }
        clearok(cn_curscr(), false)
        let text = is_wintouched(cn_stdscr()) ? capture.bytes { refresh() } : []
        if sparesPictures, RowEncoder.hasPlaceholder(text) {
            // Where texts change left and right of a few placeholders, moving the cursor costs more than those.
            for y in textRows { wantPictures(row: y, of: canvas) }
            rows = Array(Set(rows + textRows)).sorted()
        }
        var writer = CellWriter(
            depth: depth, writesPlaceholders: pixels.method?.writesPlaceholders ?? false)
        canvas.cells.withUnsafeBufferPointer { cells in
            wanted.withUnsafeBufferPointer { wanted in
                for y in rows {
                    writer.write(
                        row: UnsafeBufferPointer(rebasing: cells[places(ofRow: y)]), y: y,
                        wanted: UnsafeBufferPointer(rebasing: wanted[places(ofRow: y)]))
                }
            }
        }
        return [text] + writer.written
    }

    /// Finds out whether ncurses or we have to write something in row `y`, and which of the pictures' cells are `wanted`.
    ///
    /// A cell that becomes a picture's gets its placeholder in ncurses' idea of the screen at once, and so is not
    /// written twice; but not half of a wide character, which ncurses had better take off the screen itself.
    private func compare(row y: Int, with canvas: Canvas) -> (hasTexts: Bool, hasPictures: Bool) {
        let range = places(ofRow: y)
        var result = (hasTexts: false, hasPictures: false)
        var placeholder = cchar_t()
        cn_cell(&placeholder, wchar_t(RowEncoder.placeholder), 0, 0)
        for index in range {
            let old = shown.cells[index]
            let new = canvas.cells[index]
            let isWanted = sparesPictures && old != new && new.isPicture
            wanted[index] = isWanted
            guard old != new else { continue }
            if !isWanted {
                result.hasTexts = true
                continue
            }
            result.hasPictures = true
            guard !old.isPicture else { continue }
            result.hasTexts = true
            let isLeftHalf = index + 1 < range.upperBound && shown.cells[index + 1].glyph == 0
            if old.glyph != 0, !isLeftHalf {
                mvwadd_wchnstr(
                    cn_curscr(), Int32(y), Int32(index - range.lowerBound), &placeholder, 1)
            }
        }
        return result
    }

    private func wantPictures(row y: Int, of canvas: Canvas) {
        for index in places(ofRow: y) { wanted[index] = canvas.cells[index].isPicture }
    }

    private func put(row y: Int, of canvas: Canvas) {
        let encoder = RowEncoder(
            depth: depth, y: y, sparesPictures: sparesPictures, marked: marked)
        let count = canvas.cells.withUnsafeBufferPointer { cells in
            let row = UnsafeBufferPointer(rebasing: cells[places(ofRow: y)])
            return encoder.encode(row, into: &rowBuffer, slots: &slots)
        }
        _ = rowBuffer.withUnsafeBufferPointer { row in
            mvadd_wchnstr(Int32(y), 0, row.baseAddress, Int32(count))
        }
    }

    /// Lets the terminal move rows, and tells ncurses: its own search takes rows of half blocks for equal, because it
    /// looks at characters only, and would draw them all anew.
    private func scroll(_ rows: Range<Int>, by distance: Int) -> [UInt8] {
        for window in [cn_curscr(), cn_stdscr()] {
            scrollok(window, true)
            wsetscrreg(window, Int32(rows.lowerBound), Int32(rows.upperBound - 1))
            wscrl(window, Int32(distance))
            wsetscrreg(window, 0, Int32(size.rows - 1))
            scrollok(window, false)
        }
        slots?.scroll(rows, by: distance)
        shown.scroll(rows, by: distance)
        return ScrollSequence.bytes(rows: rows, distance: distance)
    }
}
