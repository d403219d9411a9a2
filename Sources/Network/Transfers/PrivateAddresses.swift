import Glibc

// What a public page must not reach: addresses of this machine and of the networks it stands in.

/// Whether a host is private by its very name; a name that has to be resolved is judged when its socket is opened.
func isPrivateName(_ host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "localhost." {
        return true
    }
    return addressBytes(host).map(isPrivate) ?? false
}

/// Whether a name by its form means a host nearby: one without a dot, or below a domain that is not public.
///
/// Behind a proxy, which looks names up where we cannot see, this is all there is to judge by. RFC 6762 (`local`), RFC 8375
/// (`home.arpa`), ICANN's `internal`, and those that RFC 6762, appendix G, names as in common use.
func isLocalName(_ host: String) -> Bool {
    guard addressBytes(host) == nil else { return false }
    let labels = host.lowercased().split(separator: ".")
    guard labels.count > 1, let last = labels.last else { return true }
    return ["local", "internal", "intranet", "private", "corp", "home", "lan"].contains(last)
        || labels.suffix(2).elementsEqual(["home", "arpa"])
}

/// Whether a socket address is loopback, private, link-local or another that only means something nearby.
func isPrivate(_ address: UnsafeRawPointer, family: Int32) -> Bool {
    switch family {
    case AF_INET:
        let name = address.loadUnaligned(as: sockaddr_in.self)
        return withUnsafeBytes(of: name.sin_addr) { isPrivate(Array($0)) }
    case AF_INET6:
        let name = address.loadUnaligned(as: sockaddr_in6.self)
        return withUnsafeBytes(of: name.sin6_addr) { isPrivate(Array($0)) }
    default:
        // Unix sockets and whatever else there is.
        return true
    }
}

/// Four or sixteen bytes, in network order.
private func isPrivate(_ bytes: [UInt8]) -> Bool {
    bytes.count == 4 ? isPrivateIPv4(bytes) : isPrivateIPv6(bytes)
}

/// The IANA special-purpose registry, RFC 6890, without what is merely documentation.
private func isPrivateIPv4(_ bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1]) {
    case (0, _), (10, _), (127, _): true  // this network, private, loopback
    case (100, 64...127): true  // carrier-grade NAT
    case (169, 254): true  // link-local, and the metadata services of clouds
    case (172, 16...31), (192, 168): true
    case (198, 18...19): true  // benchmarks between networks
    case (224..., _): true  // multicast, reserved, broadcast
    default: false
    }
}

private func isPrivateIPv6(_ bytes: [UInt8]) -> Bool {
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
    // 64:ff9b::/96 reaches IPv4 through a translator, ::/96 is its old form and holds :: and ::1.
    let isTranslated =
        bytes[..<12].elementsEqual([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
    let isCompatible = bytes[..<12].allSatisfy { $0 == 0 }
    if isMapped || isTranslated || isCompatible {
        return isPrivateIPv4(Array(bytes[12...]))
    }
    // 2002::/16 carries the IPv4 address of its router.
    if bytes[0] == 0x20, bytes[1] == 0x02 {
        return isPrivateIPv4(Array(bytes[2..<6]))
    }
    let isUniqueLocal = bytes[0] & 0xFE == 0xFC  // fc00::/7
    // fe80::/10, and fec0::/10, its predecessor.
    let isLinkLocal = bytes[0] == 0xFE && bytes[1] & 0x80 == 0x80
    let isMulticast = bytes[0] == 0xFF
    return isUniqueLocal || isLinkLocal || isMulticast
}

/// The bytes of an address written as numbers, in brackets or without; nil for a name.
func addressBytes(_ host: String) -> [UInt8]? {
    var four = in_addr()
    if inet_pton(AF_INET, host, &four) == 1 {
        return withUnsafeBytes(of: four) { Array($0) }
    }
    var six = in6_addr()
    // A zone (`%25eth0`) is no part of the address itself.
    let text = host.filter { $0 != "[" && $0 != "]" }.prefix { $0 != "%" }
    guard inet_pton(AF_INET6, String(text), &six) == 1 else { return nil }
    return withUnsafeBytes(of: six) { Array($0) }
}
