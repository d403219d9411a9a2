import Basics
import Glibc
import Pipeline
import Remote
import Terminal

/// The session that is shown.
///
/// nonisolated(unsafe): set before the handler that reads it is installed.
nonisolated(unsafe) private var shownSession: pid_t = 0

/// Another machine, where this program is brought by the system's `ssh`, to run there and show its pictures in this terminal.
///
/// `ssh` has its command read by the user's login shell there, and each shell has quotes of its own. So no name is in that command: arguments
/// are sent over standard input, and the scripts do without apostrophes, backslashes, exclamation marks and line breaks.
struct SSHHost {
    /// How the addresses begin.
    static let scheme = "ssh://"
    /// The first argument of a program whose others are in the file that the second one names.
    static let sentArguments = "--sent-arguments"

    /// The SOURCE, `ssh://[USER@]HOST[:PORT][/PATH]`, where `/~/` is the home folder.
    let source: String
    let options: Options
    let environment: Environment

    /// What tells about the terminal and its user; `ssh` by itself sends only `TERM`.
    private static let variables =
        "COLORTERM TERM_PROGRAM TERM_PROGRAM_VERSION VTE_VERSION KONSOLE_VERSION MLTERM NO_COLOR LANG LC_ALL LC_CTYPE"

    /// Runs the program there with `arguments`, in which the path there takes the place of the SOURCE, or removes it for `--forget-host`;
    /// returns the exit code.
    ///
    /// One connection serves two sessions: the first brings what is needed, keeps the connection for the second, which is shown, and removes
    /// all but the program once that, or this program, has ended.
    func run(_ arguments: [String]) throws(UsageError) -> Int32 {
        let (host, tail) = source.dropFirst(Self.scheme.count).halves(at: "/")
        let decoded = String(systemBytes: PercentEncoding.decode((tail ?? "~").systemBytes))
        let path = "\(decoded)/".hasPrefix("~/") ? ".\(decoded.dropFirst())" : "/\(decoded)"
        guard options.sources.count == 1, !path.contains("\0"), !host.contains(/:.*@/),
            [host, options.remoteProgram ?? host].allSatisfy(Self.isPlain)
        else {
            throw UsageError(
                quoting: source, "is not the one ssh://[USER@]HOST[:PORT]/PATH of plain names")
        }
        guard let folder = environment.socketFolder, let (end, own) = ChildProcess.channel(),
            let errors = OpenFile(temporaryIn: temporaryFolder)
        else {
            throw UsageError(quoting: source, "there is no private folder for its connection")
        }
        let number = "\(getpid())-\(time(nil))"
        let bytes =
            try options.mode == .forgetHost || options.remoteProgram != nil ? [] : portable()
        let program =
            options.remoteProgram
            ?? "\"$HOME\"/.cache/halftone/portable-\(ContentHash(of: bytes).text)"
        let preparation =
            options.mode == .forgetHost
            ? "rm -f portable-*; cd ..; rmdir halftone 2>/dev/null; exit 0"
            : bytes.isEmpty
                ? ":"
                : """
                own="Linux \(bytes.dropFirst(18).first == 183 ? "aarch64" : "x86_64")"; test "$own" = "$(uname -sm)" || \
                { echo "a program for $own cannot run on $(uname -sm)" >&2; exit 1; }; \
                test -x \(program) || { echo; echo program; head -c \(bytes.count) >new-\(number); \
                test $(wc -c <new-\(number)) -eq \(bytes.count) && chmod 700 new-\(number) && \
                ./new-\(number) --version >/dev/null && rm -f portable-* && mv new-\(number) \(program); } || exit
                """
        // Nothing is left there.
        let words =
            ["--no-state", "--no-cache"]
            + arguments.filter { $0 != "--" }.map { $0 == source ? path : $0 }
            + ["--config", ".cache/halftone/settings-\(number)"]
        let sent = words.joined(separator: "\0").systemBytes
        let settings = LooseValue.object(options.settings).json.bytes
        let answers = ["program": bytes, "words": sent, "settings": settings]
        let script = """
            sh -c 'umask 77; cd && mkdir -p .cache/halftone && cd .cache/halftone || exit; \
            trap "rm -f *-\(number)" 0; trap exit 1 2 13 15; \(preparation); echo; echo words; head -c \(sent.count) >words-\(number); \
            echo; echo settings; head -c \(settings.count) >settings-\(number); echo; echo ready; cat >/dev/null'
            """
        let ssh = [
            "ssh", "-C", "-oLogLevel=ERROR", "-oRemoteCommand=none", "-oControlPersist=no",
            "-S", "\(folder)/ssh-\(getpid())",
        ]
        let address = "\(Self.scheme)\(host)"
        // A host that is gone is told by the outcome.
        signal(SIGPIPE, SIG_IGN)
        let holder = ChildProcess(
            ssh + ["-MT", "--", address, script], [end, end, errors.descriptor], isDetached: false)
        close(end)
        var lines = RemoteLines(own)
        var line: String?
        repeat {
            line = lines.next()
            showProgress(line == "program" ? "Bringing halftone to \(host)" : "")
            _ = writeAll(answers[line ?? ""] ?? [], to: own)
        } while line != nil && line != "ready"
        guard line != nil else {
            guard let failure = holder.failure(saying: errors) else { return EXIT_SUCCESS }
            complain("\(source): \(failure); sftp\(source.dropFirst(3)) needs no program there")
            return EXIT_FAILURE
        }
        let isOnScreen = isatty(STDOUT_FILENO) == 1
        let variables = Self.variables.split(separator: " ").compactMap { name in
            environment.variables["\(name)"].map { "\(name)=\($0)" }
        }.filter(Self.isPlain).joined(separator: " ")
        let command =
            "exec env \(variables) \(program) \(Self.sentArguments) .cache/halftone/words-\(number)"
        let session = ChildProcess(
            ssh + [isOnScreen ? "-t" : "-T", "--", address, command],
            [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO], isDetached: false)
        shownSession = session.process ?? getpid()
        signal(SIGTERM) { _ = kill(shownSession, $0) }
        let status = session.outcome.status
        // What `ssh` returns when it has not heard how the program ended.
        if status == 255 {
            if isOnScreen { TerminalSession.giveBack(environment.variables) }
            complain("\(source): the connection has ended")
        }
        close(own)
        _ = holder.outcome
        return status
    }

    /// Whether it is some text that neither a shell nor `ssh` takes for anything else.
    private static func isPlain(_ text: String) -> Bool {
        PercentEncoding.encode(text.systemBytes, keeping: ":[]@%/+=") == text
            && !"@\(text)-".contains("@-")
    }

    /// Returns a program that runs on other machines, which this one does if it has brought its libraries along.
    private func portable() throws(UsageError) -> [UInt8] {
        let isPortable = dlsym(nil, "xmlInitParser") == nil
        let path =
            environment.variables["HALFTONE_PORTABLE"]
            ?? (isPortable ? environment.executable : "")
        guard let bytes = smallFile(path, limit: 1 << 27) else {
            throw UsageError(
                quoting: source,
                "needs HALFTONE_PORTABLE=FILE, which make portable makes: this program's libraries may not be there"
            )
        }
        return bytes
    }
}
