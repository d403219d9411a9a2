import Glibc
import Pipeline

// What a public page must not reach: addresses of this machine and of the networks it stands in.

/// Whether a host is private by its very name; a name that has to be resolved is judged when its socket is opened.
func isPrivateName(_ host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "localhost." { return true }
    return addressBytes(host).map(isPrivateAddress) ?? false
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

/// The bytes of a socket address; nil for Unix sockets and whatever else there is.
func addressBytes(_ address: UnsafeRawPointer, family: Int32) -> [UInt8]? {
    switch family {
    case AF_INET:
        let name = address.loadUnaligned(as: sockaddr_in.self)
        return withUnsafeBytes(of: name.sin_addr) { Array($0) }
    case AF_INET6:
        let name = address.loadUnaligned(as: sockaddr_in6.self)
        return withUnsafeBytes(of: name.sin6_addr) { Array($0) }
    default: return nil
    }
}

/// Which addresses of a host one exchange may connect to.
struct AddressGuard {
    /// Whether private ones are out of bounds.
    let isGuarded: Bool
    let isPrivate: @Sendable ([UInt8]) -> Bool
    /// Whether one was refused.
    private(set) var hasRefused = false

    init(isGuarded: Bool, isPrivate: @escaping @Sendable ([UInt8]) -> Bool) {
        self.isGuarded = isGuarded
        self.isPrivate = isPrivate
    }

    /// Whether it may, where nil is not an address of the Internet: a name that has a private one is private, whatever else it has.
    mutating func admits(_ address: [UInt8]?) -> Bool {
        if isGuarded, address.map(isPrivate) ?? true { hasRefused = true }
        return !hasRefused
    }
}

/// Which servers are private, as far as they have answered; any thread.
///
/// A name is not an identity, since its owner can let it mean another address at any time: what counts is where answers came from.
final class KnownPeers: Sendable {
    private let sources: Set<String>
    /// Whether all answers of an origin came from private addresses.
    private let origins = Locked<[String: Bool]>([:])

    /// `sources` are the origins that the user has named.
    init(sources: Set<String>) { self.sources = sources }

    /// Once an answer of a SOURCE, or of what was private, has come from a public address, its origin is public for good.
    func note(_ address: Address, isPrivate: Bool) {
        let origin = address.origin
        origins.withLock { origins in
            // Of all others only private ones are of interest.
            guard isPrivate || sources.contains(origin) || origins[origin] != nil else { return }
            origins[origin] = isPrivate && origins[origin] != false
        }
    }

    func isPrivate(_ address: Address) -> Bool { origins.withLock { $0[address.origin] == true } }
}

/// Whether an address, four or sixteen bytes in network order, is loopback, private, link-local or another that only means something
/// nearby.
@Sendable func isPrivateAddress(_ bytes: [UInt8]) -> Bool {
    if let carrier = carriers.first(where: { $0.block.contains(bytes) }) {
        return isPrivateAddress(Array(bytes[carrier.offset...].prefix(4)))
    }
    return privateBlocks.contains { $0.contains(bytes) }
}

/// The IANA special-purpose registry, RFC 6890, without what is merely documentation.
private let privateBlocks = [
    "0.0.0.0/8", "10.0.0.0/8", "127.0.0.0/8",  // this network, private, loopback
    "100.64.0.0/10",  // carrier-grade NAT
    "169.254.0.0/16",  // link-local, and the metadata services of clouds
    "172.16.0.0/12", "192.168.0.0/16",  // private
    "198.18.0.0/15",  // benchmarks between networks
    "224.0.0.0/3",  // multicast, reserved, broadcast
    "fc00::/7", "fe80::/10", "fec0::/10",  // unique local, link-local and its predecessor
    "ff00::/8",  // multicast
].compactMap(AddressBlock.init)

/// IPv6 addresses that carry one of IPv4, from which byte on: mapped, by a translator, its old form (which holds :: and ::1), by a router.
private let carriers = [
    ("::ffff:0:0/96", 12), ("64:ff9b::/96", 12), ("::/96", 12), ("2002::/16", 2),
]
.compactMap { text, offset in AddressBlock(text).map { (block: $0, offset: offset) } }

/// Addresses that begin with the same bits, written as `10.0.0.0/8`; without a length, or with a wrong one, this one address.
struct AddressBlock {
    private let bytes: [UInt8]
    private let bits: Int

    /// Nil for a name.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard let bytes = parts.first.flatMap({ addressBytes(String($0)) }) else { return nil }
        self.bytes = bytes
        let bits = parts.count > 1 ? Int(parts[1]) : nil
        self.bits = min(max(0, bits ?? .max), bytes.count * 8)
    }

    func contains(_ other: [UInt8]) -> Bool {
        other.count == bytes.count
            && (0..<bits).allSatisfy { bit in
                (other[bit / 8] ^ bytes[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
            }
    }
}

/// The bytes of an address written as numbers, in brackets or without; nil for a name.
func addressBytes(_ host: String) -> [UInt8]? {
    var four = in_addr()
    if inet_pton(AF_INET, host, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
    var six = in6_addr()
    // A zone (`%25eth0`) is no part of the address itself.
    let text = host.filter { $0 != "[" && $0 != "]" }.prefix { $0 != "%" }
    guard inet_pton(AF_INET6, String(text), &six) == 1 else { return nil }
    return withUnsafeBytes(of: six) { Array($0) }
}
