import Basics

/// The proxies specified by environment variables, interpreted as by curl.
///
/// Interpreted here rather than by libcurl because the rule against private addresses must know whether a socket leads to the server or to
/// a proxy.
public struct ProxyRules: Sendable {
    private var http: String?
    private var https: String?
    private var exceptions: [HostPattern] = []

    /// Creates rules without any proxy.
    public init() {}

    /// Reads `http_proxy`, `https_proxy` and `all_proxy`, and `no_proxy` for hosts that are reached directly.
    ///
    /// `HTTP_PROXY` is ignored: any client of a web server could set it, with the header `Proxy`, for a program that the server runs.
    public init(variables: [String: String]) {
        let other = variables.firstFilled("all_proxy", "ALL_PROXY")
        http = variables.firstFilled("http_proxy") ?? other
        https = variables.firstFilled("https_proxy", "HTTPS_PROXY") ?? other
        exceptions = (variables.firstFilled("no_proxy", "NO_PROXY") ?? "")
            .split { $0 == "," || $0 == " " || $0 == "\t" }
            .map { HostPattern(String($0)) }
    }

    /// Returns the proxy for `address`; nil if there is none.
    func proxy(for address: Address) -> String? {
        guard address.isOnWeb, let proxy = address.scheme == "https" ? https : http,
            !exceptions.contains(where: { $0.matches(address.host) })
        else { return nil }
        return proxy
    }

    /// Returns a proxy's host and port for display, without scheme, user and password.
    static func name(of proxy: String) -> String {
        let rest = proxy.split(separator: "/")
        let authority = proxy.contains("://") ? rest.dropFirst().first : rest.first
        let host = authority?.split(separator: "@").last.map(String.init) ?? proxy
        return host.withoutControls
    }
}

/// An entry of `no_proxy`: a host and its subdomains, an address, a network (`10.0.0.0/8`), or `*` for all.
private enum HostPattern {
    case all
    case name(String)
    case addresses(AddressBlock)

    init(_ text: String) {
        if text == "*" {
            self = .all
        } else if let block = AddressBlock(text) {
            self = .addresses(block)
        } else {
            self = .name(bareName(text))
        }
    }

    func matches(_ host: String) -> Bool {
        switch self {
        case .all: return true
        case .name(let name):
            let host = bareName(host)
            return !name.isEmpty && (host == name || host.hasSuffix("." + name))
        case .addresses(let block): return addressBytes(host).map(block.contains) ?? false
        }
    }
}

/// Returns the name in lower case, without the trailing dot of an absolute name and the leading dot of `.example.com`.
func bareName(_ name: String) -> String {
    var name = name.lowercased()[...]
    if name.hasSuffix(".") { name.removeLast() }
    if name.hasPrefix(".") { name.removeFirst() }
    return String(name)
}

extension [String: String] {
    /// Returns the value of the first of these environment variables that is set and not empty.
    func firstFilled(_ names: String...) -> String? {
        names.lazy.compactMap { self[$0] }.first { !$0.isEmpty }
    }
}
