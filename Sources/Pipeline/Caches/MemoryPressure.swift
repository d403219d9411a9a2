import Glibc

/// Tells when memory is short, for caches to shrink.
///
/// Polled on insert, so that an idle process never wakes. Reads a few small files of /proc and of the process's control group (about 20 µs
/// each); any thread.
public struct MemoryPressure: Sendable {
    /// Resident bytes of this process from which on its caches count as too large.
    public var residentLimit: Int
    /// Per cent of the last 10 seconds in which some process of the machine, or of the control group, waited for memory.
    ///
    /// At 10 % a user notices; https://docs.kernel.org/accounting/psi.html tells how it is counted.
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
        if Self.stallPercentage(in: text("/proc/pressure/memory")) > stallLimit { return true }
        return groups.contains { $0.usedShare > groupShare || $0.stallPercentage > stallLimit }
    }

    /// Resident bytes of this process; 0 if unknown.
    public static var residentBytes: Int { residentBytes(root: "") }

    private static func residentBytes(root: String) -> Int {
        // Pages: size, resident, shared …
        let fields = textOfFile(root + "/proc/self/statm").split(separator: " ")
        let pages = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Finds `some avg10=`, the first figure of the first line; 0 if unknown.
    static func stallPercentage(in text: String) -> Double {
        let fields = text.prefix { $0 != "\n" }.split(separator: " ")
        guard fields.count > 1, fields[0] == "some", fields[1].hasPrefix("avg10=") else { return 0 }
        return Double(fields[1].dropFirst("avg10=".count)) ?? 0
    }

    // MARK: Control groups

    /// What is known of the group of this process and those around it, whose limits count just as much.
    var groups: [(usedShare: Double, stallPercentage: Double)] {
        guard let (isVersion2, folders) = groupFolders() else { return [] }
        // A container sees its own group as the root of what is mounted, while the path may still be the host's.
        return (folders + [""]).map {
            isVersion2
                ? version2("/sys/fs/cgroup" + $0) : (version1("/sys/fs/cgroup/memory" + $0), 0)
        }
    }

    // https://docs.kernel.org/admin-guide/cgroup-v2.html#memory
    private func version2(_ folder: String) -> (Double, Double) {
        // "max" is no number: no limit.
        let limits = ["high", "max"].compactMap { number(folder + "/memory." + $0) }
        let share = usedShare(
            of: limits.min(), used: number(folder + "/memory.current"),
            stat: folder + "/memory.stat", reclaimable: "inactive_file")
        return (share, Self.stallPercentage(in: text(folder + "/memory.pressure")))
    }

    // https://docs.kernel.org/admin-guide/cgroup-v1/memory.html
    private func version1(_ folder: String) -> Double {
        usedShare(
            of: number(folder + "/memory.limit_in_bytes"),
            used: number(folder + "/memory.usage_in_bytes"),
            stat: folder + "/memory.stat", reclaimable: "total_inactive_file")
    }

    /// The share in use beyond what the kernel takes back for the asking: file pages not used lately.
    private func usedShare(
        of limit: Int?, used: Int?, stat: String, reclaimable: String
    ) -> Double {
        // Version 1 says "no limit" with a number close to the largest; whatever is far beyond any machine is none.
        guard let limit, let used, limit > 0, limit < 1 << 60 else { return 0 }
        let line = text(stat).split(separator: "\n").first { $0.hasPrefix(reclaimable + " ") }
        let inactive = line.flatMap { Int($0.dropFirst(reclaimable.utf8.count + 1)) } ?? 0
        return Double(max(0, used - inactive)) / Double(limit)
    }

    /// The group of this process and those around it, the innermost first: `/user.slice/session`, `/user.slice`; nil without groups.
    private func groupFolders() -> (isVersion2: Bool, folders: [String])? {
        // Lines of number, controllers, path, with colons between.
        let lines = text("/proc/self/cgroup").split(separator: "\n").map {
            $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        }.filter { $0.count == 3 }
        // Where both versions are mounted, the one that lists the controller counts.
        let version1 = lines.first { $0[1].split(separator: ",").contains("memory") }
        let version2 = lines.first { $0[0] == "0" && $0[1].isEmpty }
        guard let line = version1 ?? version2 else { return nil }
        let names = line[2].split(separator: "/").filter { $0 != ".." }
        let folders = (0..<names.count).map { "/" + names.dropLast($0).joined(separator: "/") }
        return (version1 == nil, folders)
    }

    private func number(_ path: String) -> Int? {
        Int(text(path).prefix { !$0.isWhitespace })
    }

    private func text(_ path: String) -> String { textOfFile(root + path) }
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
