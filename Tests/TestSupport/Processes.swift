public import Glibc

/// Returns the child processes of `parent`'s first thread that it has not waited for.
public func children(of parent: pid_t) -> [pid_t] {
    firstLine(of: "/proc/\(parent)/task/\(parent)/children").split(separator: " ")
        .compactMap { pid_t($0) }
}

/// Returns whether a process is still running; one that has ended may keep its pid for a while.
public func isRunning(_ process: pid_t) -> Bool {
    let state = firstLine(of: "/proc/\(process)/stat")
    return !state.isEmpty && !state.contains(") Z ")
}

/// The end of a process that need not be a child.
public final class ProcessEnd: Sendable {
    private typealias SystemCall = @convention(c) (Int, Int, Int) -> Int

    /// Readable once the process has ended; negative if it has already.
    private let descriptor: Int32

    /// Observes a process from now on.
    public init(_ process: pid_t) {
        // pidfd_open (434), which older C libraries lack, and Swift does not import `syscall`.
        let call = dlsym(nil, "syscall").map { unsafeBitCast($0, to: SystemCall.self) }
        descriptor = Int32(call?(434, Int(process), 0) ?? -1)
    }

    deinit { close(descriptor) }

    /// Waits until the process has ended; false if it has not within five minutes.
    public func wait() -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return descriptor < 0 || poll(&entry, 1, 300_000) == 1
    }
}

private func firstLine(of path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4096)
    guard fgets(&line, Int32(line.count), file) != nil else { return "" }
    return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
