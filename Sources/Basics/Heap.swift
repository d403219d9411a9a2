import CText

/// The C library's heap; any thread.
public enum Heap {
    /// Has all threads share two arenas, before there are any.
    ///
    /// glibc gives each of them its own, up to eight a processor, and what a thread frees in one serves no other: caches that others empty
    /// and fill leave more free than is in use (after 13 minutes of `make soak` 213 MB beside 75).
    public static func shareArenas() { mallopt(M_ARENA_MAX, 2) }

    /// Returns free pages to the kernel, wherever they lie; takes some milliseconds.
    public static func giveBack() { malloc_trim(0) }
}
