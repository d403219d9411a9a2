import Glibc
public import Raster

/// The two ends of a pseudo-terminal.
public struct PtyTerminal {
    /// The master side.
    public let master: Int32
    private let path: String

    /// Requests of ioctl_tty(2), which are macros: TIOCSPTLCK, TIOCGPTN, TIOCSWINSZ.
    private static let unlock: UInt = 0x4004_5431
    private static let number: UInt = 0x8004_5430
    private static let setWindowSize: UInt = 0x5414

    /// Creates a terminal of `size`; its descriptors stay open until they are closed.
    public init(size: CellSize) throws {
        master = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard master >= 0 else { throw PtyProcess.SystemError(call: "open", number: errno) }
        var lock: Int32 = 0
        var index: Int32 = 0
        guard ioctl(master, Self.unlock, &lock) == 0, ioctl(master, Self.number, &index) == 0 else {
            throw PtyProcess.SystemError(call: "ioctl", number: errno)
        }
        path = "/dev/pts/\(index)"
        Self.setSize(size, of: master)
    }

    /// Opens the slave side in this process.
    public func open() -> Int32 {
        Glibc.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    }

    static func setSize(_ size: CellSize, of master: Int32) {
        var window = winsize(
            ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, setWindowSize, &window)
    }

    /// Starts `program` in its own session; opening the terminal there makes it the controlling one.
    ///
    /// With `input`, a file, standard input is that file instead of the terminal.
    func spawn(
        _ program: String, arguments: [String], environment: [String: String], input: String?
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, path, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        if let input {
            posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        } else {
            posix_spawn_file_actions_adddup2(&actions, 1, 0)
        }
        return try ChildStart.spawn(
            program, arguments, environment: environment, actions: &actions)
    }
}
