package import Glibc

/// Another program, started without a shell, so that nothing in its arguments is interpreted, or one that could not be.
package struct ChildProcess: Sendable {
    /// The process; nil if it could not be started.
    package let process: pid_t?
    private let error: Int32
    private let name: String
    private let isDetached: Bool

    /// Starts `words`, a program's name or path and its arguments; `descriptors` are its standard input, output and error (nil for
    /// `/dev/null`), `isDetached` gives it a session of its own, and `variables` are added to its environment.
    package init(
        _ words: [String], _ descriptors: [Int32?], isDetached: Bool = true,
        variables: [String: String] = [:]
    ) {
        name = words[0].oneLine(limit: 60)
        self.isDetached = isDetached
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
            Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (isDetached ? Self.setsid : 0)))
        let arguments = words.map { strdup($0.cPath) }
        let added = variables.map { strdup("\($0.key)=\($0.value)".cPath) }
        defer { (arguments + added).forEach { free($0) } }
        var environment = added
        var entry = environ
        while let pointer = entry.pointee {
            // Of two with one name a shell takes the other.
            if variables[String(cString: pointer).halves(at: "=").head] == nil {
                environment.append(pointer)
            }
            entry += 1
        }
        var process: pid_t = 0
        error = posix_spawnp(
            &process, words[0].cPath, &actions, &attributes, arguments + [nil],
            environment + [nil])
        self.process = error == 0 ? process : nil
    }

    /// `POSIX_SPAWN_SETSID`, which `spawn.h` hides from strict callers; keeps ^C and ^Z on the terminal away from the child.
    private static let setsid: Int32 = 0x80

    /// Returns two connected descriptors, of which only those passed to a program are inherited; nil with `errno` on failure.
    ///
    /// If any other program inherited the writer's end, the reader would not see the end of its input. Marking a pipe takes a second call,
    /// before which another thread may start one.
    package static func channel() -> (reader: Int32, writer: Int32)? {
        var ends: [Int32] = [0, 0]
        return socketpair(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
            ? (ends[0], ends[1]) : nil
    }

    /// Its exit status as a shell has it, 128 plus the signal's number for signals, or -1 if it could not be started, and one line about
    /// it; blocks until it ends.
    ///
    /// When the terminal stops the child, this process stops too, unless the child is detached.
    package var outcome: (status: Int32, text: String) {
        guard let process else {
            let reason =
                error == E2BIG ? "these are more names than the system takes" : systemReason(error)
            return (-1, "\(name): \(reason)")
        }
        var status: Int32 = 0
        while true {
            let ended = waitpid(process, &status, isDetached ? 0 : WUNTRACED)
            if ended < 0, errno == EINTR { continue }
            guard ended == process, status & 0xFF == 0x7F else { break }
            kill(getpid(), SIGSTOP)
            kill(process, SIGCONT)
        }
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
        return (code, code == 0 ? "\(name) has ended" : "\(name) ended with \(code)")
    }

    /// Ends a process with this program, however that ends.
    package struct Leash: Sendable {
        fileprivate let watcher: ChildProcess?
        fileprivate let life: Int32

        /// Lets go of a process that has ended by itself, or `ends` it and all that it has started.
        ///
        /// Blocks until that is done. What is ended must not have been waited for: its number could be another's by then.
        package func release(ends: Bool) {
            if !ends { watcher?.process.map { _ = kill($0, SIGKILL) } }
            close(life)
            _ = watcher?.outcome
        }
    }

    /// Has it killed with all that it has started, once this program or the leash is gone, and `folder` removed, if any.
    package func leash(removing folder: String = "") -> Leash {
        guard let process, let (end, life) = Self.channel() else {
            return Leash(watcher: nil, life: -1)
        }
        // What has just been killed may still be writing there.
        let script =
            "read x; kill -9 -\(process); for i in 1 2 3 4 5 6 7 8 9; "
            + "do rm -rf \"$0\" && exit; sleep 0.2; done"
        let watcher = ChildProcess(["sh", "-c", script, folder], [end, nil, nil])
        close(end)
        return Leash(watcher: watcher, life: life)
    }

    /// Returns one line about its failure, with the last of `words`, which it has written; nil if it succeeds.
    ///
    /// Blocks until it ends.
    package func failure(saying words: OpenFile?) -> String? {
        let (status, text) = outcome
        guard status != 0 else { return nil }
        let last = words.map { words in
            words.piece(at: max(0, Int(lseek(words.descriptor, 0, SEEK_END)) - 4096))
        }
        return String(utf8: last ?? []).split(whereSeparator: \.isNewline).last
            .map { "\(text): \(String($0).oneLine(limit: 200))" } ?? text
    }
}
