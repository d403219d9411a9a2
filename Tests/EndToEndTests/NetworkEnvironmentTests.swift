import TestSupport
import Testing

/// Environment variables that affect connections.
@Suite struct NetworkEnvironmentTests {
    @Test("a gallery is fetched through the environment's proxy, unless no_proxy names its host")
    func proxy() throws {
        let folder = try ScratchFolder()
        let proxy = try LoopbackServer()
        proxy.route("http://gallery.example/") { _ in
            .html("<title>g</title><img src=a.jpg width=300 height=200>")
        }
        let variables = ["http_proxy": "127.0.0.1:\(proxy.port)"]
        let run = try ProgramRun(
            ["--urls", "http://gallery.example/"], in: folder, environment: variables)
        #expect(run.lines == ["http://gallery.example/a.jpg"])
        #expect(run.code == 0)
        proxy.stop()
        let gone = try ProgramRun(
            ["--urls", "--no-cache", "http://gallery.example/"], in: folder,
            environment: variables)
        #expect(gone.code == 1)
        #expect(gone.errors.count == 1)
        #expect(gone.errors.first?.contains("does not answer") == true)
    }

    @Test("certificates in SSL_CERT_FILE are trusted, others are not")
    func certificates() throws {
        let folder = try ScratchFolder()
        let certificate = try TestCertificate(for: ["IP:127.0.0.1"], in: folder.path)
        let page = "<title>g</title><img src=a.jpg width=300 height=200>"
        _ = try folder.write(page, to: "index.html")
        let server = try HTTP2Server(certificate, folder: folder.path)
        let source = "https://127.0.0.1:\(server.port)/"
        let arguments = ["--urls", "--no-cache", source]
        let trusting = try ProgramRun(
            arguments, in: folder, environment: ["SSL_CERT_FILE": certificate.path])
        #expect(trusting.lines == [source + "a.jpg"])
        let wary = try ProgramRun(arguments, in: folder)
        #expect(wary.code == 1)
        let reason = "the server's certificate is self-signed"
        #expect(wary.errors.first?.hasSuffix(reason) == true)
        _ = server.stop()
    }

    @Test("a missing library is reported with its package; everything else still works")
    func missingLibraries() throws {
        let folder = try ScratchFolder()
        let server = try LoopbackServer()
        // The dynamic loader ends its search at a file that is not a library.
        for name in ["libcurl.so.4", "libcurl-gnutls.so.4", "libarchive.so.13"] {
            try folder.write("", to: "none/" + name)
        }
        let zip = folder.path + "/a.zip"
        #expect(PackedFiles.write([("1.png", [1])], to: zip))
        try folder.write([0x89], to: "pictures/b.png")
        let sources = [
            "gallery.example", "http://gallery.example", server.url("/"), server.url("/2"),
        ]
        let run = try ProgramRun(
            ["--urls"] + sources + [zip, folder.path + "/pictures"], in: folder,
            environment: ["LD_LIBRARY_PATH": folder.path + "/none"])
        #expect(run.lines.map { $0.hasSuffix("/b.png") } == [true])
        #expect(run.errors.count { $0.hasSuffix("apt install libcurl4, or similar") } == 4)
        #expect(run.errors.count { $0.hasSuffix("apt install libarchive13, or similar") } == 1)
        #expect(run.errors.count == 5, "\(run.errors)")
    }
}
