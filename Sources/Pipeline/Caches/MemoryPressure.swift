import Glibc

/// Tells when memory is short, for caches to shrink.
///
/// Asked, never telling: an idle program must not wake up. Reads a few small files of /proc and of the process's control group (about 20 µs
/// each); any thread.
public struct MemoryPressure: Sendable {
    /// Resident bytes of this process from which on its caches count as too large.
    public var residentLimit: Int
    /// Per cent of the last 10 seconds in which some process of the machine, or of the control group, waited for memory.
    ///
    /// At 10 % a reader notices; https://docs.kernel.org/accounting/psi.html tells how it is counted.
    public var stallLimit = 10.0
    /// The share of a control group's limit that may be in use.
    ///
    /// The kernel reclaims and throttles from `memory.high` on, and kills at `memory.max`; the tenth below is several screens of pictures in
    /// the smallest groups that a terminal program runs in.
    public var groupShare = 0.9
    /// Where `/proc` and `/sys` are, without a slash at its end; tests have their own.
    private let root: String

    /// Makes a reader with the limit for this process, in bytes.
    public init(residentLimit: Int) {
        self.init(residentLimit: residentLimit, root: "")
    }

    init(residentLimit: Int, root: String) {
        self.residentLimit = residentLimit
        self.root = root
    }

    /// Whether this process is too large, or its control group or the machine short of memory; false where nothing can be read.
    public var isHigh: Bool {
        if Self.residentBytes(root: root) > residentLimit { return true }
        if Self.stallPercentage(in: textOfFile(root + "/proc/pressure/memory")) > stallLimit {
            return true
        }
        return MemoryGroup.all(root: root).contains { group in
            group.usedShare > groupShare || group.stallPercentage > stallLimit
        }
    }

    /// Resident bytes of this process; 0 if unknown.
    public static var residentBytes: Int { residentBytes(root: "") }

    private static func residentBytes(root: String) -> Int {
        // Pages: size, resident, shared …
        let fields = textOfFile(root + "/proc/self/statm").split(separator: " ")
        let pages = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// The share of the last 10 seconds in which something waited for memory, in per cent; 0 if unknown.
    public static var stallPercentage: Double {
        stallPercentage(in: textOfFile("/proc/pressure/memory"))
    }

    /// Finds `some avg10=`, the first figure of the first line.
    static func stallPercentage(in text: String) -> Double {
        let fields = text.prefix { $0 != "\n" }.split(separator: " ")
        guard fields.count > 1, fields[0] == "some", fields[1].hasPrefix("avg10=") else { return 0 }
        return Double(fields[1].dropFirst("avg10=".count)) ?? 0
    }
}

/// The start of a file of the kernel's; empty if it cannot be read.
func textOfFile(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    // memory.stat has some 1,500 bytes.
    let bytes = [UInt8](unsafeUninitializedCapacity: 8192) { buffer, count in
        count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
    return String(decoding: bytes, as: UTF8.self)
}
