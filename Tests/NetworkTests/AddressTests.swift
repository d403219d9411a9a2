import Testing

@testable import Network

@Suite struct AddressTests {
    private let page = Address("http://example.com/a/b/page.html?q=1")

    @Test(
        "an absolute URL is normalised",
        arguments: [
            ("http://example.com", "http://example.com/"),
            ("HTTP://EXAMPLE.com/A", "http://example.com/A"),
            ("http://example.com:80/", "http://example.com/"),
            ("https://example.com:443/x", "https://example.com/x"),
            ("https://example.com:80/x", "https://example.com:80/x"),
            ("  http://example.com/a b \n", "http://example.com/a%20b"),
            ("http://example.com/ü?ä=b c", "http://example.com/%C3%BC?%C3%A4=b%20c"),
            ("http:\\\\example.com\\a\\b?c\\d", "http://example.com/a/b?c%5Cd"),
            ("http://example.com/a\tb\nc", "http://example.com/abc"),
            ("http://h/a|b\"<>^`{}", "http://h/a%7Cb%22%3C%3E%5E%60%7B%7D"),
            ("http://h/a\u{1}\u{0}b", "http://h/a%01%00b"),
            ("http://h/a/../b/./c#frag", "http://h/b/c"),
            ("http://h?x", "http://h/?x"),
            ("http://127.1/", "http://127.0.0.1/"),
            ("http://0x7f000001/", "http://127.0.0.1/"),
            ("http://2130706433/", "http://127.0.0.1/"),
            ("http://%65xample.com/", "http://example.com/"),
            ("http://[::1]:8080/x", "http://[::1]:8080/x"),
            ("http://h/%e4%zz%", "http://h/%e4%zz%"),
            ("http://Bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"),
            ("http://www.münchen.de:81", "http://www.xn--mnchen-3ya.de:81/"),
            ("http://例え.テスト", "http://xn--r8jz45g.xn--zckzah/"),
            ("http://пример.испытание/", "http://xn--e1afmkfd.xn--80akhbyknj4f/"),
            ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
            ("file:///tmp/a b.txt", "file:///tmp/a%20b.txt"),
            ("FILE:/x", "file:///x"),
            ("file://localhost/x", "file:///x"),
        ])
    func normalForm(text: String, normal: String) {
        #expect(Address(text)?.text == normal)
    }

    @Test(
        "anything but an absolute http, https or file URL is rejected",
        arguments: [
            "", " ", "#x", "example.com/x", "/a", "//h/x", "?x", "x:y", "ftp://h/x", "about:blank",
            "data:image/png;base64,xx", "javascript:alert(1)", "mailto:a@b", "blob:http://h/1",
            "http://", "http:///", "http://user:pw@h/x", "http://user@h/x", "http://h:99999/",
            "http://exa mple.com/", "http://a\u{202E}b.com/", "http://%ff.com/",
            "http://" + String(repeating: "ü", count: 100) + ".com/", "http://h%00/",
            "http://h\u{7F}/", "http://h%25d3/", "file://otherhost/x", "file:otherhost//x",
            "http://[::1",
        ])
    func refused(text: String) {
        #expect(Address(text) == nil)
    }

