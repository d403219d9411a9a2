import Glibc
import Raster
import TestSupport
import Testing

@testable import Terminal

/// Output to a terminal that accepts bytes when the test reads.
@MainActor @Suite struct TerminalOutputTests {
    private let master: Int32
    private let slave: Int32
    private let output: TerminalOutput
    /// More than the kernel buffers: a frame's cells, each with its own colours.
    private let frame: [UInt8] = (0..<4000).flatMap {
        Array("\u{1B}[38;2;\($0 % 256);7;9;48;2;1;2;\($0 / 256)m▀".utf8)
    }

    init() throws {
        let terminal = try PtyTerminal(size: CellSize(columns: 80, rows: 24))
        master = terminal.master
        slave = terminal.open()
        try #require(slave >= 0)
        var raw = termios()
        cfmakeraw(&raw)
        tcsetattr(slave, TCSANOW, &raw)
        output = TerminalOutput(terminal: slave)
    }

    /// Reads until nothing is left, letting the output continue meanwhile.
    private func readAll() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, output.isIdle ? 50 : 5000) > 0 {
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
            output.drain()
        }
        return bytes
    }

    @Test("output sent while the terminal is full arrives later, complete and in order")
    func order() {
        output.send(frame: [frame])
        #expect(!output.isIdle)
        output.send(Array("after".utf8))
        #expect(readAll() == frame + Array("after".utf8))
        #expect(output.isIdle)
        #expect(output.total == frame.count + 5)
        #expect(output.blocked > 0)
    }

    @Test("a frame is cut only between sequences, and output sent around it is kept")
    func cutting() throws {
        output.send(Array("before".utf8))
        output.send(frame: [frame])
        output.send(Array("after".utf8))
        #expect(output.cutFrame())
        #expect(!output.cutFrame())
        let read = readAll()
        try #require(read.starts(with: "before".utf8))
        try #require(read.suffix(5) == Array("after".utf8)[...])
        let part = read.dropFirst(6).dropLast(5)
        #expect(part.count < frame.count)
        #expect(frame.starts(with: part))
        #expect(frame[part.count] == 0x1B)
    }

    @Test("a terminal that accepts nothing is given up, and the rest is discarded")
    func givingUp() {
        output.send(frame: [frame])
        output.finish(timeout: 0.01)
        #expect(output.isIdle)
        #expect(!output.cutFrame())
    }

    @Test("output to a terminal that is gone is discarded")
    func gone() {
        output.send(frame: [frame])
        close(master)
        // A process being started by another test also holds our end until it executes its program.
        var entry = pollfd(fd: slave, events: 0, revents: 0)
        #expect(poll(&entry, 1, 300_000) == 1)
        output.drain()
        #expect(output.isIdle)
        output.send(frame: [frame])
        #expect(output.isIdle)
        #expect(!output.cutFrame())
    }
}
