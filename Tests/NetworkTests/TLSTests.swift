import Pipeline
import TestSupport
import Testing

@testable import Network

/// Encrypted connections to a real HTTP/2 server, with freshly made certificates.
@Suite struct TLSTests {
    private let folder: ScratchFolder
    private let body = [UInt8](repeating: 7, count: 5000)

    init() throws {
        folder = try ScratchFolder()
        for number in 0..<40 { try folder.write(body, to: "\(number).jpg") }
    }

    private func server(
        for names: [String] = ["DNS:gallery.example"], days: Int = 2
    ) throws -> (HTTP2Server, TestCertificate) {
        let certificate = try TestCertificate(for: names, days: days, in: folder.path)
        return (try HTTP2Server(certificate, folder: folder.path), certificate)
    }

    /// Creates a scene whose `gallery.example` is this machine, and whose user trusts `certificate`.
    private func scene(
        _ server: HTTP2Server, trusting certificate: TestCertificate? = nil,
        _ change: (inout NetworkOptions) -> Void = { _ in }
    ) throws -> Scene {
        try Scene(pinned: ["gallery.example:\(server.port):127.0.0.1"]) { options in
            var variables: [String: String] = [:]
            variables["SSL_CERT_FILE"] = certificate?.path
            options.adopt(variables: variables)
            options.sources = [Address(url(server, ""))].compactMap(\.self)
            change(&options)
        }
    }

    private func url(_ server: HTTP2Server, _ path: String) -> String {
        "https://gallery.example:\(server.port)/\(path)"
    }

    @Test("forty pictures are fetched over one HTTP/2 connection")
    func multiplexed() async throws {
        let (server, certificate) = try server()
        let scene = try scene(server, trusting: certificate) { $0.connectionsPerHost = 20 }
        let pending = try (0..<40).map {
            scene.fetcher.started(try scene.request(url(server, "\($0).jpg")), priority: .visible)
        }
        var handshakes = 0
        for one in pending {
            let response = try await one.result().get()
            #expect(response.body == body)
            handshakes += response.timings.handshake > 0 ? 1 : 0
        }
        let account = server.stop()
        #expect(account.requests == 40)
        #expect(account.connections == 1)
        #expect(handshakes == 1)
    }

    @Test("an untrusted certificate is refused in one line and not retried")
    func selfSigned() async throws {
        let (server, _) = try server()
        let scene = try scene(server)
        let error = try await scene.failure(of: url(server, "0.jpg"))
        #expect(error == .insecure("the server's certificate is self-signed"))
        #expect(
            error?.description == "not secure: the server's certificate is self-signed")
        #expect(server.stop().requests == 0)
    }

    @Test("a certificate for another host is refused")
    func wrongHost() async throws {
        let (server, certificate) = try server(for: ["DNS:other.example", "DNS:*.gallery.example"])
        let scene = try scene(server, trusting: certificate)
        let error = try await scene.failure(of: url(server, "0.jpg"))
        #expect(error == .insecure("the server's certificate is not for gallery.example"))
        #expect(server.stop().requests == 0)
    }

    @Test("an expired certificate is refused")
    func expired() async throws {
        let (server, certificate) = try server(days: -1)
        let scene = try scene(server, trusting: certificate)
        let error = try await scene.failure(of: url(server, "0.jpg"))
        #expect(error == .insecure("the server's certificate has expired"))
        #expect(server.stop().requests == 0)
    }

    @Test("a missing certificate file is named in the error")
    func noBundle() async throws {
        let (server, _) = try server()
        let scene = try scene(server) { $0.certificateFile = "/nonexistent/bundle.pem" }
        let error = try await scene.failure(of: url(server, "0.jpg"))
        #expect(error?.description.contains("SSL_CERT_FILE) cannot be read") == true)
    }

    @Test("an encrypted connection is tunnelled through an HTTP or SOCKS proxy")
    func tunnels() async throws {
        let (server, certificate) = try server()
        for kind in [ProxyServer.Kind.http(status: 200), .socks5] {
            let proxy = try ProxyServer(kind)
            defer { proxy.stop() }
            var scheme = "http"
            if case .socks5 = kind { scheme = "socks5h" }
            let variables = [
                "https_proxy": "\(scheme)://127.0.0.1:\(proxy.port)",
                "CURL_CA_BUNDLE": certificate.path,
            ]
            let scene = try Scene { $0.adopt(variables: variables) }
            for number in 0..<3 {
                let response = try await scene.get(
                    url(server, "\(number).jpg"), referer: "https://gallery.example/")
                #expect(response.body == body)
            }
            #expect(proxy.targets == ["gallery.example:\(server.port)"])
        }
        #expect(server.stop().connections == 2)
    }
}
