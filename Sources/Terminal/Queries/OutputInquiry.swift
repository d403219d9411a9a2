import Basics
import CNcurses
import Glibc
import Pipeline

extension TerminalSession {
    /// Queries the terminal on standard output, for output that stays on it (`--print`), unless `isAsking` is false: another program may
    /// be reading what it replies.
    ///
    /// Blocks until it has replied, at most 0.15 seconds, or 0.6 over SSH; but two if it began to reply or `environment` names a
    /// terminal that does, since its replies would else reach the shell. What it does not report is taken from `environment` and the
    /// system. Must be called before other threads start: signals that would end the
    /// program are held meanwhile. Nothing is written unless standard output is our controlling terminal.
    public nonisolated static func outputReport(
        environment: EnvironmentVariables, isAsking: Bool
    ) -> TerminalReport {
        var report = TerminalReport(environment: environment)
        if isAsking, let inquiry = OutputInquiry(environment: environment) { inquiry.run(&report) }
        report.cellAspect =
            report.cellAspect ?? TerminalDevice.cell(of: STDOUT_FILENO)?.aspect
        return report
    }
}

/// Queries to the terminal on standard output, outside a session.
private struct OutputInquiry {
    private let input: Int32
    private let environment: EnvironmentVariables

    /// How long, in seconds, GNU screen may still pass on colours after the fence.
    private static let grace = 0.02

    /// Creates the inquiry; nil if no terminal would reply, or the replies would reach another program.
    init?(environment: EnvironmentVariables) {
        guard TerminalQuery.isFit(for: environment.term), Self.isOurs(STDOUT_FILENO) else {
            return nil
        }
        input = Self.isOurs(STDIN_FILENO) ? STDIN_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard input >= 0 else { return nil }
        self.environment = environment
    }

    /// Returns whether `descriptor` is our controlling terminal and we are in the foreground; from the background, even
    /// changing its modes would stop the program.
    private static func isOurs(_ descriptor: Int32) -> Bool { tcgetpgrp(descriptor) == getpgrp() }

    func run(_ report: inout TerminalReport) {
        // Reading would take input away that was typed ahead for the shell.
        if !isReadable(for: 0) {
            withSignalsHeld { withTerminalQuiet { ask(&report) } }
        }
        if input != STDIN_FILENO { close(input) }
    }

    /// Returns whether the terminal replied to the last query.
    private func ask(_ report: inout TerminalReport) -> Bool {
        let questions = TerminalQuery.forOutput(environment: environment)
        guard writeAll(questions, to: STDOUT_FILENO) == 0 else { return false }
        var decoder = InputDecoder()
        var inquiry = Inquiry(
            report: report, timeout: TerminalQuery.timeout(environment: environment),
            isResponsive: TerminalProgram(environment: environment)?.known != nil)
        inquiry.begin(at: SteadyClock.now)
        var noticeTime = SteadyClock.now + Inquiry.noticeDelay
        var end = inquiry.lastCall
        while let deadline = end, case let now = SteadyClock.now, now < deadline {
            if now >= noticeTime {
                noticeTime = .infinity
                _ = writeAll(Inquiry.notice.bytes, to: STDOUT_FILENO)
            }
            guard isReadable(for: min(deadline, noticeTime) - now) else { continue }
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = read(input, &buffer, buffer.count)
            guard count > 0 else { break }
            for byte in buffer[..<count] { _ = decoder.character(Unicode.Scalar(byte), at: 0) }
            if decoder.tokenizer.isInReply { inquiry.noteBeginning() }
            decoder.replies.forEach { inquiry.note($0) }
            decoder.replies = []
            end = inquiry.lastCall ?? SteadyClock.now + Self.grace
            if inquiry.lastCall == nil, inquiry.report.hasColors { break }
        }
        if noticeTime == .infinity { _ = writeAll("\r\u{1B}[K".bytes, to: STDOUT_FILENO) }
        report = inquiry.report
        return inquiry.lastCall == nil
    }

    private func isReadable(for seconds: Double) -> Bool {
        Basics.isReadable(input, within: Int32((seconds * 1000).rounded(.up)))
    }

    /// Disables echo and line buffering, so that replies are neither shown nor held back; restores both afterwards.
    private func withTerminalQuiet(_ body: () -> Bool) {
        var before = termios()
        guard tcgetattr(input, &before) == 0 else { return }
        var quiet = before
        quiet.c_lflag &= ~tcflag_t(ECHO | ICANON)
        guard tcsetattr(input, TCSANOW, &quiet) == 0 else { return }
        let isAnswered = body()
        // Late replies are dropped as far as they have arrived.
        tcsetattr(input, isAnswered ? TCSADRAIN : TCSAFLUSH, &before)
    }

    /// Holds signals back, since `^C` at this moment would leave echo disabled.
    private func withSignalsHeld(_ body: () -> Void) {
        var held = sigset_t()
        sigemptyset(&held)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] { sigaddset(&held, number) }
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &held, &before)
        body()
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
