import Basics
import Dispatch
import Glibc
import Pipeline

/// Starts other programs without a shell, so that nothing in their arguments is interpreted.
enum ChildProcess {
    /// Starts `words`, a program's name or path and its arguments, and returns the process or the errno; `descriptors` are its
    /// standard input, output and error (nil for `/dev/null`), `isDetached` gives it a session of its own, and `variables` are added to
    /// its environment.
    static func start(
        _ words: [String], descriptors: [Int32?], isDetached: Bool = true,
        variables: [String: String] = [:]
    ) -> (process: pid_t?, error: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in descriptors.enumerated() {
            let number = Int32(number)
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            } else {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Otherwise signals ignored here, such as SIGPIPE, would also be ignored by the program.
        var standard = sigset_t()
        sigfillset(&standard)
        posix_spawnattr_setsigdefault(&attributes, &standard)
        // Dispatch blocks signals on its threads, and the program would inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (isDetached ? setsid : 0)))
        let arguments = words.map { strdup($0.cPath) }
        // The first of equal names counts.
        let added = variables.map { strdup("\($0.key)=\($0.value)".cPath) }
        defer { (arguments + added).forEach { free($0) } }
        var environment = added
        var entry = environ
        while let pointer = entry.pointee {
            environment.append(pointer)
            entry += 1
        }
        var process: pid_t = 0
        let error = posix_spawnp(
            &process, words[0].cPath, &actions, &attributes, arguments + [nil],
            environment + [nil])
        return (error == 0 ? process : nil, error)
    }

    /// `POSIX_SPAWN_SETSID`, which `spawn.h` hides from strict callers; keeps ^C and ^Z on the terminal away from the child.
    private static let setsid: Int32 = 0x80

    /// Returns two connected descriptors, of which only those passed to `start` are inherited; nil with `errno` on failure.
    ///
    /// If any other program inherited the writer's end, the reader would not see the end of its input. Marking a pipe takes a second call,
    /// before which another thread may start one.
    static func channel() -> (reader: Int32, writer: Int32)? {
        var ends: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        return socketpair(AF_UNIX, type, 0, &ends) == 0 ? (ends[0], ends[1]) : nil
    }

    /// Reaps `process` in the background when it exits, so that it leaves no zombie.
    static func reap(_ process: pid_t) {
        DispatchQueue.global(qos: .background).asyncGuarded { _ = wait(for: process) }
    }

    /// Waits for `process` and returns its exit status as a shell does: 128 plus the signal's number for signals; blocks.
    ///
    /// When the terminal stops the child, this process stops too.
    static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while true {
            let ended = waitpid(process, &status, WUNTRACED)
            if ended < 0, errno == EINTR { continue }
            guard ended == process, status & 0xFF == 0x7F else { break }
            kill(getpid(), SIGSTOP)
            kill(process, SIGCONT)
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
    }
}
