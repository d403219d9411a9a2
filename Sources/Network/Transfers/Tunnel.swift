import Basics
import CCurl
import Glibc

/// A connection to a server for another program's bytes, made as those for requests are: by the user's proxies, to no address that is
/// forbidden.
package final class Tunnel {
    /// The socket, on which reading and writing do not block.
    package private(set) var socket: Int32 = -1
    /// Whether the server is at a private address; behind a proxy, whether it is by its name.
    package fileprivate(set) var isPrivate = false
    private let handle: UnsafeMutableRawPointer
    private var addresses: AddressGuard
    private let proxy: String?

    /// Connects to `server`, an address with its host and port, of which nothing is asked; blocks until that has succeeded or failed.
    fileprivate init(
        to server: String, by proxy: String?, isGuarded: Bool, settings: Transfers.Settings
    ) throws(FetchError) {
        guard let handle = curl_easy_init() else { throw .other("out of memory") }
        self.handle = handle
        addresses = AddressGuard(isGuarded: isGuarded, isPrivate: settings.isPrivate)
        self.proxy = proxy
        let texts: KeyValuePairs<CURLoption, String?> = [
            CURLOPT_URL: server, CURLOPT_PROXY: proxy ?? "", CURLOPT_NOPROXY: "",
            CURLOPT_PROXY_CAINFO: settings.options.certificateFile,
        ]
        for (option, text) in texts where text != nil {
            halftone_curl_set_text(handle, option, text)
        }
        let numbers: KeyValuePairs<CURLoption, Int> = [
            CURLOPT_CONNECT_ONLY: 1, CURLOPT_HTTPPROXYTUNNEL: 1, CURLOPT_NOSIGNAL: 1,
            CURLOPT_CONNECTTIMEOUT_MS: max(1, settings.options.timeout) * 1000,
        ]
        for (option, number) in numbers { halftone_curl_set_long(handle, option, number) }
        halftone_curl_set_pointer(
            handle, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(self).toOpaque())
        halftone_curl_set_open_socket(handle, CURLOPT_OPENSOCKETFUNCTION) { context, _, address in
            guard let context, let address else { return -1 }
            return Unmanaged<Tunnel>.fromOpaque(context).takeUnretainedValue().open(address)
        }
        var pinned: UnsafeMutablePointer<curl_slist>?
        for name in settings.pinnedNames { pinned = curl_slist_append(pinned, name) ?? pinned }
        defer { curl_slist_free_all(pinned) }
        halftone_curl_set_list(handle, CURLOPT_RESOLVE, pinned)
        let code = curl_easy_perform(handle)
        guard !addresses.hasRefused else { throw .privateAddress(server) }
        guard code == CURLE_OK,
            halftone_curl_get_socket(handle, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK
        else { throw .connectionFailed(String(cString: curl_easy_strerror(code))) }
    }

    deinit { curl_easy_cleanup(handle) }

    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
        let target = address.pointee
        if proxy == nil {
            let bytes = addressBytes(UnsafeRawPointer(address) + offset, family: target.family)
            guard addresses.admits(bytes) else { return -1 }
            isPrivate = bytes.map(addresses.isPrivate) ?? true
        }
        return Glibc.socket(
            target.family, target.socktype | Int32(SOCK_CLOEXEC.rawValue), target.protocol)
    }
}

extension FetchStage {
    /// Whether a page is public, as far as known, and so may name no private addresses; callable on any thread.
    package func isPublic(_ page: Address) -> Bool { transfers.settings.isPublic(page) }

    /// Connects to a server, `host:port`; blocks, callable on any thread.
    ///
    /// - Parameters:
    ///   - isEncrypted: whether the bytes will be TLS, which decides on the proxy.
    ///   - isGuarded: whether private addresses are forbidden, unless the user permits them for this host.
    package func tunnel(
        to server: String, isEncrypted: Bool, isGuarded: Bool
    ) throws(FetchError) -> Tunnel {
        let settings = transfers.settings
        guard let origin = Address((isEncrypted ? "https://" : "http://") + server),
            let plain = Address("http://" + server)
        else { throw .other("no such server: \(server.oneLine(limit: 100))") }
        guard !options.isOffline else { throw .offline }
        let isGuarded = isGuarded && !options.at(origin.host).allowsPrivate
        if isGuarded, settings.isPrivateHost(origin) { throw .privateAddress(origin.host) }
        let proxy = options.proxies.proxy(for: origin)
        guard proxy?.hasPrefix("https:") != true else {
            throw .other("pages cannot be drawn through a proxy that is itself encrypted")
        }
        let tunnel = try Tunnel(
            to: plain.origin, by: proxy, isGuarded: isGuarded, settings: settings)
        if proxy == nil {
            settings.peers.note(origin, isPrivate: tunnel.isPrivate)
        } else {
            tunnel.isPrivate = settings.isPrivateHost(origin)
        }
        return tunnel
    }
}
