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

    /// Sends a value and bytes; false if the other side is gone, or memory is out.
    func send(_ value: some BitwiseCopyable, _ bytes: [UInt8] = []) -> Bool {
        let isWritten = bytes.withUnsafeBytes { bytes in
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
        guard isWritten else { return false }
        return withUnsafeBytes(of: Packet(count: bytes.count, value: value)) { packet in
            Glibc.send(socket, packet.baseAddress, packet.count, Int32(MSG_NOSIGNAL))
                == packet.count
        }
    }

    /// Waits for a value and bytes; nil if none come any more, or they are not in order: more than `limit`, or fewer than was said.
    ///
    /// Of a helper only values are taken of which every pattern of bits is one. The bytes are copied before anything looks at
    /// them, so that the other side cannot change them any more.
    func receive<Value: BitwiseCopyable>(
        _: Value.Type, atMost limit: Int = .max
    ) -> (value: Value, bytes: [UInt8])? {
        let size = MemoryLayout<Packet<Value>>.size
        let packet = withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
            var got: Int
            // What is longer ends here, and says that it was.
            repeat {
                got = recv(socket, buffer.baseAddress, size, Int32(MSG_TRUNC))
            } while got < 0 && errno == EINTR
            return got == size ? buffer.loadUnaligned(as: Packet<Value>.self) : nil
        }
        guard let packet, (0...limit).contains(packet.count) else { return nil }
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

    /// Whether there is something to receive, or never will be, within so many milliseconds.
    func isReady(in milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// Gives back memory that a large message has left: larger than most photographs.
    func giveBack() {
        var status = stat()
        if fstat(memory, &status) == 0, status.st_size > 8 << 20 { ftruncate(memory, 0) }
    }
}
