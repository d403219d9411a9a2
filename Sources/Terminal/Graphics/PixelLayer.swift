import Raster

/// The way in which pixels are sent to the terminal.
enum PixelMethod: Hashable, Sendable {
    /// kitty's protocol in placeholder cells, which scroll and are covered like text.
    case placeholders
    /// kitty's protocol in placeholder cells, through tmux.
    case tmux
    /// kitty's protocol with explicit placements.
    case kitty
    case sixel
    case iterm

    /// Whether placeholder cells are written.
    var writesPlaceholders: Bool { self == .placeholders || self == .tmux }
}

/// Decides which pictures are shown as pixels, without ncurses, and keeps track of what the terminal was sent.
///
/// A frame sends no more than the terminal accepts in a moment; further pictures stay cells until a later frame.
struct PixelLayer {
    /// The method, or nil if only cells are shown; call `reset` before changing it.
    var method: PixelMethod? {
        didSet { if let method { kitty.goesThroughTmux = method == .tmux } }
    }
    /// Whether pictures of the last frame are still waiting to be sent.
    private(set) var isWaiting = false
    private var kitty = KittyPictures()
    private(set) var transfer = TmuxTransfer()
    private var frame = 0

    /// The maximum sent in a frame: a quarter of a megabyte, which slow terminals accept in 20 ms.
    static let maxBytes = 256 << 10

    /// Whether rows may be scrolled: terminals differ in whether explicitly placed pictures scroll with them.
    var canScroll: Bool { method?.writesPlaceholders ?? true }

    /// Makes the terminal report the pictures of `canvas` that it has lost.
    mutating func recheck(_ canvas: Canvas) -> [UInt8] {
        restartTransfer() + kitty.recheck(of: canvas.pictures)
    }

    /// Frees all pictures in the terminal; none is shown afterwards.
    mutating func reset() -> [UInt8] {
        isWaiting = false
        return transfer.end() + kitty.reset()
    }

    /// Records that the terminal is another one, which has no pictures.
    mutating func forget() { kitty.forget() }

    /// Records that a key was pressed in this pane of tmux.
    mutating func notePaneIsActive() { transfer.notePaneIsActive() }

    /// Returns the next portion, of about `portion` bytes, once the terminal around tmux has read the last one.
    mutating func continueTransfer(at now: Double, portion: Int) -> [UInt8] {
        let (bytes, done) = transfer.noteReply(at: now, portion: portion)
        if let done { kitty.keep(done, in: frame) }
        // The next frame shows the picture and starts the next one.
        if transfer.picture == nil { isWaiting = true }
        return bytes
    }

    /// Restarts the picture in transfer with the next frame.
    mutating func restartTransfer() -> [UInt8] {
        isWaiting = true
        return transfer.end()
    }

    /// The bytes that end a picture cut off in the middle.
    var afterCut: [UInt8] {
        let end = Array("\u{1B}\\".utf8)
        let endOfPicture = end + KittyPictures.endOfPicture
        return switch method {
        case nil, .sixel, .iterm: end
        case .placeholders, .kitty: endOfPicture
        case .tmux: TmuxPassthrough.afterCut + TmuxPassthrough.wrapped(endOfPicture)
        }
    }

