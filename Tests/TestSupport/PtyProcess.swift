import Basics
public import Glibc
public import Raster

/// A program in a pseudo-terminal, with an emulated screen of its output.
///
/// Everything happens on the caller's thread: the screen changes only within `wait…`. The program is killed when this is released.
public final class PtyProcess {
    /// How a program ended.
    public enum Exit: Equatable, Sendable {
        /// It exited with this code.
        case code(Int32)
        /// It was killed by a signal.
        case signal(Int32)

        /// Interprets the status from `waitpid`; the macros WIFSIGNALED and WEXITSTATUS are not imported.
        init(status: Int32) {
            let signal = status & 0x7F
            self = signal == 0 ? .code(status >> 8 & 0xFF) : .signal(signal)
        }
    }

    /// The terminal's screen.
    public let screen: ScreenEmulator
    /// The process id, while the process runs.
    public let identifier: pid_t
    /// The terminal's attributes before the program was started.
    public let attributesBefore: termios
    /// Everything the program has written, in order.
    public private(set) var output: [UInt8] = []
    private let terminal: PtyTerminal
    private let master: Int32
    /// Reused, since a terminal delivers its bytes in small pieces.
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var exit: Exit?
    private var isOpen = true
    /// Whether answers to the program's queries wait for `answer`.
    public var holdsAnswers: Bool
    /// The program's end, kept open so that unread input is not lost; -1 for terminals that never answer.
    private let held: Int32
    private let isUnderShell: Bool

    /// What a shell does for a program in the foreground, without taking the terminal back when that is stopped.
    private static let shell = """
        use POSIX; my $child = fork;
        if (!$child) {
            setpgid(0, 0); $SIG{TTOU} = "IGNORE"; tcsetpgrp(1, $$); $SIG{TTOU} = "DEFAULT"; exec @ARGV;
        }
        waitpid $child, 0; exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
        """

    /// A system call that failed while starting the program.
    public struct SystemError: Error {
        /// The name of the call.
        public var call: String
        /// Its errno.
        public var number: Int32
    }

    /// Starts `program` (a path) in a terminal of `size` with exactly `environment`.
    ///
    /// The terminal answers queries as specified by `answers`: while output is read, or with `holdsAnswers` on request. What is not
    /// `isUnderShell` is alone in its session, where nobody could continue it.
    public init(
        _ program: String, arguments: [String] = [], environment: [String: String],
        size: CellSize = CellSize(columns: 80, rows: 24), input: String? = nil,
        answers: TerminalAnswers? = nil, holdsAnswers: Bool = false, isUnderShell: Bool = false
    ) throws {
        terminal = try PtyTerminal(size: size)
        master = terminal.master
        screen = ScreenEmulator(size: size)
        screen.answers = answers
        self.holdsAnswers = holdsAnswers
        held = answers == nil ? -1 : terminal.open()
        attributesBefore = Self.attributes(of: terminal.master)
        self.isUnderShell = isUnderShell
        identifier = try terminal.spawn(
            isUnderShell ? "/usr/bin/perl" : program,
            arguments: (isUnderShell ? ["-e", Self.shell, program] : []) + arguments,
            environment: environment, input: input)
    }

    /// The process id of the program, also if a shell waits for it.
    private var program: pid_t {
        let path = "/proc/\(identifier)/task/\(identifier)/children"
        let children = isUnderShell ? smallFile(path, limit: 99) ?? [] : []
        return Int32(String(decoding: children.prefix { $0 != 0x20 }, as: UTF8.self)) ?? identifier
    }

    deinit {
        if exit == nil {
            kill(identifier, SIGKILL)
            var status: Int32 = 0
            waitpid(identifier, &status, 0)
        }
        if isOpen {
            close(master)
        }
        if held >= 0 {
            close(held)
        }
    }

    /// Types `text`.
    public func send(_ text: String) {
        send(Array(text.utf8))
    }

    /// Types a key some time after the program has read all earlier input, and waits as long afterwards, since bytes that are read together
    /// count as one key.
    public func sendAlone(_ key: String) {
        waitUntilRead()
        send(key)
        // While replies are expected, an escape character that a key follows within 0.1 s counts as Alt.
        waitUntilRead(pause: key == "\u{1B}" ? 0.2 : 0.02)
    }

    /// Waits until all input has been read, at most two minutes, and then for `pause` seconds: twice the program's minimum interval
    /// between two key presses.
    private func waitUntilRead(pause: Double = 0.02) {
        let own = terminal.open()
        defer { close(own) }
        let deadline = SteadyClock.now + 120
        var count: Int32 = 0
        // FIONREAD is not imported.
        while ioctl(own, 0x541B, &count) == 0, count > 0, SteadyClock.now < deadline {
            _ = pump(until: SteadyClock.now + 0.005)
        }
        let end = SteadyClock.now + pause
        while SteadyClock.now < end { _ = pump(until: end) }
    }

