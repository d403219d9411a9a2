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

    /// Returns how the input begins: its first line, and what follows within half a second, in which a single name has ended; and whether
    /// that is one line at most.
    ///
    /// Blocks until the first line has arrived.
    static func beginning(_ options: Options) -> (bytes: [UInt8], isWhole: Bool) {
        let end: UInt8 = options.isNulSeparated ? 0 : "\n"
        var bytes: [UInt8] = []
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while bytes.count < 1 << 16, !bytes.dropLast().contains(end),
            !bytes.contains(end) || poll(&input, 1, 500) > 0
        {
            let more = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                count = max(0, read(STDIN_FILENO, buffer.baseAddress, buffer.count))
            }
            if more.isEmpty { return (bytes, true) }
            bytes += more
        }
        return (bytes, false)
    }

    /// Returns the SOURCEs listed on standard input after `beginning`, which has been read, one per line or NUL-separated; or the path that
    /// `keep` gives the piped picture or page.
    ///
    /// Blocks until the end of input.
    static func arguments(
        _ options: Options, after beginning: [UInt8] = [],
        keep: ([UInt8]) throws(UsageError) -> String = file
    ) throws(UsageError) -> [String] {
        let limit = options.network.maxBytes
        let (rest, error) = readToEnd(of: STDIN_FILENO, expecting: 0, limit: limit)
        let bytes = beginning + rest
        guard error == 0 else { throw wrong(systemReason(error)) }
        guard bytes.count <= limit else { throw wrong("is larger than \(limit >> 20) MB") }
        guard options.isNulSeparated || SourceParser.isList(bytes) else { return [try keep(bytes)] }
        let names = bytes.withoutMark.split {
            options.isNulSeparated ? $0 == 0 : $0 == "\n" || $0 == "\r"
        }.map { String(systemBytes: $0) }
            .map { options.isNulSeparated ? $0 : String($0.drop(while: \.isWhitespace)) }
            .nonEmpty
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
    private static func kept(in folder: String) -> String { "\(folder)/picture-" }

    /// Removes those of `paths` that are such files in `folder`.
    static func removeKept(_ paths: [String], in folder: String?) {
        guard let folder else { return }
        paths.filter { $0.hasPrefix(kept(in: folder)) }.forEach { unlink($0.cPath) }
    }

    /// Returns the path of a new file in `folder` that holds `bytes`, which the program that shows it removes at its end.
    static func file(_ bytes: [UInt8], in folder: String?) throws(UsageError) -> String {
        guard let folder else { throw wrong("there is no folder to keep it in") }
        let path = "\(kept(in: folder))\(getpid())"
        unlink(path.cPath)
        let descriptor = createFile(path, mode: 0o600)
        let error = descriptor < 0 ? errno : writeAll(bytes, to: descriptor)
        close(descriptor)
        guard error == 0 else { throw wrong("\(path): \(systemReason(error))") }
        return path
    }

    private static func wrong(_ reason: String) -> UsageError {
        UsageError("standard input", reason)
    }
}
