import Basics
import Glibc

/// POSIX shared memory objects with pixels for a terminal on this machine, which removes each once it has read it.
struct SharedPixels {
    /// The latest objects made, with their sizes in bytes; older ones were read long ago.
    private var latest: [(name: String, bytes: Int)] = []
    private var count = 0

    /// More pictures and bytes than a screen has: what is not read by then never will be.
    private static let (mostUnread, mostBytes) = (200, 256 << 20)

    /// The object by which a terminal is asked whether it reads any.
    static let probe = "/halftone-\(getpid())-probe"

    /// Makes that object, of one pixel.
    static func offerProbe() { _ = make(probe, [0, 0, 0]) }

    /// Removes it if the terminal has not.
    static func withdrawProbe() { shm_unlink(probe) }

    /// Whether nobody has removed it.
    static var isProbeLeft: Bool {
        let file = shm_open(probe, O_RDONLY, 0)
        close(file)
        return file >= 0
    }

    /// Makes an object of `bytes` and returns its name; nil if the system does not allow it.
    mutating func make(_ bytes: [UInt8]) -> String? {
        count += 1
        let name = "/halftone-\(getpid())-\(count)"
        guard Self.make(name, bytes) else { return nil }
        latest.append((name, bytes.count))
        while latest.count > Self.mostUnread
            || latest.reduce(0, { $0 + $1.bytes }) > Self.mostBytes
        {
            shm_unlink(latest.removeFirst().name)
        }
        return name
    }

    /// Makes an object that only this user's programs can read; returns false, leaving nothing, if the system does not allow it.
    private static func make(_ name: String, _ bytes: [UInt8]) -> Bool {
        let file = shm_open(name, O_CREAT | O_EXCL | O_WRONLY, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard writeAll(bytes, to: file) == 0 else {
            shm_unlink(name)
            return false
        }
        return true
    }

    /// Removes all that have not been read.
    mutating func removeAll() {
        latest.forEach { shm_unlink($0.name) }
        latest = []
    }
}
