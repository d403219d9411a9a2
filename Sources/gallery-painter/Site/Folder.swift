import Glibc

/// The folder the gallery is written to.
struct Folder: Sendable {
    /// Its path.
    var path: String

    /// A file that could not be written, and the system's reason.
    struct Failure: Error, CustomStringConvertible {
        var path: String
        var reason: String
        var description: String { "\(path): \(reason)" }
    }

    /// Makes the folder `name` inside, and those above it, where missing.
    func make(_ name: String) throws(Failure) {
        var built = path.hasPrefix("/") ? "/" : ""
        for piece in "\(path)/\(name)".split(separator: "/") {
            built += "\(piece)/"
            if mkdir(built, 0o755) != 0 && errno != EEXIST { throw failure(built) }
        }
    }

    /// Writes `bytes` to the file `name`, in place of what is there.
    func write(_ name: String, _ bytes: [UInt8]) throws(Failure) {
        let target = "\(path)/\(name)"
        guard let file = fopen(target, "wb") else { throw failure(target) }
        let written = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, written == bytes.count else { throw failure(target) }
    }

    private func failure(_ path: String) -> Failure {
        Failure(path: path, reason: String(cString: strerror(errno)))
    }
}
