import Raster
import Terminal

/// Drawing without the event loop.
extension TerminalSession {
    /// The size of the screen as it is drawn on, in cells.
    var size: CellSize { screen.size }

    /// Shows `canvas`, whose size must be `size`; blocks until the terminal has taken the bytes.
    func present(_ canvas: Canvas) {
        screen.present(canvas)
        output.finish()
    }

    /// Gives the terminal back and takes it again.
    func handOver() {
        screen.suspend()
        screen.resume()
        output.finish()
    }
}
