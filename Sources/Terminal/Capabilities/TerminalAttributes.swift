import Glibc

/// The modes of a terminal's driver at one moment, to be set again later.
struct TerminalAttributes {
    private let terminal: Int32
    /// The modes.
    let value: termios

    /// Reads those of `terminal`.
    init(of terminal: Int32) {
        var value = termios()
        tcgetattr(terminal, &value)
        self.terminal = terminal
        self.value = value
    }

    /// Sets them again, at once: a terminal that takes nothing would be waited for in vain.
    func restore() {
        var value = value
        tcsetattr(terminal, TCSANOW, &value)
    }
}
