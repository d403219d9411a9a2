import Basics
import CSandbox
import Glibc

/// One end of the connection between the program and a helper: a socket for values of a fixed size, and shared memory for bytes.
struct Channel: Sendable {
    /// A value in its in-memory layout, as both sides run the same executable.
    private struct Packet<Value: BitwiseCopyable>: BitwiseCopyable {
        var count: Int
        var value: Value
    }

    let socket: Int32
    let memory: Int32

    /// In a helper or the program: sends a value and bytes; false if the peer is gone, or the memory cannot hold them.
    ///
    /// - Parameter file: In the program, a file that begins with `bytes`, which then need not be copied.
    func send(_ value: some BitwiseCopyable, _ bytes: [UInt8] = [], in file: Int32? = nil) -> Bool {
        guard file != nil || write(bytes) else { return false }
        return withUnsafeBytes(of: Packet(count: bytes.count, value: value)) { packet in
            file.map { halftone_send(socket, packet.baseAddress, packet.count, [$0], 1) }
                ?? (Glibc.send(socket, packet.baseAddress, packet.count, Int32(MSG_NOSIGNAL))
                    == packet.count)
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

    /// In the program: waits for a value and bytes; nil if the peer is gone or the message is malformed: more than `limit` bytes, or fewer
    /// than announced.
    ///
    /// Only value types for which every bit pattern is valid may be received from a helper. The bytes are copied before anything reads
    /// them, so that the other side can no longer change them.
    func receive<Value: BitwiseCopyable>(
        _: Value.Type, atMost limit: Int
    ) -> (value: Value, bytes: [UInt8])? {
        guard let packet = packet(of: Value.self, with: nil), (0...limit).contains(packet.count)
        else { return nil }
        let bytes = readBytes(packet.count, at: 0, of: memory)
        return bytes.count == packet.count ? (packet.value, bytes) : nil
    }

    /// In a helper: waits for a value, and bytes that stay in place until an answer is sent; nil if the peer is gone.
    func receive<Value: BitwiseCopyable>(
        _: Value.Type, in view: inout MemoryView
    ) -> (value: Value, bytes: Bytes)? {
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

    /// Truncates the shared memory if a large message has left it larger than most photographs need.
    func giveBack() {
        var status = stat()
        if fstat(memory, &status) == 0, status.st_size > MemoryView.maxKept {
            ftruncate(memory, 0)
        }
    }
}

/// A helper's view of the shared memory, mapped as needed so far, and of a file passed to it: data is decoded in place, without a copy and
/// without faulting the memory's pages in again.
struct MemoryView: ~Copyable {
    /// The size in bytes up to which the mapping is kept between requests: larger than most photographs.
    static let maxKept = 8 << 20
    private static var nothing: UnsafeRawBufferPointer { .init(start: nil, count: 0) }

    private let memory: Int32
    private var mapped = Self.nothing
    private var file = Self.nothing
    /// The file passed last, until it is released; negative if there is none.
    private(set) var descriptor: Int32 = -1

    init(_ memory: Int32) { self.memory = memory }

    /// Returns the first `count` bytes of the shared memory; nil if they cannot be mapped.
    mutating func bytes(_ count: Int) -> Bytes? {
        if count > mapped.count {
            release(beyond: 0)
            // The size doubles each time, so that remapping is rare.
            let size = max(1 << 20, 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount))
            let start = mmap(nil, size, PROT_READ, MAP_SHARED | MAP_POPULATE, memory, 0)
            guard let start, start != MAP_FAILED else { return nil }
            mapped = UnsafeRawBufferPointer(start: start, count: size)
        }
        return UnsafeRawBufferPointer(rebasing: mapped[..<count]).bindMemory(to: UInt8.self)
    }

    /// Returns the first `count` bytes of `file`, which stays open; nil if they can be neither mapped nor read.
    ///
    /// If the file is truncated meanwhile, reading them kills this process.
    mutating func bytes(_ count: Int, of file: Int32) -> Bytes? {
        descriptor = file
        var start = mmap(nil, count, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0)
        if start == MAP_FAILED {
            // Some file systems do not support mapping.
            start = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard start != MAP_FAILED, pread(file, start, count, 0) == count else { return nil }
        }
        guard let start else { return nil }
        self.file = UnsafeRawBufferPointer(start: start, count: count)
        return self.file.bindMemory(to: UInt8.self)
    }

    /// Closes and unmaps the file, and also unmaps the shared memory if more than `limit` bytes are mapped.
    mutating func release(beyond limit: Int = maxKept) {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        if !file.isEmpty {
            munmap(UnsafeMutableRawPointer(mutating: file.baseAddress), file.count)
            file = Self.nothing
        }
        guard mapped.count > limit else { return }
        munmap(UnsafeMutableRawPointer(mutating: mapped.baseAddress), mapped.count)
        mapped = Self.nothing
    }
}
