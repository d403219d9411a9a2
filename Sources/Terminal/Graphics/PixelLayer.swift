import Raster

/// How pixels reach the terminal.
enum PixelMethod: Hashable, Sendable {
    /// kitty's protocol, in cells that say what they show: those move and are covered like text.
    case placeholders
    /// The same, through tmux.
    case tmux
    /// kitty's protocol, at places that are told.
    case kitty
    case sixel
    case iterm

    /// Whether cells are written that say what they show.
    var writesPlaceholders: Bool { self == .placeholders || self == .tmux }
}

/// The pictures that are shown as pixels, beside ncurses: decides which, and keeps what the terminal was sent.
///
/// In a frame no more is sent than the terminal takes in a moment; what is left over stays cells until the next one.
struct PixelLayer {
    /// Nil where there are cells only; changing it forgets everything, see `reset`.
    var method: PixelMethod? {
        didSet { if let method { kitty.goesThroughTmux = method == .tmux } }
    }
    /// Whether pictures of the last frame wait for their turn.
    private(set) var isWaiting = false
    private var kitty = KittyPictures()
    private(set) var transfer = TmuxTransfer()
    private var frame = 0

    /// What is sent in a frame: a quarter of a megabyte, which slow terminals take in 20 ms.
    static let mostBytes = 256 << 10

    /// Whether the terminal may move rows: placed pictures would stay where they are, or go, as each terminal likes.
    var canScroll: Bool { method?.writesPlaceholders ?? true }

    /// Has the terminal say what it has lost of the pictures of `canvas`.
    mutating func rollCall(_ canvas: Canvas) -> [UInt8] {
        restartTransfer() + kitty.rollCall(of: canvas.pictures)
    }

    /// Frees what the terminal keeps; nothing is shown afterwards.
    mutating func reset() -> [UInt8] {
        isWaiting = false
        return transfer.end() + kitty.reset()
    }

    /// Records that the terminal is another one, which has no pictures.
    mutating func forget() { kitty.forget() }

    /// Records that a key was pressed in this pane of tmux.
    mutating func notePaneIsActive() { transfer.notePaneIsActive() }

    /// Returns the next portion, of about so many bytes, once the terminal around tmux has read the last one.
    mutating func continueTransfer(at now: Double, portion: Int) -> [UInt8] {
        let (bytes, done) = transfer.noteReply(at: now, portion: portion)
        if let done { kitty.keep(done, in: frame) }
        // To be shown, and followed by the next one.
        if transfer.picture == nil { isWaiting = true }
        return bytes
    }

    /// Restarts the picture in transfer with the next frame.
    mutating func restartTransfer() -> [UInt8] {
        isWaiting = true
        return transfer.end()
    }

    /// What ends a picture that was cut off on its way.
    var afterCut: [UInt8] {
        let end = Array("\u{1B}\\".utf8)
        let endOfPicture = end + KittyPictures.endOfPicture
        return switch method {
        case nil, .sixel, .iterm: end
        case .placeholders, .kitty: endOfPicture
        case .tmux: TmuxPassthrough.afterCut + TmuxPassthrough.wrapped(endOfPicture)
        }
    }

    /// Puts pixels into the cells of pictures whose turn it is; `shown` is the frame before, which `isCleared` if the screen is
    /// erased first.
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
                    // Erasing the screen, kitty frees whatever has no place on it, and what is sent here has none yet.
                    guard bytes.count < Self.mostBytes, isVirtual || !isCleared else {
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
                // Part of a file cannot be shown.
                let all = placed.frame.size.columns * placed.frame.size.rows
                guard method == .sixel || parts.count == all else { continue }
                let changes = parts.count { shown.cells[$0.index] != $0.cell }
                guard changes == 0 || spent < Self.mostBytes else {
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

    /// Shows the pixels of those cells of `canvas` that are `wanted`, after all others have been written.
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

    /// DECSC and DECRC.
    static let keepCursor = Array("\u{1B}7".utf8)
    static let restoreCursor = Array("\u{1B}8".utf8)

    static func move(x: Int, y: Int) -> [UInt8] { Array("\u{1B}[\(y + 1);\(x + 1)H".utf8) }
}
