/// What a control group says of its memory: the process's own or one around it, whose limits count just as much.
///
/// Version 2: https://docs.kernel.org/admin-guide/cgroup-v2.html#memory; version 1:
/// https://docs.kernel.org/admin-guide/cgroup-v1/memory.html.
struct MemoryGroup: Sendable {
    /// Bytes in use beyond what the kernel takes back for the asking (file pages not used lately), by the least limit; 0 without one.
    var usedShare = 0.0
    /// Per cent of the last 10 seconds in which a process of the group waited for memory; 0 if unknown.
    var stallPercentage = 0.0

    /// The groups of this process, the innermost first; none where there are no control groups.
    static func all(root: String) -> [MemoryGroup] {
        guard let place = Place(textOfFile(root + "/proc/self/cgroup")) else { return [] }
        // A container sees its own group as the root of what is mounted, while the path may still be the host's.
        return (place.folders + [""]).map { folder in
            switch place.version {
            case .two: version2(in: root + "/sys/fs/cgroup" + folder)
            case .one: version1(in: root + "/sys/fs/cgroup/memory" + folder)
            }
        }
    }

    private static func version2(in folder: String) -> MemoryGroup {
        // "max" is no number: no limit.
        let limits = ["high", "max"].compactMap { number(folder + "/memory." + $0) }
        return MemoryGroup(
            usedShare: share(
                of: limits.min(), used: number(folder + "/memory.current"),
                stat: folder + "/memory.stat", reclaimable: "inactive_file"),
            stallPercentage: MemoryPressure.stallPercentage(
                in: textOfFile(folder + "/memory.pressure")))
    }

    private static func version1(in folder: String) -> MemoryGroup {
        MemoryGroup(
            usedShare: share(
                of: number(folder + "/memory.limit_in_bytes"),
                used: number(folder + "/memory.usage_in_bytes"),
                stat: folder + "/memory.stat", reclaimable: "total_inactive_file"))
    }

    private static func share(
        of limit: Int?, used: Int?, stat: String, reclaimable: String
    ) -> Double {
        // Version 1 says "no limit" with a number close to the largest; whatever is far beyond any machine is none.
        guard let limit, let used, limit > 0, limit < 1 << 60 else { return 0 }
        let lines = textOfFile(stat).split(separator: "\n")
        let line = lines.first { $0.hasPrefix(reclaimable + " ") }
        let inactive = line.flatMap { Int($0.dropFirst(reclaimable.utf8.count + 1)) } ?? 0
        return Double(max(0, used - inactive)) / Double(limit)
    }

    private static func number(_ path: String) -> Int? {
        Int(textOfFile(path).prefix { !$0.isWhitespace })
    }

    /// Where the process is in the hierarchy that counts memory.
    private struct Place {
        enum Version {
            case one
            case two
        }

        var version: Version
        /// Below the hierarchy's root, the innermost first: `/user.slice/session`, `/user.slice`.
        var folders: [String]

        /// Reads `/proc/self/cgroup`: lines of number, controllers, path, with colons between.
        init?(_ text: String) {
            let lines = text.split(separator: "\n").map {
                $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            }.filter { $0.count == 3 }
            // Where both are mounted, the one that lists the controller counts.
            if let line = lines.first(where: { $0[1].split(separator: ",").contains("memory") }) {
                self.init(.one, path: line[2])
            } else if let line = lines.first(where: { $0[0] == "0" && $0[1].isEmpty }) {
                self.init(.two, path: line[2])
            } else {
                return nil
            }
        }

        private init(_ version: Version, path: Substring) {
            self.version = version
            let names = path.split(separator: "/").filter { $0 != ".." }
            folders = (0..<names.count).map { "/" + names.dropLast($0).joined(separator: "/") }
        }
    }
}
