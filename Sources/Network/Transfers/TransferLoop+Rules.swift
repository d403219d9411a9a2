#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Who may be reached on whose behalf.
extension TransferLoop {
    /// Whether a proxy of the environment opens the connections: then the socket's address is the proxy's and says nothing.
    static let usesProxy: Bool = {
        let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        return names.contains { (name: String) in getenv(name).map { $0.pointee != 0 } ?? false }
    }()

    /// Whether a page at that address was written by somebody out there, as far as we know.
    func isPublic(_ address: Address) -> Bool {
        !address.isFile && !isPrivateHost(address.host)
    }

    /// Whether private addresses are out of bounds for a transfer where it stands now.
    func isForbiddenPrivate(_ transfer: Transfer) -> Bool {
        transfer.isGuarded && !options.allowsPrivate
            && !options.sourceHosts.contains(transfer.address.host)
    }

    /// Why a transfer must not even be tried; names that have to be resolved are judged by the socket they lead to.
    ///
    /// Hosts known to be private are refused here, so that no connection kept open from an allowed request is used for a forbidden one.
    func refusal(of transfer: Transfer) -> FetchError? {
        let host = transfer.address.host
        return isForbiddenPrivate(transfer) && isPrivateHost(host) ? .privateAddress(host) : nil
    }

    private func isPrivateHost(_ host: String) -> Bool {
        isPrivateName(host) || privateHosts.contains(host)
    }
}
