import Glibc

/// A run of the `halftone` executable without a terminal: its output and exit status.
public struct ProgramRun: Sendable {
    /// The exit status; nil if the program had to be killed.
    public let exit: PtyProcess.Exit?
    /// Standard output.
    public let bytes: [UInt8]
    /// The lines of standard error.
    public let errors: [String]

    /// Standard output as text.
    public var output: String { String(decoding: bytes, as: UTF8.self) }
    /// The lines of standard output.
    public var lines: [String] { output.split(separator: "\n").map(String.init) }
    /// The exit code; nil if the program was ended by a signal.
    public var code: Int32? {
        if case .code(let code) = exit { code } else { nil }
    }

    /// The path of the executable, which is built beside the tests.
    public static let executable: String = {
        let pointer = realpath("/proc/self/exe", nil)
        defer { free(pointer) }
        let own = pointer.map { String(cString: $0) } ?? ""
        // Some test runners load the bundle into a tool of the toolchain; the executable is then beside the bundle.
        let places = [own] + CommandLine.arguments
        return places.map { $0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.startIndex) + "/halftone" }
            .first { access($0, X_OK) == 0 } ?? ".build/debug/halftone"
    }()

    /// Runs the program with `input`, or `inputBytes`, on standard input (empty if nil) until it ends, killing it after `seconds` without
    /// output; `command` starts it in another way.
    public init(
        _ arguments: [String], in folder: ScratchFolder, environment: [String: String] = [:],
        input: String? = nil, inputBytes: [UInt8]? = nil, seconds: Int = 120,
        command: [String] = [Self.executable]
    ) throws {
        let input = inputBytes ?? input.map { Array($0.utf8) }
        let source = try input.map { try folder.write($0, to: "input") } ?? "/dev/null"
        let output = try Pipe(folder.path + "/output")
        let errors = try Pipe(folder.path + "/errors")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, source, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output.path, O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, errors.path, O_WRONLY, 0)
        let child = try ChildStart.spawn(
            command[0], command.dropFirst() + arguments,
            environment: folder.environment.merging(environment) { $1 }, actions: &actions)
        let (texts, isOver) = Pipe.readAll([output, errors], seconds: seconds)
        if !isOver { kill(child, SIGKILL) }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        bytes = texts[0]
        self.errors = String(decoding: texts[1], as: UTF8.self).split(separator: "\n").map(
            String.init)
        exit = isOver ? PtyProcess.Exit(status: status) : nil
    }
}

/// A named pipe from a program to its test: only the program can have opened its other end.
private final class Pipe {
    let path: String
    private let readEnd: Int32

    init(_ path: String) throws {
        self.path = path
        guard mkfifo(path, 0o600) == 0 else {
            throw PtyProcess.SystemError(call: "mkfifo", number: errno)
        }
        readEnd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    }

    deinit {
        close(readEnd)
        unlink(path)
    }

    /// Reads until every pipe ends, or for `seconds` without a byte; `isOver` tells whether they ended.
    static func readAll(_ pipes: [Pipe], seconds: Int) -> (texts: [[UInt8]], isOver: Bool) {
        var texts = pipes.map { _ in [UInt8]() }
        var entries = pipes.map { pollfd(fd: $0.readEnd, events: Int16(POLLIN), revents: 0) }
        var block = [UInt8](repeating: 0, count: 65_536)
        while entries.contains(where: { $0.fd >= 0 }) {
            guard poll(&entries, nfds_t(entries.count), Int32(seconds * 1000)) > 0 else {
                return (texts, false)
            }
            for index in entries.indices where entries[index].revents != 0 {
                let count = read(entries[index].fd, &block, block.count)
                texts[index] += block[..<max(0, count)]
                // poll ignores negative descriptors.
                if count <= 0 { entries[index].fd = -1 }
            }
        }
        return (texts, true)
    }
}
