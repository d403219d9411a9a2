#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Tells when memory is short, for caches to shrink.
///
/// Asked, never telling: an idle program must not wake up. Reads two small files of /proc (about 20 µs); any thread.
public struct MemoryPressure: Sendable {
    /// Resident bytes of this process from which on its caches count as too large.
    public var residentLimit: Int
    /// Per cent of the last 10 seconds in which some process of the machine waited for memory.
    ///
    /// At 10 % a reader notices; https://docs.kernel.org/accounting/psi.html tells how it is counted.
    public var stallLimit = 10.0

    /// Makes a reader with the limit for this process, in bytes.
    public init(residentLimit: Int) {
        self.residentLimit = residentLimit
    }

    /// Whether this process is too large or the machine short of memory; false where neither can be read.
    public var isHigh: Bool {
        Self.residentBytes > residentLimit || Self.stallPercentage > stallLimit
    }

    /// Resident bytes of this process; 0 if unknown.
    public static var residentBytes: Int {
        // Pages: size, resident, shared …
        let fields = text(of: "/proc/self/statm").split(separator: " ")
        let pages = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// The share of the last 10 seconds in which something waited for memory, in per cent; 0 if unknown.
    public static var stallPercentage: Double {
        stallPercentage(in: text(of: "/proc/pressure/memory"))
    }

    /// Finds `some avg10=`, the first figure of the first line.
    static func stallPercentage(in text: String) -> Double {
        let fields = text.prefix { $0 != "\n" }.split(separator: " ")
        guard fields.count > 1, fields[0] == "some", fields[1].hasPrefix("avg10=") else { return 0 }
        return Double(fields[1].dropFirst("avg10=".count)) ?? 0
    }

    private static func text(of path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 512) { buffer, count in
            count = max(0, read(file, buffer.baseAddress, buffer.count))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
