import Glibc
import Testing

@testable import Pipeline

@Suite struct MemoryPressureTests {
    @Test("the kernel's stall figure is parsed, and anything else counts as no pressure")
    func parses() {
        let text = """
            some avg10=12.50 avg60=3.00 avg300=1.00 total=123
            full avg10=99.00 avg60=0.00 avg300=0.00 total=0
            """
        #expect(MemoryPressure.stallPercentage(in: text) == 12.5)
        for other in ["", "some", "some avg60=3", "some avg10=x", "full avg10=9", "\n"] {
            #expect(MemoryPressure.stallPercentage(in: other) == 0)
        }
    }

    @Test("a process exceeding its limit is under pressure")
    func resident() {
        #expect(MemoryPressure.residentBytes > 1 << 20)
        #expect(MemoryPressure.residentBytes < 1 << 36)
        #expect(MemoryPressure(residentLimit: 1).isHigh(resident: 2))
        var relaxed = MemoryPressure(residentLimit: 1 << 40)
        relaxed.stallLimit = 101
        #expect(!relaxed.isHigh(resident: MemoryPressure.residentBytes))
    }
}

/// Control groups as described by files: shortened copies from real machines.
@Suite struct MemoryGroupTests {
    let folder = TemporaryFolder()

    private func isHigh() -> Bool {
        MemoryPressure(residentLimit: 1 << 40, root: folder.path).isHigh(resident: 0)
    }

    private func write(_ files: [String: String], below place: String) {
        for (name, text) in files {
            folder.write(text + "\n", to: place + "/" + name)
        }
    }

    @Test("the group's own limit applies, not counting reclaimable file pages")
    func own() {
        folder.write("0::/user.slice/user-1000.slice/session-2.scope\n", to: "proc/self/cgroup")
        let place = "sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope"
        write(
            [
                "memory.current": "1000000000", "memory.high": "max", "memory.max": "max",
                "memory.stat": "anon 300000000\ninactive_file 100000000\nactive_file 0",
                "memory.pressure": "some avg10=0.00 avg60=0.00 avg300=0.00 total=0",
            ], below: place)
        #expect(!isHigh())
        write(["memory.max": "999000000"], below: place)
        #expect(isHigh())
        write(["memory.max": "1010000000"], below: place)
        // 900 of 1,010: less than nine tenths.
        #expect(!isHigh())
        write(["memory.high": "950000000"], below: place)
        #expect(isHigh())
    }

    @Test("limits and stalls of enclosing groups apply too")
    func nested() {
        folder.write("0::/a/b/c\n", to: "proc/self/cgroup")
        write(
            ["memory.current": "10", "memory.max": "max", "memory.high": "max"],
            below: "sys/fs/cgroup/a/b/c")
        write(["memory.current": "95", "memory.max": "max"], below: "sys/fs/cgroup/a")
        #expect(!isHigh())
        write(["memory.max": "100"], below: "sys/fs/cgroup/a")
        #expect(isHigh())
        write(["memory.max": "1000"], below: "sys/fs/cgroup/a")
        write(
            ["memory.pressure": "some avg10=10.50 avg60=0.00 avg300=0.00 total=9"],
            below: "sys/fs/cgroup/a/b")
        #expect(isHigh())
    }

    @Test("in a container the group is at the root of the mount")
    func container() {
        folder.write("0::/docker/0123456789abcdef\n", to: "proc/self/cgroup")
        write(["memory.current": "95", "memory.max": "100"], below: "sys/fs/cgroup")
        #expect(isHigh())
    }

    @Test("unreadable files mean no pressure")
    func nonsense() {
        #expect(!isHigh())
        for text in ["", "\n", "::", "0::", "0::/../../etc", "4:memory:/a", "x:y:z"] {
            folder.write(text, to: "proc/self/cgroup")
            #expect(!isHigh(), "\(text)")
        }
        folder.write("0::/a\n", to: "proc/self/cgroup")
        write(["memory.current": "x", "memory.max": "-5"], below: "sys/fs/cgroup/a")
        #expect(!isHigh())
    }

    @Test("a real group containing this process reports a plausible share")
    func real() throws {
        let place = "/sys/fs/cgroup"
        let line = textOfFile("/proc/self/cgroup").split(separator: "\n").first {
            $0.hasPrefix("0::")
        }
        // Only root can create a group, and only where version 2 is mounted writable.
        guard let own = line.map({ place + $0.dropFirst("0::".count) }),
            case let group = own + "/halftone-test-\(getpid())", mkdir(group, 0o755) == 0
        else { return }
        defer { rmdir(group) }
        let usage = group.dropFirst(place.utf8.count)
        // The kernel's own files for a group that has not used any memory yet.
        folder.write("0::\(usage)\n", to: "proc/self/cgroup")
        mkdir(folder.path + "/sys", 0o700)
        mkdir(folder.path + "/sys/fs", 0o700)
        symlink("/sys/fs/cgroup", folder.path + "/sys/fs/cgroup")
        let groups = MemoryPressure(residentLimit: .max, root: folder.path).groups
        #expect(groups.count == usage.split(separator: "/").count + 1)
        #expect(groups.allSatisfy { (0...1.01).contains($0.usedShare) })
    }
}
