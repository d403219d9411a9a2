import Glibc

/// A system call that failed.
struct SystemFailure: Error, CustomStringConvertible {
    let subject: String
    let code = errno

    var description: String { "\(subject): \(String(cString: strerror(code)))" }
}

/// Makes `path` and the folders above it.
func makeFolder(_ path: String) throws {
    var made = ""
    for part in path.split(separator: "/") {
        made += "/" + part
        guard mkdir(made, 0o755) == 0 || errno == EEXIST else { throw SystemFailure(subject: made) }
    }
}

/// Writes `bytes` as the file at `path`.
func writeFile(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "wb") else { throw SystemFailure(subject: path) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
        throw SystemFailure(subject: path)
    }
}
