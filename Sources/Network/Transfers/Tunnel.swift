package import Basics
import CCurl
import Pipeline

/// A connection to a server for another program's bytes, made as those for requests are: by the user's proxies, to no address that is
/// forbidden.
package final class Tunnel {
    /// The socket, on which reading and writing do not block.
    package private(set) var socket: Int32 = -1
    /// Whether the server is at a private address; behind a proxy, whether it is by its name.
    package private(set) var isPrivate = false
    private let handle: UnsafeMutableRawPointer
    private var addresses: AddressGuard

    /// Connects to the server of an address, of which nothing is asked; blocks until that has succeeded or failed.
    fileprivate init(
        to server: Address, isGuarded: Bool, settings: Transfers.Settings
    ) throws(FetchError) {
        let proxy = settings.options.proxies.proxy(for: server)
        guard proxy?.hasPrefix("https:") != true else {
            throw .other("pages cannot be drawn through a proxy that is itself encrypted")
        }
        guard TransferLoop.isLoaded, let handle = curl_easy_init() else {
            throw .other("out of memory")
        }
        self.handle = handle
        addresses = AddressGuard(
            isGuarded: isGuarded && proxy == nil, isPrivate: settings.isPrivate)
        // For https libcurl would begin the encryption, which is the browser's.
        let port = server.scheme == "https" && server.port.isEmpty ? ":443" : server.port
        halftone_curl_set_text(handle, CURLOPT_URL, "http://\(server.host)\(port)")
        halftone_curl_set_text(handle, CURLOPT_PROXY, proxy ?? "")
        halftone_curl_set_text(handle, CURLOPT_NOPROXY, "")
        let numbers: KeyValuePairs<CURLoption, Int> = [
            CURLOPT_CONNECT_ONLY: 1, CURLOPT_HTTPPROXYTUNNEL: 1, CURLOPT_NOSIGNAL: 1,
            CURLOPT_CONNECTTIMEOUT_MS: max(1, settings.options.timeout) * 1000,
        ]
        for (option, number) in numbers { halftone_curl_set_long(handle, option, number) }
        let pinned = settings.pinnedList
        defer { curl_slist_free_all(pinned) }
        halftone_curl_set_list(handle, CURLOPT_RESOLVE, pinned)
        halftone_curl_set_pointer(
            handle, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(self).toOpaque())
        halftone_curl_set_open_socket(handle, CURLOPT_OPENSOCKETFUNCTION) { context, _, address in
            guard let context, let address else { return -1 }
            let tunnel = Unmanaged<Tunnel>.fromOpaque(context).takeUnretainedValue()
            return tunnel.addresses.openSocket(address)
        }
        let code = curl_easy_perform(handle)
        guard !addresses.hasRefused else { throw .privateAddress(server.host) }
        guard code == CURLE_OK,
            halftone_curl_get_socket(handle, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK
        else { throw .connectionFailed(String(cString: curl_easy_strerror(code))) }
        guard proxy == nil else {
            isPrivate = settings.isPrivateHost(server)
            return
        }
        isPrivate = peerAddress(of: handle).map(settings.isPrivate) ?? true
        settings.peers.note(server, isPrivate: isPrivate)
    }

    deinit { curl_easy_cleanup(handle) }
}

/// What a browser needs that draws pages for Halftone; callable on any thread.
extension FetchStage {
    /// Whether a page is public, as far as known, and so may name no private addresses.
    package func isPublic(_ page: Address) -> Bool { transfers.settings.isPublic(page) }

    /// Connects to the server of an address; blocks.
    ///
    /// - Parameter isGuarded: whether private addresses are forbidden, unless the user permits them for this host.
    package func tunnel(to server: Address, isGuarded: Bool) throws(FetchError) -> Tunnel {
        let settings = transfers.settings
        guard !options.isOffline else { throw .offline }
        let isGuarded = isGuarded && !options.at(server.host).allowsPrivate
        if isGuarded, settings.isPrivateHost(server) { throw .privateAddress(server.host) }
        return try Tunnel(to: server, isGuarded: isGuarded, settings: settings)
    }

    /// Returns the lines of the user's cookie file that are for an address's host; blocks on the disk.
    package func cookies(for address: Address) -> [Substring] {
        let file = options.cookieFile(for: address).flatMap { smallFile($0, limit: 1 << 20) }
        return String(utf8: file ?? []).split(whereSeparator: \.isNewline).filter { line in
            let domain = bareName(line.trimmingPrefix("#HttpOnly_").halves(at: "\t").head)
            return ("." + address.host).hasSuffix("." + domain)
        }
    }

    /// Keeps cookies, as lines of a cookie file, to be sent with the requests that they are for.
    package func note(cookies lines: [String]) {
        // As many and as large as browsers keep for one host (RFC 6265, section 6.1).
        let new = lines.filter { $0.utf8.count <= 4096 }
        transfers.settings.drawnCookies.withLock { known in
            known = (known.filter { !new.contains($0) } + new).suffix(150)
        }
    }

    /// Returns the user's header fields for an address.
    package func ownFields(for address: Address) -> HeaderFields {
        options.ownFields(for: address).safe
    }
}
