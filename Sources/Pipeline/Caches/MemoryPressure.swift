import Basics
import Glibc

/// Detects that memory is short, so that caches can shrink.
///
/// Polled on insertion, so that an idle process never wakes. Reads a few small files of /proc and of the process's control group (about 20
/// µs each); usable from any thread.
public struct MemoryPressure: Sendable {
    /// The resident size of this process in bytes above which its caches are too large.
    var residentLimit: Int
    /// Percentage of the last 10 seconds during which some process of the machine, or of the control group, was stalled on memory.
    ///
    /// At 10 % a user notices; see https://docs.kernel.org/accounting/psi.html for the definition.
    public var stallLimit = 10.0
    /// The share of a control group's memory limit that may be in use.
    ///
    /// The kernel reclaims and throttles above `memory.high`, and kills at `memory.max`; the remaining tenth is several screens of pictures
    /// in the smallest groups that a terminal program runs in.
    public var groupShare = 0.9
    /// The tiles added to a cache between checks, starting with the first: 64 are a screenful, and a check costs less than a tenth of drawing
    /// one tile.
    public static let insertionsPerLook = 64
    /// The prefix of `/proc` and `/sys`, without a trailing slash; tests use their own.
    private let root: String

    /// Creates a reader with the limit for this process in bytes.
    package init(residentLimit: Int, root: String = "") {
        self.residentLimit = residentLimit
        self.root = root
    }

    /// Returns whether this process, with `resident` bytes, is too large, or its control group or the machine is short of memory; false if
    /// nothing can be read.
    public func isHigh(resident: Int) -> Bool {
        resident > residentLimit
            || Self.stallPercentage(in: text("/proc/pressure/memory")) > stallLimit
            || groups.contains { $0.usedShare > groupShare || $0.stallPercentage > stallLimit }
    }

    /// The resident size of this process in bytes; 0 if unknown.
    public static var residentBytes: Int {
        // The fields are counts of pages: size, resident, shared …
        let fields = textOfFile("/proc/self/statm").split(separator: " ")
        let pages = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Returns the value of `some avg10=`, the first figure of the first line; 0 if unknown.
    static func stallPercentage(in text: String) -> Double {
        let name = "some avg10="
        guard text.hasPrefix(name) else { return 0 }
        return Double(text.dropFirst(name.count).prefix { !$0.isWhitespace }) ?? 0
    }

    /// The memory use of this process's control group and its ancestors, whose limits apply just as much.
    var groups: [(usedShare: Double, stallPercentage: Double)] {
        // The line of version 2 has the number 0 and no controllers.
        let line = text("/proc/self/cgroup").split(separator: "\n").first { $0.hasPrefix("0::") }
        guard let names = line?.split(separator: "/").dropFirst().filter({ $0 != ".." }) else {
            return []
        }
        // The innermost first; in a container, its own group is mounted as the root, while the path may still be the host's.
        return (0...names.count).map { count in
            let place = (["/sys/fs/cgroup"] + names.dropLast(count)).joined(separator: "/")
            let pressure = text(place + "/memory.pressure")
            return (usedShare(in: place + "/memory."), Self.stallPercentage(in: pressure))
        }
    }

    /// Returns the share of a group's limit in use, without inactive file pages, which the kernel can reclaim at once.
    ///
    /// https://docs.kernel.org/admin-guide/cgroup-v2.html#memory
    private func usedShare(in prefix: String) -> Double {
        // Without a limit, "max" is reported, which is not a number.
        guard let limit = ["high", "max"].compactMap({ number(prefix + $0) }).min(), limit > 0,
            let used = number(prefix + "current")
        else { return 0 }
        let name = "inactive_file "
        let line = text(prefix + "stat").split(separator: "\n").first { $0.hasPrefix(name) }
        let inactive = line.flatMap { Int($0.dropFirst(name.utf8.count)) } ?? 0
        return Double(max(0, used - inactive)) / Double(limit)
    }

    private func number(_ path: String) -> Int? { Int(text(path).prefix { !$0.isWhitespace }) }

    private func text(_ path: String) -> String { textOfFile(root + path) }
}

/// Returns the contents of a small kernel file; empty if it cannot be read.
func textOfFile(_ path: String) -> String {
    String(utf8: smallFile(path, limit: 1 << 16) ?? [])
}
