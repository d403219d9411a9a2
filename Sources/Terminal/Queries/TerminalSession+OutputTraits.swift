import Basics
import Glibc

/// Asking the terminal on standard output outside a session.
extension TerminalSession {
    /// Queries the terminal on standard output, for output that stays on it (`--print`), unless `isAsking` is false: another program may
    /// be reading what it replies.
    ///
    /// Blocks until it has replied, at most 0.15 seconds, or 0.6 over SSH; but two if it began to reply or `environment` names a
    /// terminal that does, since its replies would else reach the shell. What it does not report is taken from `environment` and the
    /// system. Must be called before other threads start: signals that would end the
    /// program are held meanwhile. Nothing is written unless standard output is our controlling terminal.
    public nonisolated static func outputTraits(
        environment: EnvironmentVariables, isAsking: Bool
    ) -> TerminalTraits {
        var traits = TerminalTraits(environment: environment)
        if isAsking, TerminalQuery.isFit(for: environment.term), isOurs(STDOUT_FILENO) {
            let input = isOurs(STDIN_FILENO) ? STDIN_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC)
            // Reading would take input away that was typed ahead for the shell.
            if !isReadable(input, within: 0) { askQuietly(input, environment, &traits) }
            if input != STDIN_FILENO { close(input) }
        }
        traits.cellAspect = traits.cellAspect ?? TerminalDevice.cell(of: STDOUT_FILENO)?.aspect
        return traits
    }

    /// Returns whether `descriptor` is our controlling terminal and we are in the foreground; from the background, even
    /// changing its modes would stop the program.
    private nonisolated static func isOurs(_ descriptor: Int32) -> Bool {
        tcgetpgrp(descriptor) == getpgrp()
    }

    /// Asks without echo and line buffering, so that replies are neither shown nor held back; restores both afterwards.
    private nonisolated static func askQuietly(
        _ input: Int32, _ environment: EnvironmentVariables, _ traits: inout TerminalTraits
    ) {
        var before = termios()
        guard tcgetattr(input, &before) == 0 else { return }
        // `^C` at this moment would leave echo disabled.
        var held = sigset_t()
        var unheld = sigset_t()
        sigemptyset(&held)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] { sigaddset(&held, number) }
        pthread_sigmask(SIG_BLOCK, &held, &unheld)
        defer { pthread_sigmask(SIG_SETMASK, &unheld, nil) }
        var quiet = before
        quiet.c_lflag &= ~tcflag_t(ECHO | ICANON)
        guard tcsetattr(input, TCSANOW, &quiet) == 0 else { return }
        let isAnswered = ask(input, environment, &traits)
        // Late replies are dropped as far as they have arrived.
        tcsetattr(input, isAnswered ? TCSADRAIN : TCSAFLUSH, &before)
    }

    /// Returns whether the terminal replied to the last query.
    private nonisolated static func ask(
        _ input: Int32, _ environment: EnvironmentVariables, _ traits: inout TerminalTraits
    ) -> Bool {
        guard writeAll(TerminalQuery.forOutput(environment: environment), to: STDOUT_FILENO) == 0
        else { return false }
        var decoder = InputDecoder()
        var queries = PendingQueries(
            traits: traits, timeout: TerminalQuery.timeout(environment: environment),
            isResponsive: TerminalProgram(environment: environment)?.known != nil)
        queries.begin(at: SteadyClock.now)
        var end = queries.lastCall
        let hasSaidSo = PendingQueries.wait(until: { end }) {
            _ = writeAll(PendingQueries.notice.bytes, to: STDOUT_FILENO)
        } reading: { milliseconds in
            guard isReadable(input, within: milliseconds) else { return true }
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = read(input, &buffer, buffer.count)
            guard count > 0 else { return false }
            for byte in buffer[..<count] { _ = decoder.character(Unicode.Scalar(byte), at: 0) }
            if decoder.tokenizer.isInReply { queries.noteBeginning() }
            decoder.replies.forEach { queries.note($0) }
            decoder.replies = []
            // GNU screen may still pass on colours for 20 milliseconds after the fence.
            end = queries.lastCall ?? (queries.traits.hasColors ? nil : SteadyClock.now + 0.02)
            return true
        }
        if hasSaidSo { _ = writeAll("\r\u{1B}[K".bytes, to: STDOUT_FILENO) }
        traits = queries.traits
        return queries.lastCall == nil
    }
}
