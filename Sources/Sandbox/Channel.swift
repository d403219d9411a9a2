import CSandbox
import Glibc

/// One end of what joins the program and a helper: a socket for values of a fixed size, and memory for bytes.
struct Channel: Sendable {
    /// A value as it lies in memory: both sides are the same program.
    private struct Packet<Value: BitwiseCopyable>: BitwiseCopyable {
        var count: Int
        var value: Value
    }

    let socket: Int32
    let memory: Int32

    /// In a helper, or the program: sends a value and bytes; false if the other side is gone, or memory is out.
    func send(_ value: some BitwiseCopyable, _ bytes: [UInt8] = []) -> Bool {
        guard write(bytes) else { return false }
        return withUnsafeBytes(of: Packet(count: bytes.count, value: value)) { packet in
            Glibc.send(socket, packet.baseAddress, packet.count, Int32(MSG_NOSIGNAL))
                == packet.count
        }
    }

    /// In the program: sends a value, and `file`, whose first `count` bytes need no copy then.
    func send(_ value: some BitwiseCopyable, count: Int, of file: Int32) -> Bool {
        withUnsafeBytes(of: Packet(count: count, value: value)) { packet in
            halftone_send(socket, packet.baseAddress, packet.count, [file], 1)
        }
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = pwrite(
                    memory, bytes.baseAddress.map { $0 + written }, bytes.count - written,
                    off_t(written))
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    /// In the program: waits for a value and bytes; nil if none come any more, or they are not in order: more than `limit`, or
    /// fewer than was said.
    ///
    /// Of a helper only values are taken of which every pattern of bits is one. The bytes are copied before anything looks at
    /// them, so that the other side cannot change them any more.
    func receive<Value: BitwiseCopyable>(
        _: Value.Type, atMost limit: Int
    ) -> (value: Value, bytes: [UInt8])? {
        guard let packet = packet(of: Value.self, with: nil), (0...limit).contains(packet.count)
        else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: packet.count) { buffer, count in
            while count < packet.count {
                let got = pread(
                    memory, buffer.baseAddress.map { $0 + count }, packet.count - count,
                    off_t(count))
                guard got > 0 else { return }
                count += got
            }
        }
        return bytes.count == packet.count ? (packet.value, bytes) : nil
    }

    /// In a helper: waits for a value, and bytes that stay where they are, until an answer is sent; nil if none come any more.
    func receive<Value: BitwiseCopyable>(
        _: Value.Type, in view: inout MemoryView
    ) -> (value: Value, bytes: UnsafeBufferPointer<UInt8>)? {
        var file: Int32 = -1
        guard let packet = packet(of: Value.self, with: &file),
            let bytes = file < 0
                ? view.bytes(packet.count) : view.bytes(packet.count, of: file)
        else { return nil }
        return (packet.value, bytes)
    }

    private func packet<Value: BitwiseCopyable>(
        of _: Value.Type, with file: UnsafeMutablePointer<Int32>?
    ) -> Packet<Value>? {
        let size = MemoryLayout<Packet<Value>>.size
        return withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
            halftone_receive(socket, buffer.baseAddress, size, file, file == nil ? 0 : 1)
                ? buffer.loadUnaligned(as: Packet<Value>.self) : nil
        }
    }

    /// Whether there is something to receive, or never will be, within so many milliseconds.
    func isReady(in milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// Gives back memory that a large message has left: larger than most photographs.
    func giveBack() {
        var status = stat()
        if fstat(memory, &status) == 0, status.st_size > MemoryView.mostKept {
            ftruncate(memory, 0)
        }
    }
}

/// What a helper sees of the memory, mapped as far as was needed yet, and of a file that it was handed: what is decoded where
/// it lies is not copied, nor are the memory's pages looked for again.
struct MemoryView: ~Copyable {
    /// Larger than most photographs; what more a file needed is given back after it.
    static let mostKept = 8 << 20

    private let memory: Int32
    private var mapped = UnsafeRawBufferPointer(start: nil, count: 0)
    private var file = UnsafeRawBufferPointer(start: nil, count: 0)

    init(_ memory: Int32) { self.memory = memory }

    /// The first ones, as the program has written them; nil if there is no room for so many.
    mutating func bytes(_ count: Int) -> UnsafeBufferPointer<UInt8>? {
        if count > mapped.count {
            release(beyond: 0)
            // Twice as many each time, so that it is seldom done.
            let size = max(1 << 20, 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount))
            let start = mmap(nil, size, PROT_READ, MAP_SHARED | MAP_POPULATE, memory, 0)
            guard let start, start != MAP_FAILED else { return nil }
            mapped = UnsafeRawBufferPointer(start: start, count: size)
        }
        return UnsafeRawBufferPointer(rebasing: mapped[..<count]).bindMemory(to: UInt8.self)
    }

    /// The first ones of `file`, which is closed; nil if it cannot be mapped.
    ///
    /// Whoever makes it shorter meanwhile ends this process.
    mutating func bytes(_ count: Int, of file: Int32) -> UnsafeBufferPointer<UInt8>? {
        defer { close(file) }
        var start = mmap(nil, count, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0)
        if start == MAP_FAILED {
            // Not every file system has its files mapped.
            start = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard start != MAP_FAILED, pread(file, start, count, 0) == count else { return nil }
        }
        guard let start else { return nil }
        self.file = UnsafeRawBufferPointer(start: start, count: count)
        return self.file.bindMemory(to: UInt8.self)
    }

    /// Unmaps the file, and the memory if it is larger than `limit` bytes.
    mutating func release(beyond limit: Int = mostKept) {
        if !file.isEmpty {
            munmap(UnsafeMutableRawPointer(mutating: file.baseAddress), file.count)
            file = UnsafeRawBufferPointer(start: nil, count: 0)
        }
        guard mapped.count > limit else { return }
        munmap(UnsafeMutableRawPointer(mutating: mapped.baseAddress), mapped.count)
        mapped = UnsafeRawBufferPointer(start: nil, count: 0)
    }
}
