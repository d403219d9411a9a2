import Basics
import Glibc
import Pipeline

/// A helper program for tests, whose output is read incrementally; killed when released.
public final class Tool: Sendable {
    /// A program that could not be run.
    public struct Failure: Error {
        /// The name of the program.
        public var name: String
        /// Its output.
        public var output: [String]
    }

    private struct State {
        var lines: [String] = []
        var isReaped = false
    }

    private let name: String
    private let child: pid_t
    private let output: Int32
    private let state = Locked(State())

    /// Starts `name` from PATH; standard output and error are one stream.
    public init(_ name: String, _ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(name: name, output: ["no pipe"]) }
        // Set late: another test's child process may inherit the ends, which then stay open a little longer.
        ends.forEach { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        defer { close(ends[1]) }
        do {
            child = try ChildStart.spawn(
                name, arguments, actions: &actions, inOwnSession: false)
        } catch {
            close(ends[0])
            throw error
        }
        self.name = name
        output = ends[0]
    }

    deinit {
        stop()
        close(output)
    }

    /// Runs a program to its end.
    public static func run(_ name: String, _ arguments: [String]) throws {
        _ = try output(of: name, arguments)
    }

    /// Runs a program to its end; returns the lines it wrote.
    public static func output(of name: String, _ arguments: [String]) throws -> [String] {
        let tool = try Tool(name, arguments)
        while tool.readMore() {}
        guard tool.wait() == 0 else { throw Failure(name: name, output: tool.lines) }
        return tool.lines
    }

    /// Blocks until the program writes a line that contains `text`; throws if it ends before that.
    public func waitFor(_ text: String) throws {
        while !lines.contains(where: { $0.contains(text) }) {
            guard readMore() else { throw Failure(name: name, output: lines) }
        }
    }

    /// Stops the program and returns all its lines.
    @discardableResult
    public func stop() -> [String] {
        let isReaped = state.withLock(\.isReaped)
        if !isReaped {
            kill(child, SIGKILL)
            while readMore() {}
            _ = wait()
        }
        return lines
    }

    /// Sends the program a signal.
    public func signal(_ number: Int32) { kill(child, number) }

    /// The lines that it has written so far.
    public var lines: [String] { state.withLock(\.lines) }

    /// Reads more output; returns false at the end.
    private func readMore() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = read(output, &chunk, chunk.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        let text = String(decoding: chunk[..<count], as: UTF8.self)
        state.withLock { state in
            // A line may be split between two reads.
            let last = state.lines.popLast() ?? ""
            state.lines += (last + text).split(separator: "\n", omittingEmptySubsequences: false)
                .map(String.init)
        }
        return true
    }

    /// Waits until the program has ended by itself; returns its exit code, or a signal's number plus 128.
    public func waitForEnd() -> Int32 {
        while readMore() {}
        let status = wait()
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    private func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        state.withLock { $0.isReaped = true }
        return status
    }
}
