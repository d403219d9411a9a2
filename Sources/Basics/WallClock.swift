package import Glibc

/// Returns a time as nanoseconds, such as those of a file since 1970.
package func nanoseconds(_ time: timespec) -> Int {
    // A file system may report any time at all, so overflow must not trap.
    Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
}

/// Returns what one of the system's clocks shows, in nanoseconds.
package func reading(of clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return nanoseconds(time)
}

/// Returns the wall-clock time in nanoseconds since 1970.
public func realtimeNanoseconds() -> Int { reading(of: CLOCK_REALTIME) }

/// Returns a time, given in seconds since 1970, in UTC and in a `format` of strftime(3) that makes less than 32 bytes.
package func utcText(_ seconds: Int, _ format: String) -> String {
    var time = seconds
    var parts = tm()
    var text = [CChar](repeating: 0, count: 32)
    gmtime_r(&time, &parts)
    let length = strftime(&text, text.count, format, &parts)
    return String(utf8: text[..<length].lazy.map(UInt8.init(bitPattern:)))
}
