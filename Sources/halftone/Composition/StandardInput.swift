import Basics
import Gallery
import Glibc
import Network

/// What is piped in: a list of SOURCEs, or one picture or page.
enum StandardInput {
    /// The SOURCEs that standard input names: one a line, or with NULs between them; or a file that holds the picture or page.
    ///
    /// Blocks until its end.
    static func arguments(_ options: Options) throws(UsageError) -> [String] {
        let limit = options.network.maxBytes
        let (bytes, error) = readToEnd(of: STDIN_FILENO, expecting: 0, limit: limit)
        guard error == 0 else { throw wrong(String(cString: strerror(error))) }
        guard bytes.count <= limit else { throw wrong("is larger than \(limit >> 20) MB") }
        guard options.isNulSeparated || SourceParser.isList(bytes) else { return [try file(bytes)] }
        let isEnd: (UInt8) -> Bool =
            options.isNulSeparated
            ? { $0 == 0 } : { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let names = bytes.split(whereSeparator: isEnd)
            .map { String(decoding: $0, as: UTF8.self) }
            .map { options.isNulSeparated ? $0 : String($0.drop(while: \.isWhitespace)) }
            .filter { !$0.isEmpty }
        guard !names.isEmpty else { throw wrong("is empty") }
        return names
    }

    /// The path of a file without a name that holds `bytes` for as long as the program runs.
    private static func file(_ bytes: [UInt8]) throws(UsageError) -> String {
        let folder = temporaryFolder
        guard let file = OpenFile(temporaryIn: folder) else { throw wrong(folder, errno) }
        let error = writeAll(bytes, to: file.descriptor)
        guard error == 0 else { throw wrong(folder, error) }
        // Nothing closes it.
        return "/proc/self/fd/\(Unmanaged.passRetained(file).takeUnretainedValue().descriptor)"
    }

    private static func wrong(_ folder: String, _ error: Int32) -> UsageError {
        wrong(folder + ": " + String(cString: strerror(error)))
    }

    private static func wrong(_ reason: String) -> UsageError {
        UsageError(subject: "standard input", reason: reason)
    }
}
