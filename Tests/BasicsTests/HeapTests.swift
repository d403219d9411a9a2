import Basics
import Glibc
import Testing

/// What the process holds of the kernel's memory.
@Suite struct HeapTests {
    /// Resident bytes of this process.
    private var resident: Int {
        let text = smallFile("/proc/self/statm", limit: 4096) ?? []
        let pages = text.split(separator: 0x20).dropFirst().first.flatMap {
            Int(String(decoding: $0, as: UTF8.self))
        }
        return (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }

    @Test("free memory between what is in use is given back", .enabled(if: !isSanitized))
    func giveBack() {
        // 256 MB in pieces that are no mappings of their own, of which every 64th stays.
        var pieces = (0..<4096).map { [UInt8](repeating: UInt8($0 & 0xFF), count: 64 << 10) }
        let kept = stride(from: 0, to: pieces.count, by: 64).map { pieces[$0] }
        pieces = []
        let before = resident
        Heap.giveBack()
        #expect(resident < before - 128 << 20)
        #expect(kept.allSatisfy { $0.count == 64 << 10 })
    }
}

/// A sanitizer has a heap of its own.
private let isSanitized =
    dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
