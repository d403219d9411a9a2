import Glibc

/// A self-signed certificate, freshly made by openssl.
public struct TestCertificate: Sendable {
    /// The certificate, in PEM; a client that trusts this file trusts the server.
    public let path: String
    let key: String

    /// Creates a certificate for `names` (`DNS:…`, `IP:…`) in `folder`, valid for `days`; it has expired if that is negative.
    public init(for names: [String], days: Int = 2, in folder: String) throws {
        let stem = folder + "/certificate-\(UInt32.random(in: 0...UInt32.max))"
        path = stem + ".pem"
        key = stem + ".key"
        try Tool.run(
            "openssl",
            [
                "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-subj", "/CN=halftone test", "-keyout", key, "-out", stem + ".request",
            ])
        let extensions = "subjectAltName=\(names.joined(separator: ","))\n"
        guard let file = fopen(stem + ".extensions", "w") else {
            throw ServerError(call: "fopen", code: errno)
        }
        fputs(extensions, file)
        fclose(file)
        try Tool.run(
            "openssl",
            [
                "x509", "-req", "-in", stem + ".request", "-signkey", key, "-days", "\(days)",
                "-extfile", stem + ".extensions", "-out", path,
            ])
    }
}

/// A real HTTP/2 server over TLS on the loopback interface: nghttpd, serving the files of a folder.
public final class HTTP2Server: Sendable {
    /// The port.
    public let port: Int

    private let tool: Tool

    /// Starts the server, and waits until it listens.
    public init(_ certificate: TestCertificate, folder: String) throws {
        // Another process may take the port before it is used.
        var failure: any Error = ServerError(call: "bind", code: EADDRINUSE)
        for _ in 0..<5 {
            do {
                let port = try LoopbackServer.freePort()
                let tool = try Tool(
                    // Output to a pipe would be block-buffered, and we wait for a line.
                    "stdbuf",
                    [
                        "-oL", "nghttpd", "-v", "-a", "127.0.0.1", "-d", folder, "\(port)",
                        certificate.key,
                        certificate.path,
                    ])
                try tool.waitFor("listen 127.0.0.1")
                self.port = port
                self.tool = tool
                return
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// The server's statistics once it has ended.
    public struct Account: Sendable {
        /// The number of connections that negotiated HTTP/2.
        public var connections: Int
        /// The number of requests.
        public var requests: Int
    }

    /// Stops the server and returns its statistics.
    public func stop() -> Account {
        let lines = tool.stop()
        return Account(
            connections: lines.count { $0.contains("negotiated protocol: h2") },
            requests: lines.count { $0.contains("recv HEADERS frame") })
    }
}

extension LoopbackServer {
    /// Returns a port that is currently free.
    public static func freePort() throws -> Int {
        let server = try LoopbackServer()
        defer { server.stop() }
        return server.port
    }
}
