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

private func firstLine(of path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4096)
    guard fgets(&line, Int32(line.count), file) != nil else { return "" }
    return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
