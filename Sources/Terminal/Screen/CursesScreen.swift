import Basics
import CNcurses
import Glibc
package import Raster

/// The screen: shows canvases, and writes only what has changed since the last one.
///
/// ncurses writes text. Cells of pictures are written without it if the terminal allows that: in ncurses they hold a
/// placeholder that never changes, so it writes nothing there. `shown` is what the terminal shows, whoever wrote it.
///
/// One at a time in a process, and on the main thread only, as ncurses requires.
@MainActor package final class CursesScreen {
    /// The largest screen size that is used, even if the terminal reports more; a colour pair for each cell fits the entry's 20 bits.
    nonisolated static let maxSize = CellSize(columns: 1000, rows: 500)

    /// How long to wait on exit for a terminal that no longer accepts bytes, in seconds.
    private static let timeout = 0.4

    private let device: TerminalDevice
    private let handle: OpaquePointer
    private let output: TerminalOutput
    private let capture: CursesCapture
    /// An off-screen window for reading keys: reading from any other would refresh it, in the middle of a frame.
    let keys: UnsafeMutablePointer<WINDOW>?
    /// The terminal's original modes, and those of the session.
    let attributes: (before: termios, own: termios)
    let modes: ScreenModes
    /// The colour depth in use; may change at any time, unless the screen was created without colours.
    private(set) var depth: ColorDepth
    private let scrolls: Bool
    private let sparesPictures: Bool
    private let isColored: Bool
    private var pairs = ColorPairs()
    private var shown: Canvas
    private var marked = MarkedCharacters()
    /// More than any screen holds; beyond this, they are discarded and everything is redrawn.
    private static let maxMarked = 20_000
    private var rowBuffer: [cchar_t] = []
    /// The pictures' cells that the next frame has to write.
    private var wanted: [Bool] = []
    /// Whether to redraw everything with the next canvas, whatever the terminal shows now.
    package var needsClear = true
    private var isActive = true
    /// The layer that shows pictures as pixels.
    let pixels = PixelLayer()
    /// Whether frames are enclosed in the marks of mode 2026, for terminals that show the content at once.
    var synchronizesFrames = false
    /// The visible cursor's position, unknown to ncurses; nil while it is hidden where ncurses left it.
    private var cursor: (x: Int, y: Int)?
    /// The window title that we have set; empty while it has its own.
    private var title = ""

    /// Takes control of the terminal: alternate screen, no echo, no cursor.
    ///
    /// If it cannot turn out to have colours, none are ever used.
    init(
        _ capabilities: TerminalSession.Capabilities, output: TerminalOutput
    ) throws(TerminalError) {
        device = capabilities.device
        let size = device.size
        let described = capabilities.detection.entry
        modes = ScreenModes(entry: described)
        scrolls = described.scrollsLikeAnsi
        // The placeholder must be a multi-byte character.
        sparesPictures = capabilities.canPlacePictures
        let entry = described.adapted(size: size, sparingPictures: sparesPictures)
        var attributes = (before: termios(), own: termios())
        tcgetattr(device.output, &attributes.before)
        guard let capture = CursesCapture(terminal: device.output) else { throw .system }
        guard
            let handle = Self.open(device, output: capture.descriptor, entry: entry)
        else {
            throw TerminalError(
                "ncurses cannot draw on this terminal (TERM=\(capabilities.name)); try TERM=xterm")
        }
        self.handle = handle
        self.capture = capture
        self.output = output
        // If there are fewer colours, the entry was not used.
        isColored =
            capabilities.mayBeColored && start_color() == OK && use_default_colors() == OK
            && Int(cn_colors()) >= entry.colors
        depth = isColored ? capabilities.depth : .mono
        shown = Canvas(size: size)
        // Delivers keys immediately, and signals as signals.
        cbreak()
        noecho()
        nonl()
        tcgetattr(device.output, &attributes.own)
        self.attributes = attributes
        keys = newpad(1, 1)
        output.send(capture.bytes { configureKeys() } + modes.entering)
        followSize()
    }

    package var size: CellSize { shown.size }

    /// Changes the colour depth, if there are colours at all; a change redraws everything.
    func adopt(_ depth: ColorDepth) {
        guard isColored, depth != self.depth else { return }
        self.depth = depth
        needsClear = true
    }

    /// Changes the method for pixels; a change redraws everything.
    func adopt(_ method: PixelMethod?) {
        guard method != pixels.method else { return }
        output.send(pixels.reset())
        pixels.method = method
        needsClear = true
    }

    /// Makes the terminal around tmux report the pictures on the screen that it has lost.
    func recheckPictures() -> [UInt8] {
        pixels.restartTransfer() + pixels.tmux.recheck(of: shown.pictures)
    }

    /// Sends all pictures again: the terminal is another one, which has none.
    func forgetPictures() {
        pixels.tmux.forget()
        needsClear = true
    }

    /// Adopts the terminal's current size, and redraws everything: it may have been smaller for a moment, and have lost what it showed.
    package func followSize() {
        let size = device.size
        resizeterm(Int32(size.rows), Int32(size.columns))
        shown = Canvas(size: size)
        rowBuffer = Array(repeating: cchar_t(), count: size.columns)
        wanted = Array(repeating: false, count: size.count)
        needsClear = true
    }

    /// Shows `canvas`, whose size must be `size`, by passing a whole frame to the output.
    package func present(_ canvas: Canvas) {
        guard isActive, canvas.size == size else { return }
        var canvas = canvas
        if marked.count > Self.maxMarked {
            marked = MarkedCharacters()
            needsClear = true
        }
        if pairs.areMany {
            pairs.reset()
            needsClear = true
        }
        canvas.renumberMarked(by: &marked)
        // Then all cells are left to ncurses.
        if !sparesPictures {
            for index in canvas.cells.indices { canvas.cells[index].style.remove(.picture) }
        }
        let isCleared = needsClear
        let removal = isCleared ? pixels.reset() : []
        var frame = isCleared ? [clear()] : []
        let prelude =
            removal
            + pixels.admit(
                into: &canvas, over: &shown, isCleared: isCleared, at: SteadyClock.now)
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
        // Graphics commands stay outside the marks: kitty 0.26 occasionally loses those inside.
        output.send(frame: [prelude] + withCursor(canvas.cursor, frame + [painted]))
    }

    /// Returns `frame` preceded by restoring the cursor that ncurses knows, and followed by showing it at `place`.
    ///
    /// Adds nothing if the cursor is hidden before and after, or stays and nothing is drawn.
    private func withCursor(_ place: (x: Int, y: Int)?, _ frame: [[UInt8]]) -> [[UInt8]] {
        let place = modes.canKeepCursor ? place : nil
        let stays = place?.x == cursor?.x && place?.y == cursor?.y
        if stays, place == nil || frame.allSatisfy(\.isEmpty) { return frame }
        defer { cursor = place }
        let hiding = cursor == nil ? [] : TerminalSequence.hideCursor
        return [hiding] + frame + [place.map(TerminalSequence.showCursor) ?? []]
    }

    /// Sets the window's title, if the original one can be restored.
    func show(title: String) {
        guard isActive, modes.hasTitle, title != self.title else { return }
        self.title = title
        output.send(TerminalSequence.title(title, isUnicode: CharacterSet.isUnicode))
    }

    /// Restores the terminal until `resume`.
    ///
    /// A partly written frame is not completed. Waits as long as the terminal accepts bytes, but only briefly if it accepts none.
    package func suspend() {
        guard isActive else { return }
        isActive = false
        if output.cutFrame() { output.send(pixels.afterCut + ScreenModes.afterCut) }
        output.send(withCursor(nil, []).joined() + pixels.reset())
        output.send(modes.erasing + capture.bytes { endwin() } + modes.leaving)
        output.finish(timeout: Self.timeout)
        pixels.finish()
        set(attributes.before)
    }

    /// Takes control of the terminal again after `suspend`.
    package func resume() {
        isActive = true
        needsClear = true
        title = ""
        set(attributes.own)
        let start = capture.bytes {
            // Any refresh ends the state entered by endwin; an empty one shows no old contents.
            refresh()
            // Otherwise the next key read would enable the keypad, in the middle of a frame.
            keypad(keys, true)
        }
        output.send(start + modes.entering)
    }

    /// Restores the terminal permanently, as `suspend` does; the screen cannot be used afterwards.
    func end() {
        suspend()
        _ = capture.bytes { delscreen(handle) }
    }

    /// Sets the driver's modes immediately, without draining: a stalled terminal would block that forever.
    private func set(_ attributes: termios) {
        var attributes = attributes
        tcsetattr(device.output, TCSANOW, &attributes)
    }

    private func places(ofRow y: Int) -> Range<Int> { y * size.columns..<(y + 1) * size.columns }

    /// Clears the screen, so that ncurses does not write every placeholder.
    private func clear() -> [UInt8] {
        needsClear = false
        shown = Canvas(size: size)
        erase()
        clearok(cn_curscr(), true)
        return capture.bytes { refresh() }
    }

    /// Returns what ncurses writes for changed text, and what we write for pictures.
    private func changes(to canvas: Canvas) -> [[UInt8]] {
        var rows: [Int] = []
        var textRows: [Int] = []
        for y in 0..<size.rows {
            let changes = compare(row: y, with: canvas)
            if changes.hasPictures { rows.append(y) }
            guard changes.hasTexts else { continue }
            put(row: y, of: canvas)
            textRows.append(y)
        }
        let text = is_wintouched(cn_stdscr()) ? capture.bytes { refresh() } : []
        if RowEncoder.hasPlaceholder(text) {
            // If text changes on both sides of a few placeholders, ncurses writes these, as moving the cursor costs more.
            for index in textRows.flatMap(places) { wanted[index] = canvas.cells[index].isPicture }
            rows = Set(rows + textRows).sorted()
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

    /// Determines whether ncurses or we have to write something in row `y`, and which of the pictures' cells are `wanted`.
    ///
    /// A cell that becomes a picture's gets its placeholder in ncurses' copy of the screen at once, so that it is not
    /// written twice; except half of a wide character, which ncurses itself should erase.
    private func compare(row y: Int, with canvas: Canvas) -> (hasTexts: Bool, hasPictures: Bool) {
        let range = places(ofRow: y)
        var result = (hasTexts: false, hasPictures: false)
        var placeholder = cchar_t()
        cn_cell(&placeholder, wchar_t(RowEncoder.placeholder), 0, 0)
        for index in range {
            let old = shown.cells[index]
            let new = canvas.cells[index]
            let isWanted = old != new && new.isPicture
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

    private func put(row y: Int, of canvas: Canvas) {
        let count = canvas.cells.withUnsafeBufferPointer { cells in
            RowEncoder(depth: depth, marked: marked).encode(
                UnsafeBufferPointer(rebasing: cells[places(ofRow: y)]), into: &rowBuffer,
                pairs: &pairs)
        }
        _ = rowBuffer.withUnsafeBufferPointer { row in
            mvadd_wchnstr(Int32(y), 0, row.baseAddress, Int32(count))
        }
    }

    /// Scrolls rows in the terminal and in ncurses' copy: its own scroll detection only compares characters, takes rows of
    /// half blocks for equal, and would redraw them all.
    private func scroll(_ rows: Range<Int>, by distance: Int) -> [UInt8] {
        for window in [cn_curscr(), cn_stdscr()] {
            scrollok(window, true)
            wsetscrreg(window, Int32(rows.lowerBound), Int32(rows.upperBound - 1))
            wscrl(window, Int32(distance))
            wsetscrreg(window, 0, Int32(size.rows - 1))
            scrollok(window, false)
        }
        shown.scroll(rows, by: distance)
        return TerminalSequence.scroll(rows, by: distance)
    }
}

/// The initialization of ncurses.
extension CursesScreen {
    /// Makes ncurses use `device` with `entry`; returns nil if it refuses.
    ///
    /// ncurses writes to `output`, which must be open on the same terminal.
    ///
    /// Changes the environment temporarily, so it must be called before other threads start.
    private static func open(_ device: TerminalDevice, output: Int32, entry: TermInfo)
        -> OpaquePointer?
    {
        guard let output = fdopen(output, "w"), let input = fdopen(device.input, "r") else {
            return nil
        }
        // Use our own screen size from the entry rather than LINES and COLUMNS, which shells leave behind stale.
        use_env(false)
        let before = getenv("TERMINFO").map { String(cString: $0) }
        setenv("TERMINFO", entry.quickDump, 1)
        defer {
            if let before {
                setenv("TERMINFO", before, 1)
            } else {
                unsetenv("TERMINFO")
            }
        }
        // Not $TERM, which the entry may not list as a name: ncurses compares them.
        return newterm(entry.name, output, input)
    }

    /// Configures `keys` to return named keys without blocking, and hides the cursor.
    private func configureKeys() {
        keypad(keys, true)
        nodelay(keys, true)
        let window = cn_stdscr()
        intrflush(window, false)
        leaveok(window, true)
        scrollok(window, false)
        curs_set(0)
        // Long enough for the rest of a key's sequence, too short to be noticed after Esc; in milliseconds.
        set_escdelay(25)
        // Otherwise ncurses would cut a refresh short whenever a key is waiting.
        typeahead(-1)
    }
}
