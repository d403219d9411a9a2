import Basics
import Glibc

/// A test's own folder below `$TMPDIR`, removed with its contents when released.
public final class ScratchFolder: Sendable {
    /// The absolute path, without a trailing slash.
    public let path: String

    /// A system call that failed.
    public struct SystemError: Error {
        /// The name of the call.
        public var call: String
        /// Its errno.
        public var number: Int32
    }

    /// Creates an empty folder with mode 0700.
    public init() throws(SystemError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/halftone-test-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SystemError(call: "mkdtemp", number: errno)
        }
        path = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    }

    deinit { Self.remove(path) }

    /// Writes a file, creating parent folders; returns its absolute path.
    @discardableResult public func write(
        _ bytes: [UInt8], to name: String
    ) throws(SystemError) -> String {
        let parts = name.split(separator: "/")
        for depth in 1..<max(1, parts.count) {
            mkdir(path + "/" + parts[..<depth].joined(separator: "/"), 0o700)
        }
        guard let file = fopen(path + "/" + name, "wbe") else {
            throw SystemError(call: "fopen", number: errno)
        }
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count else {
            throw SystemError(call: "fwrite", number: errno)
        }
        return path + "/" + name
    }

    /// Writes a text file; returns its absolute path.
    @discardableResult public func write(
        _ text: String, to name: String
    ) throws(SystemError) -> String {
        try write(Array(text.utf8), to: name)
    }

    /// Returns the bytes of a file; empty if it cannot be read.
    public func read(_ name: String) -> [UInt8] {
        smallFile(path + "/" + name, limit: 1 << 30) ?? []
    }

    private static func remove(_ path: String) {
        // Removes a link itself; fails for a non-empty folder, which a test may have made unreadable.
        guard Glibc.remove(path.cPath) != 0 else { return }
        chmod(path.cPath, 0o700)
        guard let stream = opendir(path.cPath) else { return }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(systemBytes: bytes.prefix { $0 != 0 })
            }
            if name != ".", name != ".." {
                remove(path + "/" + name)
            }
        }
        closedir(stream)
        Glibc.remove(path.cPath)
    }
}

extension ScratchFolder {
    /// The environment of a program with its home, cache and configuration in this folder, in a terminal with 24-bit colour; nothing is
    /// inherited.
    public var environment: [String: String] {
        [
            "HOME": path, "XDG_CACHE_HOME": path + "/cache", "XDG_CONFIG_HOME": path + "/config",
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
        ]
    }
}
