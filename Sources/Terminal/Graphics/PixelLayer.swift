import Raster

/// The protocol by which pixels are sent to the terminal.
enum PixelMethod: Hashable {
    /// kitty's protocol in placeholder cells, which scroll and are covered like text.
    case placeholders
    /// kitty's protocol in placeholder cells, through tmux.
    case tmux
    /// kitty's protocol with explicit placements.
    case kitty
    case sixel
    /// Sixels over blocks in tmux, at most so many.
    case tmuxSixels(Int)
    case iterm

    /// Whether placeholder cells are written.
    var writesPlaceholders: Bool { self == .placeholders || self == .tmux }
}

/// Shows pictures as pixels in one protocol, and keeps track of what the terminal was sent.
protocol PixelProtocol: AnyObject {
    /// The bytes that end a picture cut off in the middle.
    var afterCut: [UInt8] { get }
    /// Whether the cells under pixels are written, too.
    var keepsCells: Bool { get }
    /// Decides whether `frame` shows the pixels of `placed` on `canvas`.
    func admit(_ placed: PlacedPicture, on canvas: Canvas, in frame: PixelFrame) -> PixelAdmission
    /// Ends the admission to `frame`; returns what else has to be sent before it.
    func endAdmission(to frame: PixelFrame) -> [UInt8]
    /// Shows the pixels of the `wanted` cells of `canvas`, after all other cells have been written.
    func paint(_ canvas: Canvas, wanted: [Bool]) -> [UInt8]
    /// Returns where pixels go that the last frame showed and this one does not: their first cell is blanked.
    func takeStale() -> [CellRect]
    /// Frees all pictures in the terminal.
    func reset() -> [UInt8]
    /// Leaves nothing behind once the terminal has been given back.
    func finish()
}

extension PixelProtocol {
    var afterCut: [UInt8] { TerminalSequence.stringEnd }
    var keepsCells: Bool { false }
    func endAdmission(to frame: PixelFrame) -> [UInt8] { [] }
    func takeStale() -> [CellRect] { [] }
    func paint(_ canvas: Canvas, wanted: [Bool]) -> [UInt8] { [] }
    func reset() -> [UInt8] { [] }
    func finish() {}
}

/// The frame to which pictures are admitted.
struct PixelFrame {
    let number: Int
    /// In seconds of a steady clock.
    let time: Double
    /// Whether the screen is erased first.
    let isCleared: Bool
    /// The previous frame.
    let shown: Canvas
    /// About how many bytes its pictures take.
    var spent = 0

    /// Whether more pictures may be sent: a quarter of a megabyte, which slow terminals accept in 20 ms.
    var hasRoom: Bool { spent < PixelLayer.maxBytes }
}

/// Whether a frame shows a picture's pixels.
enum PixelAdmission {
    /// It does, after `sending` these bytes; the picture takes about `cost` bytes of the frame, and a later one sends the rest unless
    /// it `isWhole`.
    case pixels(sending: [UInt8], cost: Int, isWhole: Bool = true)
    /// A later frame does, as this one is full.
    case later
    /// The picture stays cells.
    case cells
}

/// Decides which pictures are shown as pixels, without ncurses.
///
/// A frame sends no more than the terminal accepts in a moment; further pictures stay cells until a later frame.
final class PixelLayer {
    /// The method, or nil if only cells are shown; call `reset` before changing it.
    var method: PixelMethod? {
        didSet {
            current =
                switch method {
                case nil: nil
                case .placeholders: KittyPlaceholders()
                case .tmux: tmux
                case .kitty: KittyPlacements()
                case .sixel: InlinePictures(isSixel: true)
                case .tmuxSixels(let most): TmuxSixels(capacity: most)
                case .iterm: InlinePictures(isSixel: false)
                }
        }
    }
    private(set) var current: (any PixelProtocol)?
    /// The pictures in the terminal around tmux, which keeps them whatever is shown meanwhile.
    let tmux = TmuxPictures()
    /// Whether pictures of the last frame are still waiting to be sent.
    private(set) var isWaiting = false
    private var frameCount = 0

    /// The maximum sent in a frame.
    static let maxBytes = 256 << 10

    /// Whether rows may be scrolled: terminals differ in whether explicitly placed pictures scroll with them.
    var canScroll: Bool { method?.writesPlaceholders ?? true }

    /// The bytes that end a picture cut off in the middle.
    var afterCut: [UInt8] { current?.afterCut ?? TerminalSequence.stringEnd }

    /// Frees all pictures in the terminal; none is shown afterwards.
    func reset() -> [UInt8] {
        isWaiting = false
        return current?.reset() ?? []
    }

    /// Leaves nothing behind once the terminal has been given back.
    func finish() {
        current?.finish()
        SharedPixels.withdrawProbe()
    }

    /// Returns the next portion, of about `portion` bytes, once the terminal around tmux has read the last one.
    func continueTransfer(at now: Double, portion: Int) -> [UInt8] {
        let bytes = tmux.continueTransfer(at: now, portion: portion, frame: frameCount)
        // The next frame shows the picture and starts the next one.
        if tmux.transfer.picture == nil { isWaiting = true }
        return bytes
    }

    /// Restarts the picture in transfer with the next frame.
    func restartTransfer() -> [UInt8] {
        isWaiting = true
        return tmux.transfer.end()
    }

    /// Puts pixels into the cells of pictures within the frame's budget; `shown` is the previous frame, and `isCleared` means that
    /// the screen is erased first.
    ///
    /// Returns what has to be sent before the frame.
    func admit(
        into canvas: inout Canvas, over shown: inout Canvas, isCleared: Bool, at now: Double
    ) -> [UInt8] {
        isWaiting = false
        guard let current else { return [] }
        frameCount += 1
        var frame = PixelFrame(number: frameCount, time: now, isCleared: isCleared, shown: shown)
        var bytes: [UInt8] = []
        for placed in canvas.pictures where placed.visible.rows > 0 {
            switch current.admit(placed, on: canvas, in: frame) {
            case .pixels(let sending, let cost, let isWhole):
                bytes += sending
                isWaiting = isWaiting || !isWhole
                frame.spent += cost
                guard !current.keepsCells else { continue }
                for (index, cell) in canvas.pixelCells(of: placed) { canvas.cells[index] = cell }
            case .later: isWaiting = true
            case .cells: break
            }
        }
        for place in current.takeStale() {
            shown.cells[place.y * shown.size.columns + place.x] = .blank
            bytes += TerminalSequence.dropSixel(x: place.x, y: place.y)
        }
        return bytes + current.endAdmission(to: frame)
    }

    /// Shows the pixels of the `wanted` cells of `canvas`, after all other cells have been written.
    func paint(_ canvas: Canvas, wanted: [Bool]) -> [UInt8] {
        let bytes = current?.paint(canvas, wanted: wanted) ?? []
        return bytes.isEmpty
            ? [] : TerminalSequence.keepCursor + bytes + TerminalSequence.restoreCursor
    }
}
