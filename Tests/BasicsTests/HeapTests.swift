import Basics
import Glibc
import TestSupport
import Testing

/// The resident memory of the process.
@Suite struct HeapTests {
    /// The resident size of this process in bytes.
    private var resident: Int {
        let text = smallFile("/proc/self/statm", limit: 4096) ?? []
        let pages = text.split(separator: 0x20).dropFirst().first.flatMap {
            Int(String(decoding: $0, as: UTF8.self))
        }
        return (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }

    @Test(
        "free memory between live allocations is returned to the system",
        .enabled(if: HeapHoles.areGivenBack))
    func giveBack() {
        let holes = HeapHoles()
        let before = resident
        Heap.giveBack()
        #expect(resident < before - 128 << 20)
        withExtendedLifetime(holes) {}
    }
}
