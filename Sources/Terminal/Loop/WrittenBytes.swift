import Glibc

/// What this thread has written, as the kernel counts it: ncurses does not tell.
///
/// For tracing only.
enum WrittenBytes {
    /// Bytes handed to `write` by this thread since its start; 0 where the kernel does not count.
    static var now: Int {
        guard let file = fopen("/proc/thread-self/io", "re") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(
                decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text.hasPrefix("wchar: ") {
                return Int(text.dropFirst(7).prefix { $0.isNumber }) ?? 0
            }
        }
        return 0
    }
}
