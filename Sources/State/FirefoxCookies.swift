import Basics
import Glibc

/// The cookies that Firefox keeps in a profile.
public enum FirefoxCookies {
    /// Returns lines as in Netscape's cookie file for what is sent to each of `hosts` outside containers, and has not expired; nil if the
    /// profile's cookies cannot be read.
    ///
    /// Firefox locks its file, so a private copy is read, with the log of what is not in there yet. Blocks on the disk.
    public static func lines(in profile: String, for hosts: [String]) -> [[String]]? {
        var folder = "\(temporaryFolder)/halftone-XXXXXX".cPath
        guard mkdtemp(&folder) != nil else { return nil }
        let copy = "\(String(systemName: folder))/"
        defer {
            (fileNames(in: copy, limit: .max) ?? []).forEach { unlink((copy + $0).cPath) }
            rmdir(copy.cPath)
        }
        let name = "cookies.sqlite"
        // The log first: what is moved from it to the file meanwhile is then in both.
        for name in ["\(name)-wal", name] {
            guard let bytes = smallFile("\(profile)/\(name)", limit: maxBytes) else { continue }
            let file = createFile(copy + name, mode: 0o600)
            _ = writeAll(bytes, to: file)
            close(file)
        }
        do {
            let connection = try Connection(path: copy + name)
            // Milliseconds since version 16 of its schema.
            let version = try connection.rows("PRAGMA user_version").joined().first
            let unit = version.flatMap { Int($0) } ?? 0 < 16 ? 1 : 1_000
            let query =
                """
                SELECT host, iif(host LIKE '.%', 'TRUE', 'FALSE'), path, iif(isSecure, 'TRUE', 'FALSE'), expiry / \(unit), name, value
                FROM moz_cookies WHERE originAttributes = '' AND expiry / \(unit) > CAST(strftime('%s', 'now') AS INTEGER)
                AND (host = ?1 OR host LIKE '.%' AND substr('.' || ?1, -length(host)) = host)
                """
            return try hosts.map { host in
                try connection.rows(query, [[host]]).map {
                    $0.map(\.withoutControls).joined(separator: "\t")
                }
            }
        } catch {
            return nil
        }
    }

    /// Firefox keeps some thousand cookies of at most 4 KB.
    private static let maxBytes = 64 << 20
}
