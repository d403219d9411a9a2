import Basics
import Glibc

/// A finished run of a command and its resource usage.
struct Run {
    /// The wall-clock time, in milliseconds.
    var wall: Double
    /// The user and system time of the process and the children it waited for, in milliseconds.
    var cpu: Double
    /// The peak resident memory, in bytes.
    var peak = 0.0

    /// Runs `arguments` (the first is looked up in PATH) with output to a file or discarded; throws unless the exit status is 0.
    static func of(_ arguments: [String], output: String = "/dev/null") throws -> Run {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        var words = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        let start = now()
        var process = pid_t()
        guard posix_spawnp(&process, arguments[0], &actions, nil, &words, environ) == 0 else {
            throw SystemFailure(subject: arguments[0])
        }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        guard status == 0 else { throw BadEnd(command: arguments[0], status: status) }
        return Run(
            wall: now() - start, cpu: cpu(of: usage), peak: Double(usage.ru_maxrss << 10))
    }

    /// Returns the user and system time in `usage`, in milliseconds.
    static func cpu(of usage: rusage) -> Double {
        milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
    }

    private static func milliseconds(_ time: timeval) -> Double {
        Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000
    }
}

/// A command that exited with an error.
struct BadEnd: Error, CustomStringConvertible {
    let command: String
    let status: Int32

    var description: String { "\(command) ended with status \(status)" }
}

/// Returns the monotonic clock's time, in milliseconds.
func now() -> Double { SteadyClock.now * 1000 }

extension [Double] {
    /// The median; 0 for an empty array.
    var median: Double { quantile(0.5) }

    /// Returns the smallest value that at least this share of all values does not exceed.
    func quantile(_ share: Double) -> Double {
        guard !isEmpty else { return 0 }
        return sorted()[Swift.min(count - 1, Int((Double(count) * share).rounded(.down)))]
    }
}
