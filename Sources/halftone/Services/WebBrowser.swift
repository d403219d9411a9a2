import Browser
import Dispatch
import Glibc
import Network

/// The user's web browser: `$BROWSER`, else `xdg-open`.
///
/// Started without a shell, so that nothing in an address can mean anything to one, and cut off from the terminal.
struct WebBrowser: AddressOpening {
    /// The programs to try, in order, by name or path.
    let candidates: [String]

    /// Reads `$BROWSER`, a list separated by colons.
    init(variables: [String: String]) {
        let chosen = (variables["BROWSER"] ?? "").split(separator: ":").map(String.init)
        // `%s`, which some write for the address, and arguments are not supported.
        candidates = chosen.filter { !$0.contains(where: { " %".contains($0) }) } + ["xdg-open"]
    }

    func open(_ address: Address) -> String {
        guard ["http", "https", "file"].contains(address.scheme) else {
            return "only web pages and files can be opened"
        }
        var reason = ""
        for program in candidates {
            let error = Self.start(program, argument: address.text)
            if error == 0 { return "opened in \(program)" }
            reason = "\(program): \(String(cString: strerror(error)))"
        }
        return "not opened: \(reason)"
    }

    /// Starts `program` in a session of its own; the result is 0 or the error's number.
    private static func start(_ program: String, argument: String) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in STDIN_FILENO...STDERR_FILENO {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Signals ignored here, such as SIGPIPE, would stay ignored there.
        var standard = sigset_t()
        sigfillset(&standard)
        posix_spawnattr_setsigdefault(&attributes, &standard)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | setsid))
        let words: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(argument)]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, program, &actions, &attributes, words + [nil], environ)
        if error == 0 { reap(process) }
        return error
    }

    /// POSIX_SPAWN_SETSID of spawn.h, which it hides from strict callers: without the terminal, ^C and ^Z stay ours.
    private static let setsid: Int32 = 0x80

    /// Takes the end of `process` from the system, whenever it comes, so that no zombie stays.
    private static func reap(_ process: pid_t) {
        DispatchQueue.global(qos: .background).async {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
    }
}
