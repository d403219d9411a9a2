import Glibc

/// What there is at a path.
enum Disk {
    /// A folder, anything else, or nothing at all.
    enum Kind {
        case folder, file, nothing
    }

    /// Follows symbolic links.
    ///
    /// What exists but may not be looked at counts as a file, so that reading it tells the reason.
    static func kind(of path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno == EACCES ? .file : .nothing }
        return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
    }
}
