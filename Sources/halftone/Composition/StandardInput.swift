import Basics
import Gallery
import Glibc
import Network

/// Piped input: a list of SOURCEs, or one picture or page.
enum StandardInput {
    /// Whether standard input is a pipe or a regular file, and so meant to be read.
    static var isGiven: Bool {
        var status = stat()
        return fstat(STDIN_FILENO, &status) == 0
            && [S_IFIFO, S_IFREG].contains(status.kind)
    }

    /// Returns the SOURCEs listed on standard input, one per line or NUL-separated; or the path that `keep` gives the piped picture or page.
    ///
    /// Blocks until the end of input.
    static func arguments(
        _ options: Options, keep: ([UInt8]) throws(UsageError) -> String = file
    ) throws(UsageError) -> [String] {
        let limit = options.network.maxBytes
        let (bytes, error) = readToEnd(of: STDIN_FILENO, expecting: 0, limit: limit)
        guard error == 0 else { throw wrong(systemReason(error)) }
        guard bytes.count <= limit else { throw wrong("is larger than \(limit >> 20) MB") }
        guard options.isNulSeparated || SourceParser.isList(bytes) else { return [try keep(bytes)] }
        let names = bytes.withoutMark.split {
            options.isNulSeparated ? $0 == 0 : $0 == "\n" || $0 == "\r"
        }.map { String(systemBytes: $0) }
            .map { options.isNulSeparated ? $0 : String($0.drop(while: \.isWhitespace)) }
            .filter { !$0.isEmpty }
        guard !names.isEmpty else { throw wrong("is empty") }
        return names
    }

    /// Returns the path of an unnamed file that holds `bytes` until the program exits.
    static func file(_ bytes: [UInt8]) throws(UsageError) -> String {
        let folder = temporaryFolder
        guard let file = OpenFile(temporaryIn: folder) else {
            throw wrong("\(folder): \(systemReason(errno))")
        }
        let error = writeAll(bytes, to: file.descriptor)
        guard error == 0 else { throw wrong("\(folder): \(systemReason(error))") }
        // Never closed.
        return Unmanaged.passRetained(file).takeUnretainedValue().path
    }

    /// How the paths begin, in the folder of sockets, of files in which piped pictures wait for another program.
    private static func kept(in folder: String) -> String { folder + "/picture-" }

    /// Removes those of `paths` that are such files in `folder`.
    static func removeKept(_ paths: [String], in folder: String?) {
        guard let folder else { return }
        paths.filter { $0.hasPrefix(kept(in: folder)) }.forEach { unlink($0.cPath) }
    }

    /// Returns the path of a new file in `folder` that holds `bytes`, which the program that shows it removes at its end.
    static func file(_ bytes: [UInt8], in folder: String?) throws(UsageError) -> String {
        guard let folder else { throw wrong("there is no folder to keep it in") }
        let path = kept(in: folder) + "\(getpid())"
        unlink(path.cPath)
        let descriptor = open(path.cPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let error = descriptor < 0 ? errno : writeAll(bytes, to: descriptor)
        close(descriptor)
        guard error == 0 else { throw wrong("\(path): \(systemReason(error))") }
        return path
    }

    private static func wrong(_ reason: String) -> UsageError {
        UsageError(subject: "standard input", reason: reason)
    }
}
