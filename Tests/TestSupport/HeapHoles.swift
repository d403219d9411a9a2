import Glibc

/// A fragmented heap, as a cache leaves it when all but a few entries are evicted.
public struct HeapHoles {
    /// The allocations still in use.
    public let kept: [[UInt8]]

    /// Allocates 256 MB in pieces too small to be mapped separately, and frees all but every 64th.
    public init() {
        var pieces = (0..<4096).map { [UInt8](repeating: UInt8($0 & 0xFF), count: 64 << 10) }
        kept = stride(from: 0, to: pieces.count, by: 64).map { pieces[$0] }
        pieces = []
    }

    /// Whether the heap is the C library's; sanitizers have their own.
    public static let areGivenBack =
        dlsym(nil, "__tsan_init") == nil && dlsym(nil, "__asan_init") == nil
}
