/// Decides which transfers may reach private hosts.
extension TransferLoop {
    /// Returns whether a transfer may not reach private addresses with its current address.
    ///
    /// A SOURCE may be reached at the private address it had when it was opened, on its own port.
    func isForbiddenPrivate(_ transfer: Transfer) -> Bool {
        let address = transfer.address
        return transfer.isGuarded && !options.at(address.host).allowsPrivate
            && !(options.sourceOrigins.contains(address.origin) && settings.isPrivateHost(address))
    }
}

extension Transfers.Settings {
    /// Returns whether a page at that address is public, as far as known.
    func isPublic(_ address: Address) -> Bool {
        // Wherever a file server is, its files may be anybody's.
        guard !address.isOnFileServer else { return true }
        guard address.isFile else { return !isPrivateHost(address) }
        guard let original = peers.original(of: address) else { return false }
        return original.map { !isPrivateHost($0) } ?? true
    }

    /// Behind a proxy, a name is judged by its form alone, as the socket leads to the proxy.
    func isPrivateHost(_ address: Address) -> Bool {
        let host = address.host
        return isPrivateName(host) || peers.isPrivate(address)
            || (options.proxies.proxy(for: address) != nil && isLocalName(host))
    }
}
