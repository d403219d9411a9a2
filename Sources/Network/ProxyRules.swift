import Basics

/// The proxies specified by environment variables, interpreted as by curl.
///
/// Interpreted here rather than by libcurl because the rule against private addresses must know whether a socket leads to the server or to
/// a proxy.
struct ProxyRules: Sendable {
    /// By the scheme of the addresses that they are for.
    private var proxies: [String: String] = [:]
    /// The entries of `no_proxy`: a host and its subdomains, an address, a network (`10.0.0.0/8`), or `*` for all.
    private var exceptions: [String] = []

    /// Creates rules without any proxy.
    init() {}

    /// Reads `http_proxy`, `https_proxy` and `all_proxy`, and `no_proxy` for hosts that are reached directly.
    ///
    /// `HTTP_PROXY` is ignored: any client of a web server could set it, with the header `Proxy`, for a program that the server runs.
    init(variables: [String: String]) {
        let other = variables.firstFilled("all_proxy", "ALL_PROXY")
        proxies["http"] = variables.firstFilled("http_proxy") ?? other
        proxies["https"] = variables.firstFilled("https_proxy", "HTTPS_PROXY") ?? other
        exceptions =
            (variables.firstFilled("no_proxy", "NO_PROXY") ?? "")
            .split { $0 == "," || $0 == " " || $0 == "\t" }
            .map { bareName(String($0)) }.nonEmpty
    }

    /// Returns the proxy for `address`; nil if there is none.
    func proxy(for address: Address) -> String? {
        guard let proxy = proxies[address.scheme] else { return nil }
        let host = bareName(address.host)
        let isException = exceptions.contains { entry in
            if let block = AddressBlock(entry) {
                return addressBytes(host).map(block.contains) ?? false
            }
            return entry == "*" || ".\(host)".hasSuffix(".\(entry)")
        }
        return isException ? nil : proxy
    }

    /// Returns a proxy's host and port for display, without scheme, user and password.
    static func name(of proxy: String) -> String {
        // A password may contain a slash.
        let parts = (proxy.split(separator: "@").last ?? "").split(separator: "/")
        let host = parts.first { !$0.hasSuffix(":") } ?? ""
        return String(host).withoutControls
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
    package func firstFilled(_ names: String...) -> String? {
        names.compactMap { self[$0] }.nonEmpty.first
    }
}
