import Glibc

/// What a cache leaves behind that was emptied but for a few entries: free memory between what is in use.
public struct HeapHoles {
    /// What is in use.
    public let kept: [[UInt8]]

    /// Makes and frees 256 MB, in pieces that are no mappings of their own, of which every 64th stays.
    public init() {
        var pieces = (0..<4096).map { [UInt8](repeating: UInt8($0 & 0xFF), count: 64 << 10) }
        kept = stride(from: 0, to: pieces.count, by: 64).map { pieces[$0] }
        pieces = []
    }

    /// Whether the heap is the C library's: a sanitizer has one of its own.
    public static let areGivenBack =
        dlsym(nil, "__tsan_init") == nil && dlsym(nil, "__asan_init") == nil
}
