/// Why something in an archive cannot be read; the description is one line in plain language.
public enum ArchiveError: Error, Hashable, CustomStringConvertible {
    /// There is no such entry, it is not a file, or the file is not an archive.
    case missing
    /// A password is needed.
    case encrypted
    /// The archive is damaged, for the given reason.
    case damaged(String)
    /// The content is larger than the limit in bytes.
    case tooLarge(limit: Int)
    /// A system call failed, for the given reason.
    case system(String)

    /// The reason in plain language.
    public var description: String {
        switch self {
        case .missing: "no such file"
        case .encrypted: "encrypted in its archive"
        case .damaged(let reason): "a damaged archive: \(reason)"
        case .tooLarge(let limit): "larger than the \(limit >> 20) MB allowed"
        case .system(let reason): reason
        }
    }
}