    /// Sends any number of `bytes` as terminal input, as fast as the program reads them.
    ///
    /// Meanwhile processes the program's output, to avoid a deadlock. Input not read within 5 seconds is dropped.
    public func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.prefix(1024).withUnsafeBytes {
                write(master, $0.baseAddress, $0.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                var entry = pollfd(fd: master, events: Int16(POLLIN | POLLOUT), revents: 0)
                guard errno == EAGAIN, poll(&entry, 1, 5000) > 0,
                    entry.revents & Int16(POLLHUP) == 0
                else { return }
                _ = pump(until: SteadyClock.now)
            }
        }
    }

    /// Sends the held answers to the program's queries so far.
    ///
    /// With `isPiecemeal` each byte is sent separately.
    public func answer(isPiecemeal: Bool = false) {
        let bytes = screen.takeAnswers()
        if isPiecemeal {
            bytes.forEach { send([$0]) }
        } else {
            send(bytes)
        }
    }

    /// Whether the last query of a batch (DA1) has been written, with answers to it held.
    public var hasQueried: Bool { screen.pendingAnswers.last == UInt8(ascii: "c") }

    /// Closes the terminal like a closed window; nothing can be read afterwards.
    public func hangUp() {
        close(master)
        isOpen = false
    }

    /// Sends a signal to the process.
    public func signal(_ number: Int32) {
        kill(program, number)
    }

    /// Changes the terminal's size; the kernel notifies the program.
    public func resize(to size: CellSize) {
        screen.resize(to: size)
        PtyTerminal.setSize(size, of: master)
    }

    /// Reads and returns input that the program has not read, which the terminal's next user would receive.
    ///
    /// Only for terminals that answer.
    public func takeUnreadInput() -> [UInt8] {
        guard held >= 0 else { return [] }
        var raw = Self.attributes(of: held)
        raw.c_lflag = 0
        tcsetattr(held, TCSANOW, &raw)
        let count = read(held, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : []
    }

    /// The terminal's current attributes.
    public var attributes: termios { Self.attributes(of: master) }

    private static func attributes(of terminal: Int32) -> termios {
        var attributes = termios()
        tcgetattr(terminal, &attributes)
        return attributes
    }

    /// Reads until `condition` holds for the screen; returns false after `seconds`, or if the program has ended.
    public func wait(
        seconds: Double = 120, until condition: (ScreenEmulator) -> Bool
    ) -> Bool {
        let deadline = SteadyClock.now + seconds
        while true {
            if condition(screen) { return true }
            guard SteadyClock.now < deadline, pump(until: deadline) else {
                return condition(screen)
            }
        }
    }

    /// Reads until the program has written nothing for `seconds`; returns the number of bytes read.
    @discardableResult public func waitForSilence(seconds: Double = 0.3) -> Int {
        let before = output.count
        while pump(until: SteadyClock.now + seconds) {}
        return output.count - before
    }

    /// Reads until the program has ended; returns nil after `seconds`.
    public func waitForExit(seconds: Double = 120) -> Exit? {
        let deadline = SteadyClock.now + seconds
        while exit == nil, SteadyClock.now < deadline {
            if !pump(until: min(deadline, SteadyClock.now + 0.02)) {
                reap()
            }
        }
        while pump(until: SteadyClock.now) {}
        return exit
    }

    /// Waits for the program to end without reading its output; returns nil after `seconds`.
    public func waitForExitUnread(seconds: Double = 120) -> Exit? {
        let deadline = SteadyClock.now + seconds
        while exit == nil, SteadyClock.now < deadline {
            poll(nil, 0, 5)
            reap()
        }
        return exit
    }

    /// Reads and processes available output once; returns false if nothing has come within `seconds`.
    public func readSome(seconds: Double = 120) -> Bool {
        pump(until: SteadyClock.now + seconds)
    }

    /// Returns whether the program is stopped, as after `^Z`; waits at most `seconds`.
    public func waitForStop(seconds: Double = 120) -> Bool {
        let deadline = SteadyClock.now + seconds
        while SteadyClock.now < deadline {
            var status: Int32 = 0
            if isUnderShell {
                let state = smallFile("/proc/\(program)/stat", limit: 4096) ?? []
                if String(decoding: state, as: UTF8.self).contains(") T ") { return true }
            } else if waitpid(identifier, &status, WUNTRACED | WNOHANG) == identifier {
                return status & 0xFF == 0x7F
            }
            _ = pump(until: SteadyClock.now + 0.02)
        }
        return false
    }

    /// Bytes that were read together.
    public struct Arrival {
        /// The time of arrival, in seconds of the monotonic clock.
        public var time: Double
        /// The bytes.
        public var bytes: [UInt8]
    }

    /// Reads until nothing has come for `silence` seconds, at most for `limit`, and processes the output only afterwards: to measure the
    /// program and not the emulator.
    ///
    /// `look` is called after each arrival has been processed, in order.
    public func replay(
        silence: Double, limit: Double, look: (Arrival, ScreenEmulator) -> Void
    ) {
        let end = SteadyClock.now + limit
        var arrivals: [Arrival] = []
        while let bytes = receive(until: min(end, SteadyClock.now + silence)) {
            arrivals.append(Arrival(time: SteadyClock.now, bytes: Array(bytes)))
        }
        for arrival in arrivals {
            output += arrival.bytes
            screen.feed(arrival.bytes)
            look(arrival, screen)
        }
    }

    /// Reads and processes output until `deadline`; returns false if nothing came.
    private func pump(until deadline: Double) -> Bool {
        guard let bytes = receive(until: deadline) else { return false }
        output += bytes
        screen.feed(bytes)
        if !holdsAnswers, !screen.pendingAnswers.isEmpty {
            answer()
        }
        return true
    }

    /// Reads available output until `deadline`; returns nil if nothing came.
    private func receive(until deadline: Double) -> ArraySlice<UInt8>? {
        // poll ignores a negative descriptor and just waits, as needed for a closed terminal.
        var entry = pollfd(fd: isOpen ? master : -1, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(max(0, (deadline - SteadyClock.now) * 1000).rounded(.up))
        guard poll(&entry, 1, milliseconds) > 0 else { return nil }
        let count = read(master, &buffer, buffer.count)
        return count > 0 ? buffer[..<count] : nil
    }

    private func reap() {
        var status: Int32 = 0
        guard waitpid(identifier, &status, WNOHANG) == identifier else { return }
        exit = Exit(status: status)
    }
}
