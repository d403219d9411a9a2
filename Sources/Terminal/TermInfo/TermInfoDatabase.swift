import Glibc

/// Where compiled entries lie: the directories of terminfo(5), in ncurses' order.
struct TermInfoDatabase {
    /// The directories, first the user's own.
    var directories: [String]

    /// The largest entry that is read; ncurses itself refuses any larger.
    private static let largestEntry = 32_768

    /// The directories by `environment`.
    init(environment: [String: String]) {
        var directories: [String] = []
        if let own = environment["TERMINFO"], own.hasPrefix("/") {
            directories.append(own)
        }
        if let home = environment["HOME"], !home.isEmpty {
            directories.append(home + "/.terminfo")
        }
        if let list = environment["TERMINFO_DIRS"] {
            directories += list.split(separator: ":").map(String.init)
        }
        // Debian's, then where others install ncurses.
        directories += [
            "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo",
            "/usr/local/share/terminfo",
        ]
        self.directories = directories
    }

    /// The entry called `name`, or nil if there is none that can be read.
    func entry(named name: String) -> TermInfo? {
        guard let first = name.utf8.first, !name.contains("/"), !name.hasPrefix(".") else {
            return nil
        }
        let hexadecimal = String(first, radix: 16)
        for directory in directories {
            // By first letter, or by its code where the file system ignores case.
            for folder in [String(UnicodeScalar(first)), hexadecimal] {
                if let bytes = Self.contents(of: "\(directory)/\(folder)/\(name)"),
                    let entry = try? TermInfo(compiled: bytes)
                {
                    return entry
                }
            }
        }
        return nil
    }

    private static func contents(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: largestEntry)
        let count = fread(&bytes, 1, bytes.count, file)
        return count > 0 ? Array(bytes[..<count]) : nil
    }
}
