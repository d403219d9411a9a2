import Glibc

/// The clock of the file system, in nanoseconds since 1970.
enum FileClock {
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    /// Whether the file, or the list of a folder's files, has changed since that moment or is gone; blocks on the disk.
    static func hasChanged(_ path: String, since moment: Int) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno == ENOENT }
        return nanoseconds(status.st_ctim) > moment
    }

    private static func nanoseconds(_ time: timespec) -> Int {
        time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