    @Test(
        "references are resolved according to RFC 3986 and browser behaviour",
        arguments: [
            ("x.jpg", "http://example.com/a/b/x.jpg"),
            ("/x.jpg", "http://example.com/x.jpg"),
            ("//other.org/x", "http://other.org/x"),
            ("?y=2", "http://example.com/a/b/page.html?y=2"),
            ("", "http://example.com/a/b/page.html?q=1"),
            ("#f", "http://example.com/a/b/page.html?q=1"),
            ("  \n ", "http://example.com/a/b/page.html?q=1"),
            ("../up.html", "http://example.com/a/up.html"),
            ("../../../../up", "http://example.com/up"),
            ("./", "http://example.com/a/b/"),
            ("..", "http://example.com/a/"),
            (" a b.jpg ", "http://example.com/a/b/a%20b.jpg"),
            ("ü.jpg", "http://example.com/a/b/%C3%BC.jpg"),
            ("img\\x.jpg", "http://example.com/a/b/img/x.jpg"),
            ("\\\\other.org\\x", "http://other.org/x"),
            ("./a:b", "http://example.com/a/b/a:b"),
            ("x?a#b", "http://example.com/a/b/x?a"),
            ("http:x.jpg", "http://example.com/a/b/x.jpg"),
            ("http:/x.jpg", "http://example.com/x.jpg"),
            ("HTTPS://Other.org", "https://other.org/"),
            ("/a//b", "http://example.com/a//b"),
            ("x/../y", "http://example.com/a/b/y"),
        ])
    func resolution(reference: String, expected: String) throws {
        let page = try #require(page)
        #expect(page.resolving(reference)?.text == expected)
    }

    @Test(
        "references that cannot be fetched are rejected",
        arguments: [
            "data:x", "javascript:void(0)", " JavaScript:x", "mailto:a@b", "about:blank",
            "blob:http://h/x", "tel:1", "x:y", "//", "http://", "//u:p@h/x", "ftp://h/x",
            "java\nscript:alert(1)",
        ])
    func unresolvable(reference: String) throws {
        let page = try #require(page)
        #expect(page.resolving(reference) == nil)
    }

    @Test("a megabyte-long data URL and a 20 KB name are rejected")
    func tooLong() throws {
        let page = try #require(page)
        #expect(page.resolving("data:" + String(repeating: "A", count: 1 << 20)) == nil)
        #expect(page.resolving(String(repeating: "a", count: 20_000)) == nil)
    }

    @Test("what a page's references share is resolved once, and all agree with libcurl")
    func resolverAgrees() throws {
        let bases = [
            "http://example.com/", "https://example.com/a/b/c.html?x=/y/z", "http://h:8080/dir/",
            "http://127.0.0.1:81/a", "http://[::1]/x/y", "file:///tmp/dir/page.html",
        ]
        let heads = [
            "", "/", "//", "a", "a/", "./", "../", "..", ".", ".hidden", "/.", "a/.b", "?", "?q",
            "http://", "https://", "http:", "http://h", "http://h/", "http://h:80/", "http://H/",
            "http://1.2/", "http://a.0x7f/", "http://a.b./", "http://-a.b/", "http://a..b/",
            "http://a-b.c1/", "https://x.y.zz/p", "//cdn.example/", "x:", "x/y:z", "%2e%2e/",
            "/%2E/", "http://h/.",
        ]
        let tails = [
            "", "x.jpg", "x/y.jpg?w=1&h=2", "x?a=/../b", "x#f", "x?y#f", "a%20b", "..", "/..", "//",
            "/", "a:b", "?", "~u/(1),2;3!+x=y", "é", "a b", "?u=http://h/x", "...", "a./b",
        ]
        for base in try bases.map({ try #require(Address($0)) }) {
            let resolver = AddressResolver(base: base)
            for reference in heads.flatMap({ head in tails.map { head + $0 } }) {
                var bytes = reference
                let known = bytes.withUTF8(resolver.resolve)
                #expect(known == base.resolving(reference), "\(base) + \(reference)")
            }
        }
    }

    @Test("a file path survives the conversion to an address and back")
    func filePaths() {
        for path in ["/tmp/a b/ü%41#?\\.jpg", "/", "/a/.b/..c", "/x;y&z", "/tab\tname"] {
            #expect(Address(path: path).filePath == path)
        }
        #expect(Address(path: "/a/b", isFolder: true).text == "file:///a/b/")
        #expect(Address(path: "/a/b/", isFolder: true).text == "file:///a/b/")
        #expect(Address("file:///a%00b")?.filePath == nil)
        #expect(Address("http://h/a")?.filePath == nil)
        let saved = Address(path: "/tmp/dir/page.html")
        #expect(saved.resolving("img/x.jpg?v=3")?.filePath == "/tmp/dir/img/x.jpg")
        #expect(saved.resolving("https://h/x")?.text == "https://h/x")
    }

    @Test("the components of an address are available")
    func parts() throws {
        let address = try #require(
            Address("https://Example.com:8443/a/Fine%20Picture.JPEG?x=a/b.png"))
        #expect(address.scheme == "https")
        #expect(address.host == "example.com")
        #expect(address.origin == "https://example.com:8443")
        #expect(address.lastPathComponent == "Fine Picture.JPEG")
        #expect(!address.isFolder)
        #expect(Address("https://h/a/")?.isFolder == true)
        #expect(Address("https://h/a/")?.lastPathComponent == "")
        #expect(Address("https://h/a/?x")?.isFolder == true)
        #expect(Address("http://[::1]:8080/")?.host == "[::1]")
        #expect(Address("file:///x")?.host == "")
        #expect(Address("http://h/a%1B%5Bm%E2%80%AEgpj.exe")?.lastPathComponent == "a[mgpj.exe")
    }

