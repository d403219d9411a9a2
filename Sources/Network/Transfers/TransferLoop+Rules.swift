/// Who may be reached on whose behalf.
extension TransferLoop {
    /// Whether a page at that address was written by somebody out there, as far as we know.
    func isPublic(_ address: Address) -> Bool {
        !address.isFile && !isPrivateHost(address)
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
        return isForbiddenPrivate(transfer) && isPrivateHost(transfer.address)
            ? .privateAddress(host) : nil
    }

    /// Behind a proxy a name is judged by its form alone: the socket leads to the proxy, whatever address that has.
    private func isPrivateHost(_ address: Address) -> Bool {
        let host = address.host
        return isPrivateName(host) || privateHosts.contains(host)
            || (options.proxies.proxy(for: address) != nil && isLocalName(host))
    }
}
