import Basics
import CNcurses
import Glibc

/// Captures what ncurses writes, so that it becomes part of a frame: ncurses itself writes in pieces and blocks on a slow
/// terminal.
///
/// ncurses has a descriptor of its own: the terminal while modes are set, and a memory file while something is drawn.
final class CursesCapture {
    let descriptor: Int32
    private let terminal: Int32
    private let memory: Int32

    /// Opens a memory file; returns -1 if the system refuses.
    static func memory() -> Int32 {
        // 1 is MFD_CLOEXEC, which is not imported.
        memfd_create("halftone", 1)
    }

    /// Creates a descriptor for ncurses that refers to `terminal`; nil if the system refuses.
    init?(terminal: Int32) {
        self.terminal = terminal
        descriptor = fcntl(terminal, F_DUPFD_CLOEXEC, 3)
        memory = Self.memory()
        guard descriptor >= 0, memory >= 0 else {
            close(descriptor)
            close(memory)
            return nil
        }
    }

    /// Closes the memory file only; ncurses may write to its descriptor for as long as the process lives.
    deinit { close(memory) }

    /// Returns what ncurses writes while `body` runs.
    ///
    /// Terminal modes cannot be set in `body`.
    func bytes(writtenBy body: () -> Void) -> [UInt8] {
        dup3(memory, descriptor, O_CLOEXEC)
        body()
        dup3(terminal, descriptor, O_CLOEXEC)
        defer { lseek(memory, 0, SEEK_SET) }
        return readBytes(lseek(memory, 0, SEEK_CUR), at: 0, of: memory)
    }
}
