import Glibc

/// A folder of a test's own below `$TMPDIR`, removed with everything in it when dropped.
final class TemporaryFolder: Sendable {
    /// The absolute path, without a slash at its end.
    let path: String

    /// Makes an empty folder, mode 0700.
    init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/halftone-test-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else {
            throw FolderError(call: "mkdtemp", code: errno)
        }
        path = String(cString: made)
    }

    deinit { removeTree(path) }

    /// Writes a file, making the folders it lies in; returns its absolute path.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let parts = name.split(separator: "/")
        for depth in 1..<max(1, parts.count) {
            mkdir(path + "/" + parts[..<depth].joined(separator: "/"), 0o700)
        }
        let file = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FolderError(call: "open", code: errno) }
        defer { close(file) }
        let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw FolderError(call: "write", code: errno) }
        return path + "/" + name
    }
}

private func removeTree(_ path: String) {
    guard remove(path) != 0, let stream = opendir(path) else { return }
    while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." {
            removeTree(path + "/" + name)
        }
    }
    closedir(stream)
    remove(path)
}

private struct FolderError: Error {
    var call: String
    var code: Int32
}
