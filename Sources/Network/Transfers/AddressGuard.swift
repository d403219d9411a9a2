import Basics
import CCurl
import Glibc

// What a public page must not reach: addresses of this machine and of the networks it is in.

/// Returns whether the name itself identifies a private host; other names are judged by address when the socket is opened.
func isPrivateName(_ host: String) -> Bool {
    let host = bareName(host)
    return ".\(host)".hasSuffix(".localhost")
        || addressBytes(host).map(isPrivateAddress) ?? false
}

/// Returns whether the form of a name suggests a nearby host: a name without a dot, or below a non-public domain.
///
/// Behind a proxy, which resolves names out of our sight, there is nothing else to judge by. RFC 6762 (`local`), RFC 8375 (`home.arpa`),
/// ICANN's `internal`, and those listed in RFC 6762, appendix G, as commonly used.
func isLocalName(_ host: String) -> Bool {
    guard addressBytes(host) == nil else { return false }
    let labels = host.lowercased().split(separator: ".")
    guard labels.count > 1, let last = labels.last else { return true }
    return ["local", "internal", "intranet", "private", "corp", "home", "lan"].contains(last)
        || labels.suffix(2).elementsEqual(["home", "arpa"])
}

/// Returns the bytes of a socket address; nil for Unix sockets and other families.
func addressBytes(_ address: UnsafeRawPointer, family: Int32) -> [UInt8]? {
    switch family {
    case AF_INET:
        withUnsafeBytes(of: address.loadUnaligned(as: sockaddr_in.self).sin_addr, Array.init)
    case AF_INET6:
        withUnsafeBytes(of: address.loadUnaligned(as: sockaddr_in6.self).sin6_addr, Array.init)
    default: nil
    }
}

/// Decides which addresses of a host an exchange may connect to.
struct AddressGuard {
    /// Whether private addresses are forbidden.
    let isGuarded: Bool
    let isPrivate: @Sendable ([UInt8]) -> Bool
    /// Whether an address has been refused.
    private(set) var hasRefused = false

    /// Returns whether to admit an address (nil: not an Internet address); once one of a name's is private, all further ones are refused.
    mutating func admits(_ address: [UInt8]?) -> Bool {
        if isGuarded, address.map(isPrivate) ?? true { hasRefused = true }
        return !hasRefused
    }

    /// Opens the socket for a resolved address, or refuses to (-1).
    mutating func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
        let target = address.pointee
        let bytes = addressBytes(UnsafeRawPointer(address) + offset, family: target.family)
        guard admits(bytes) else { return -1 }
        // Programs started later (a browser, an opener) must not inherit connections.
        let type = target.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(target.family, type, target.protocol)
    }
}

/// Returns the bytes of the address that a handle is connected to.
func peerAddress(of handle: UnsafeMutableRawPointer) -> [UInt8]? {
    var text: UnsafeMutablePointer<CChar>?
    halftone_curl_get_text(handle, CURLINFO_PRIMARY_IP, &text)
    return text.flatMap { addressBytes(String(cString: $0)) }
}

/// The servers known to be private from their responses; usable from any thread.
///
/// A name proves nothing, since its owner can point it at another address at any time: what counts is where responses came from.
final class KnownPeers: Sendable {
    private let sources: Set<String>
    /// Whether all responses of an origin came from private addresses.
    private let origins = Locked<[String: Bool]>([:])
    private let copies = Locked<[Address: Address?]>([:])

    /// Creates the record; `sources` are the origins given by the user.
    init(sources: Set<String>) { self.sources = sources }

    /// Notes a response; an origin of a SOURCE, or a private one, is public for good once it has responded from a public address.
    func note(_ address: Address, isPrivate: Bool) {
        let origin = address.origin
        origins.withLock { origins in
            // Of all other origins, only private ones are of interest.
            guard isPrivate || sources.contains(origin) || origins[origin] != nil else { return }
            origins[origin] = isPrivate && origins[origin] != false
        }
    }

    func note(copy file: Address, of original: Address?) {
        copies.withLock { $0[file] = .some(original) }
    }

    /// Returns the address of the page that a file is a copy of, nil if that is unknown; the outer optional is nil for any other file.
    func original(of file: Address) -> Address?? { copies.withLock { $0[file] } }

    func isPrivate(_ address: Address) -> Bool { origins.withLock { $0[address.origin] == true } }
}

/// Returns whether an address, four or sixteen bytes in network order, is loopback, private, link-local or otherwise meaningful only in its
/// own network.
@Sendable func isPrivateAddress(_ bytes: [UInt8]) -> Bool {
    if let carrier = carriers.first(where: { $0.block.contains(bytes) }) {
        return isPrivateAddress(Array(bytes[carrier.offset...].prefix(4)))
    }
    return privateBlocks.contains { $0.contains(bytes) }
}

/// The IANA special-purpose registry (RFC 6890), without the blocks reserved for documentation.
private let privateBlocks = [
    "0.0.0.0/8", "10.0.0.0/8", "127.0.0.0/8",  // this network, private, loopback
    "100.64.0.0/10",  // carrier-grade NAT
    "169.254.0.0/16",  // link-local, and the metadata services of clouds
    "172.16.0.0/12", "192.168.0.0/16",  // private
    "192.0.0.0/24", "2001::/23",  // protocols of networks, such as Teredo
    "198.18.0.0/15",  // benchmarks between networks
    "224.0.0.0/3",  // multicast, reserved, broadcast
    "fc00::/7", "fe80::/10", "fec0::/10",  // unique local, link-local and its predecessor
    "ff00::/8",  // multicast
    "64:ff9b:1::/48", "100::/64", "5f00::/16",  // own NAT64, discarded, route segments
].compactMap(AddressBlock.init)

/// IPv6 addresses that embed an IPv4 address, with its byte offset: mapped, translated, NAT64, IPv4-compatible (includes :: and ::1), 6to4.
private let carriers = [
    ("::ffff:0:0/96", 12), ("::ffff:0:0:0/96", 12), ("64:ff9b::/96", 12), ("::/96", 12),
    ("2002::/16", 2),
]
.compactMap { text, offset in AddressBlock(text).map { (block: $0, offset: offset) } }

/// A block of addresses with a common prefix, such as `10.0.0.0/8`; without a valid prefix length, a single address.
struct AddressBlock {
    private let bytes: [UInt8]
    private let bits: Int

    /// Parses a block; nil for a name.
    init?(_ text: String) {
        let (address, length) = text.halves(at: "/")
        guard let bytes = addressBytes(address) else { return nil }
        self.bytes = bytes
        bits = Int(min(length.flatMap { UInt($0) } ?? .max, UInt(bytes.count * 8)))
    }

    func contains(_ other: [UInt8]) -> Bool {
        other.count == bytes.count
            && (0..<bits).allSatisfy { bit in
                (other[bit / 8] ^ bytes[bit / 8]).leadingZeroBitCount > bit % 8
            }
    }
}

/// Returns the bytes of a numeric address, with or without brackets; nil for a name.
func addressBytes(_ host: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, host, &bytes) == 1 { return Array(bytes.prefix(4)) }
    // A zone (`%25eth0`) is not part of the address itself.
    let text = host.filter { $0 != "[" && $0 != "]" }.prefix { $0 != "%" }
    return inet_pton(AF_INET6, String(text), &bytes) == 1 ? bytes : nil
}