    /// Puts pixels into the cells of pictures within the frame's budget; `shown` is the previous frame, and `isCleared` means that
    /// the screen is erased first.
    ///
    /// Returns what has to be sent before the frame.
    mutating func admit(
        into canvas: inout Canvas, over shown: Canvas, isCleared: Bool, at now: Double
    ) -> [UInt8] {
        isWaiting = false
        guard let method, !canvas.pictures.isEmpty else { return [] }
        frame += 1
        var bytes: [UInt8] = []
        var missing: [PlacedPicture] = []
        var spent = 0
        for placed in canvas.pictures where placed.visible.size.rows > 0 {
            switch (method, placed.picture.code) {
            case (.placeholders, .png(let file)), (.tmux, .png(let file)),
                (.kitty, .png(let file)):
                let isVirtual = method.writesPlaceholders
                guard !isVirtual || Placeholders.canShow(placed.picture.cells) else { continue }
                if !kitty.holds(placed, in: frame) {
                    guard method != .tmux else {
                        missing.append(placed)
                        continue
                    }
                    // When the screen is erased, kitty frees pictures without a placement, which those sent here do not have yet.
                    guard bytes.count < Self.maxBytes, isVirtual || !isCleared else {
                        isWaiting = true
                        continue
                    }
                    bytes += kitty.transmission(of: file, for: placed, isVirtual: isVirtual)
                        .flatMap(\.self)
                    kitty.keep(placed, in: frame)
                }
                canvas.showPixels(of: placed)
            case (.sixel, .palette), (.iterm, .png):
                let parts = canvas.pixelCells(of: placed)
                // A file can only be shown whole.
                let all = placed.frame.size.columns * placed.frame.size.rows
                guard method == .sixel || parts.count == all else { continue }
                let changes = parts.count { shown.cells[$0.index] != $0.cell }
                guard changes == 0 || spent < Self.maxBytes else {
                    isWaiting = true
                    continue
                }
                spent += placed.picture.sentCount * changes / max(1, all)
                canvas.showPixels(of: placed)
            default: continue
            }
        }
        return bytes + pass(missing, at: now) + kitty.makeRoom(in: frame)
    }

    /// Starts to send the first of `missing` through tmux, unless one of them is in transfer.
    private mutating func pass(_ missing: [PlacedPicture], at now: Double) -> [UInt8] {
        guard !missing.contains(where: transfer.passes) else { return [] }
        let end = transfer.end()
        guard transfer.mayBegin, let next = missing.first, case .png(let file) = next.picture.code
        else { return end }
        let commands = kitty.transmission(of: file, for: next, isVirtual: true)
        return end + transfer.begin(next, commands, at: now)
    }

    /// Shows the pixels of the `wanted` cells of `canvas`, after all other cells have been written.
    mutating func paint(_ canvas: Canvas, wanted: [Bool]) -> [UInt8] {
        switch method {
        case nil, .placeholders, .tmux: return []
        case .kitty: return kitty.place(canvas)
        case .sixel, .iterm:
            let bytes = canvas.pictures.flatMap { placed in
                let parts = canvas.rectangles(of: placed.visible) {
                    wanted[$0] && canvas.cells[$0].showsPixels
                        && canvas.cells[$0].pictureID == placed.id
                }
                return paint(parts, of: placed)
            }
            return bytes.isEmpty ? [] : Self.keepCursor + bytes + Self.restoreCursor
        }
    }

    private func paint(_ parts: [CellRect], of placed: PlacedPicture) -> [UInt8] {
        switch placed.picture.code {
        case .png(let file):
            guard !parts.isEmpty else { return [] }
            let (x, y) = (placed.frame.x, placed.frame.y)
            return Self.move(x: x, y: y) + InlineFile.bytes(file, cells: placed.frame.size)
        case .palette(let picture):
            let (x, y) = (placed.frame.x, placed.frame.y)
            let pieces =
                parts == [placed.frame]
                ? placed.picture.sixels
                : parts.flatMap { part in
                    let part = CellRect(
                        x: part.x - x, y: part.y - y, columns: part.size.columns,
                        rows: part.size.rows)
                    return SixelWriter.pieces(of: picture, part, of: placed.picture.cells)
                }
            return pieces.flatMap { Self.move(x: x + $0.cells.x, y: y + $0.cells.y) + $0.bytes }
        }
    }

    /// DECSC, which `restoreCursor` undoes by DECRC.
    static let keepCursor = Array("\u{1B}7".utf8)
    static let restoreCursor = Array("\u{1B}8".utf8)

    static func move(x: Int, y: Int) -> [UInt8] { Array("\u{1B}[\(y + 1);\(x + 1)H".utf8) }
}
