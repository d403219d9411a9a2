import CText

/// The C library's heap; any thread.
public enum Heap {
    /// Limits malloc to two arenas for all threads; must be called before there are other threads.
    ///
    /// glibc otherwise gives each thread its own, up to eight per processor, and memory freed in one is of no use to the others: with
    /// caches that some threads fill and others empty, more is free than in use (213 MB against 75 MB after 13 minutes of `make soak`).
    public static func shareArenas() { mallopt(M_ARENA_MAX, 2) }

    /// Returns free pages to the kernel from anywhere in the heap; takes some milliseconds.
    public static func giveBack() { malloc_trim(0) }
}
