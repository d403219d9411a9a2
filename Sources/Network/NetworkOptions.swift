public import Basics
import Glibc
public import Pipeline

/// When pages are rendered by a browser that is installed.
public enum Rendering: String, CaseIterable, Sendable {
    /// Where nothing is shown otherwise, or the user asks for it.
    case auto
    case never, always
}

/// The user's settings for requests and the cache, with the defaults that the manual lists.
public struct NetworkOptions: Sendable {
    /// The maximum number of simultaneous requests to one host.
    public var connectionsPerHost = 6 {
        didSet { if connectionsPerHost != oldValue { connectionsPerSSHHost = connectionsPerHost } }
    }
    /// The same for one that ssh reaches, where each takes a process and a log-in; few unless the user has chosen another number.
    private(set) var connectionsPerSSHHost = 2
    /// The timeout in seconds for connecting, and without receiving a byte.
    public var timeout = 15
    /// The least rate in bytes per second of a body, averaged over half a minute; 0 for none.
    public var minRate = 1024
    /// The number of retries after timeouts, 408, 425, 429 and 5xx.
    public var retries = 2
    /// The `User-Agent` header.
    public var userAgent = "halftone"
    /// How gently servers are asked.
    public var pace = PaceOptions()
    /// What a recipe says of that for a page, and what is on it; called on the transfer thread.
    public var paceOfPage: @Sendable (Address) -> PaceOptions = { _ in PaceOptions() }
    /// Keeps each response with its request, and calls the closure once it has; called on the pipeline's queue.
    public var record: (@Sendable (Response, Request, @escaping Action) -> Void)?
    /// The requests sent so far; all copies of these options share it.
    public let traffic = Locked(Traffic())
    /// The settings for some hosts and what is below them; their header fields and cookies are for nothing else, and sent over https to its
    /// usual port, but for those of `http://host` and `host:port`.
    public var sites: [String: NetworkOptions] = [:]
    /// A name and a password with a colon between them, or why there are none: `cancelled` as long as they are not known.
    public typealias Login = Result<String, FetchError>
    /// Returns how to log in at the very scheme, host and port of these settings; called on the transfer thread.
    public var login: (@Sendable () -> Login)?
    /// Additional header fields, sent only to the origins of the SOURCEs.
    public var headers: HeaderFields = []
    /// The SOURCEs as given by the user.
    public var sources: [Address] = [] {
        didSet {
            sourceOrigins = Set(sources.map(\.origin))
            sourceHosts = Set(sources.map(\.host))
        }
    }
    private(set) var sourceOrigins: Set<String> = []
    private(set) var sourceHosts: Set<String> = []
    /// A Netscape cookie file, used only for the hosts of the SOURCEs, as cookies do not distinguish ports.
    public var cookieFile: String?
    /// The proxies to use.
    var proxies = ProxyRules()
    /// A file of trusted certificates that replaces the system's; nil for the system's.
    var certificateFile: String?
    /// A folder of trusted certificates in addition to the file; each new connection then costs some 25 ms.
    var certificateFolder: String?
    /// Whether `Referer` is sent.
    public var sendsReferer = true
    /// The folder of the disk cache; nil for none.
    public var cacheFolder: String?
    /// The budget of the disk cache in bytes.
    public var cacheBytes = 512 << 20
    /// Whether pictures are kept in the cache, too.
    public var cachesPictures = true
    /// Whether the network is never used.
    public var isOffline = false
    /// The largest body, in bytes after decompression; local pictures may be larger.
    public var maxBytes = 64 << 20
    /// When pages are rendered by a browser.
    public var rendering = Rendering.auto
    /// The media types of pictures that can be shown, preferred in the `Accept` header.
    public var pictureTypes = ["image/jpeg", "image/png", "image/webp", "image/gif"]
    /// The file servers that the user has named.
    public var fileServers = FileServers()
    /// Header fields for the requests of single pictures, at the servers they were named for.
    let pictureHeaders = Locked<[Address: HeaderFields]>([:])
    /// The folder with the user's keys and known hosts of ssh.
    var sshFolder = ""
    /// The user's name on this machine.
    var user: String?
    /// Whether a local picture that begins with these bytes is left on the disk for its decoder, which reads what it needs.
    public var isReadInPlace: @Sendable ([UInt8]) -> Bool = { _ in false }
    /// Whether public pages may refer to private addresses.
    public var allowsPrivate = false

    /// Creates the default options.
    public init() {}

    /// Returns the settings for a host, or else for the nearest one above it; nil if there are none.
    func site(
        _ host: some StringProtocol, _ scheme: String = "", _ port: String = ""
    ) -> NetworkOptions? {
        sites.isEmpty
            ? nil
            : sites["\(scheme)\(host)\(port)"]
                ?? host.firstIndex(of: ".").flatMap {
                    var above = site(host[$0...].dropFirst(), scheme, port)
                    // What is below a host may be another's.
                    above?.login = nil
                    return above
                }
    }

    /// Returns the settings whose header fields and cookies are for an address.
    func secrets(for address: Address) -> NetworkOptions? {
        let isPlain = address.port.isEmpty && address.scheme == "http"
        return site(address.host, isPlain ? "http://" : "", String(address.port))
    }

    /// Returns the user's header fields for an address; those for its host replace others of the same names.
    func ownFields(for address: Address) -> HeaderFields {
        let own = secrets(for: address)?.headers ?? []
        return (sourceOrigins.contains(address.origin) ? headers : []).replaced(by: own)
    }

    /// Returns the settings for a host.
    package func at(_ host: String) -> NetworkOptions { site(host) ?? self }

    /// Returns the settings for a request to a host; what a recipe says counts most.
    func at(_ host: String, for request: Request) -> NetworkOptions {
        var options = at(host)
        let own = paceOfPage(request.referer ?? request.address)
        options.pace.pause = own.pause ?? options.pace.pause
        options.pace.rate = own.rate ?? options.pace.rate
        return options
    }

    /// Returns the cookie file for an address.
    func cookieFile(for address: Address) -> String? {
        secrets(for: address)?.cookieFile
            ?? (sourceHosts.contains(address.host) ? cookieFile : nil)
    }

    /// Where systems keep trusted certificates: Debian, Arch and Nix, Fedora, openSUSE, Alpine.
    ///
    /// The libcurl within a portable file knows none.
    private static let trustedBundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]

    /// Adopts what environment variables specify under the names that curl and OpenSSL use: proxies, trusted certificates, the user.
    public mutating func adopt(variables: [String: String]) {
        proxies = ProxyRules(variables: variables)
        certificateFile =
            variables.firstFilled("CURL_CA_BUNDLE", "SSL_CERT_FILE")
            ?? Self.trustedBundles.first { access($0.cPath, R_OK) == 0 }
        certificateFolder = variables.firstFilled("SSL_CERT_DIR")
        sshFolder = (variables["HOME"] ?? "") + "/.ssh"
        user = variables.firstFilled("USER", "LOGNAME")
    }
}
