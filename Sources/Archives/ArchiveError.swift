/// Why something in an archive cannot be read; the description is one line in plain words.
public enum ArchiveError: Error, Hashable, CustomStringConvertible {
    /// Nothing of that name is in it, it is not a file, or it is not an archive.
    case missing
    /// It needs a password.
    case encrypted
    /// What is broken, in the library's words or ours.
    case damaged(String)
    /// More bytes than allowed.
    case tooLarge(limit: Int)
    /// A call to the system failed.
    case system(String)

    /// The reason in plain words.
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
