import Basics

/// The file servers (sftp, ftp, ftps) that the user has named, and how to log in there; usable from any thread.
///
/// Pages, redirects, and other programs cannot name one: what is not in here is not reached.
public final class FileServers: Sendable {
    struct Login {
        var user: String?
        var password: String?
    }

    /// The schemes of file servers.
    public static let schemes = ["sftp", "ftps", "ftp"]

    /// By origin.
    private let logins = Locked<[String: Login]>([:])

    /// Creates an empty record.
    public init() {}

    /// Notes the server in an address that the user has given; returns the address without name and password, nil if it is not valid.
    public func address(_ text: String) -> Address? {
        let authority = Self.authority(in: text)
        var rest = text
        var login: Login?
        if let at = authority.lastIndex(of: "@") {
            let (user, password) = authority[..<at].halves(at: ":")
            login = Login(user: Self.decoded(user), password: password.map(Self.decoded))
            rest.removeSubrange(authority.startIndex...at)
        }
        guard let address = Address(given: rest), address.isOnFileServer else { return nil }
        logins.withLock { $0[address.origin] = login ?? $0[address.origin] ?? Login() }
        return address
    }

    private static func decoded(_ text: String) -> String {
        String(utf8: PercentEncoding.decode(text.utf8))
    }

    /// Returns how to log in for what is at `address`; nil if the user has not named its server, or a page elsewhere leads there.
    func login(for address: Address, from page: Address?) -> Login? {
        guard page == nil || page?.origin == address.origin else { return nil }
        return logins.withLock { $0[address.origin] }
    }

    /// Returns a text that the user has typed for display: an address that may contain a password is cut off.
    public static func shown(_ text: String) -> String {
        let authority = authority(in: text)
        let head = text[..<authority.startIndex]
        let isOfServer = schemes.contains { head.hasSuffix($0 + "://") }
        let rest = isOfServer ? text[authority.startIndex...] : authority
        return rest.contains("@") ? head + "…" : text
    }

    /// The part of an address with its host, and what precedes that; empty if there is none.
    private static func authority(in text: String) -> Substring {
        guard let mark = text.firstRange(of: "://") else { return text.suffix(0) }
        return text[mark.upperBound...].prefix { !"/?#".contains($0) }
    }
}