    @Test("only the user names file servers, whose pages name what is beside them")
    func fileServers() throws {
        let servers = FileServers()
        let folder = try #require(servers.address("SFTP://me:p%40:ss@Nas:22/~/a b/"))
        #expect(folder.text == "sftp://nas/~/a%20b/")
        #expect(folder.isOnFileServer && !folder.isOnWeb && !folder.isFile)
        let login = servers.login(for: folder, from: nil)
        #expect(login?.user == "me" && login?.password == "p@:ss")
        #expect(servers.login(for: folder, from: folder) != nil)
        #expect(servers.login(for: folder, from: page) == nil)
        let other = try #require(FileServers().address("ftp://nas:2121"))
        #expect(other.text == "ftp://nas:2121/" && !other.isFile && other.filePath == nil)
        #expect(servers.login(for: other, from: nil) == nil)
        for text in ["sftp://a@b@/", "scp://nas/", "http://nas/", "sftp://", "nas"] {
            #expect(servers.address(text) == nil)
        }
        for text in [
            "sftp://nas/x", "sftp:x", "SFTP:\\\\nas\\x", "//nas/x", "\\\\nas\\x", "ftp://nas:2121/",
            "ftps:/x",
            "sf\ntp://nas/x", "//nas.example/x", "scp://nas/x",
        ] {
            for base in [page, folder, other, Address(path: "/tmp/page.html")] {
                let found = base?.resolving(text)
                #expect(
                    found?.isOnFileServer != true || found?.origin == base?.origin,
                    "\(text) on \(String(describing: base))")
            }
            #expect(Address(text) == nil)
        }
        #expect(folder.resolving("c.jpg")?.text == "sftp://nas/~/a%20b/c.jpg")
        #expect(folder.resolving("/c.jpg")?.text == "sftp://nas/c.jpg")
        #expect(folder.resolving("../../../c.jpg")?.text == "sftp://nas/c.jpg")
        #expect(folder.resolving("https://h/c.jpg")?.text == "https://h/c.jpg")
        var texts: [UInt8] = []
        var reference = "c.jpg"
        let start = reference.withUTF8 {
            AddressResolver(base: other).resolve($0, appendingTo: &texts)
        }
        #expect(start == "ftp://nas:2121".utf8.count)
    }

    @Test("a text with a password is cut off before it is shown")
    func shown() {
        #expect(FileServers.shown("open sftp://a:b/c@d/") == "open sftp://…")
        #expect(FileServers.shown("https://a:b@c/") == "https://…")
        for text in ["https://c/@a", "sftp://nas/x", "/tmp/a@b", "a@b"] {
            #expect(FileServers.shown(text) == text)
        }
    }
}
