import CNcurses
import Glibc

/// Keeps what ncurses writes, so that it becomes part of a frame: ncurses itself writes in pieces, and waits for a slow
/// terminal whatever happens meanwhile.
///
/// ncurses has a descriptor of its own. It is the terminal while modes are set, and a file in memory while something is
/// drawn.
final class CursesCapture {
    /// What ncurses writes to.
    let descriptor: Int32
    private let terminal: Int32
    private let memory: Int32

    /// MFD_CLOEXEC, which does not import.
    private static let closeOnExec: UInt32 = 1

    /// Makes a descriptor for ncurses that is `terminal`; nil if the system has no more.
    init?(terminal: Int32) {
        self.terminal = terminal
        descriptor = fcntl(terminal, F_DUPFD_CLOEXEC, 3)
        memory = memfd_create("halftone-frame", Self.closeOnExec)
        guard descriptor >= 0, memory >= 0 else {
            close(descriptor)
            close(memory)
            return nil
        }
    }

    /// Closes the memory; the descriptor is ncurses', which may write to it for as long as the process lives.
    deinit {
        close(memory)
    }

    /// What ncurses writes while `body` runs.
    ///
    /// Terminal modes cannot be set in there.
    func bytes(writtenBy body: () -> Void) -> [UInt8] {
        dup3(memory, descriptor, O_CLOEXEC)
        body()
        dup3(terminal, descriptor, O_CLOEXEC)
        let count = lseek(memory, 0, SEEK_CUR)
        guard count > 0 else { return [] }
        lseek(memory, 0, SEEK_SET)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(memory, buffer.baseAddress, count, 0))
        }
    }
}
