import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Catalogues of books on servers that stand for Komga and calibre.
    @Suite("Catalogues of books") struct CatalogueTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        /// Returns a server with a catalogue at `/opds`, whose book is 12 pages; `guarded` may refuse a request.
        private func server(
            guarded: @escaping @Sendable (ServerRequest) -> ServerResponse? = { _ in nil }
        ) throws -> LoopbackServer {
            let server = try LoopbackServer()
            @Sendable func feed(_ title: String, _ entry: String) -> ServerResponse {
                .bytes(
                    Array(
                        """
                        <?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"
                        xmlns:pse="http://vaemendis.net/opds-pse/ns"><title>\(title)</title><entry>\(entry)</entry></feed>
                        """.utf8), type: "application/atom+xml;profile=opds-catalog;charset=utf-8")
            }
            server.route("/opds") {
                guarded($0)
                    ?? feed(
                        "Root",
                        """
                        <title>All series</title><link rel="subsection" href="/series"
                        type="application/atom+xml;profile=opds-catalog;kind=acquisition"/>
                        """)
            }
            server.route("/series") {
                guarded($0)
                    ?? feed(
                        "Series",
                        """
                        <title>A book</title><link rel="http://opds-spec.org/image/thumbnail" type="image/png" href="/page/7"/>
                        <link rel="http://opds-spec.org/acquisition" type="application/zip" href="/file"/>
                        <link rel="http://vaemendis.net/opds-pse/stream" type="image/png" pse:count="12" href="/page/{pageNumber}?zero_based=true"/>
                        """)
            }
            server.route(below: "/page/") { request in
                let number = request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0
                return guarded(request)
                    ?? .bytes(
                        ProgramPictures.png(ProgramGallery.color(number + 1)), type: "image/png",
                        headers: [("Cache-Control", "max-age=60")])
            }
            return server
        }

        @Test(
            "a catalogue leads to a book by pages, which opens where it was left"
        )
        func pages() throws {
            let server = try server()
            let screen = try ProgramScreen([server.url("/opds")], in: folder)
            #expect(screen.waitFor("All series"), "\(screen.screen.text)")
            screen.type(Keys.enter)
            #expect(screen.waitFor("A book"), "\(screen.screen.text)")
            #expect(
                screen.wait {
                    $0.colors(in: CellRect(x: 0, y: 1, columns: 80, rows: 20))
                        .contains(CellColor(ProgramGallery.color(8)))
                })
            screen.type(Keys.enter)
            #expect(screen.wait { $0.position == "1/12" }, "\(screen.screen.text)")
            screen.type("ll" + Keys.enter)
            #expect(screen.wait { $0.middle == [CellColor(ProgramGallery.color(3))] })
            screen.type("qqq")
            #expect(screen.quit() == .code(0))
            #expect(server.count(of: "/file") == 0)
            #expect(!server.requests.contains { $0.path.contains("pageNumber") })
            #expect(Set(server.requests.compactMap(\.query)) == ["zero_based=true"])

            let again = try ProgramScreen([server.url("/series")], in: folder)
            #expect(again.waitFor("A book"), "\(again.screen.text)")
            again.type(Keys.enter)
            #expect(again.wait { $0.position == "3/12" }, "\(again.screen.text)")
            again.type("q")
            #expect(again.quit() == .code(0))
        }

        /// Answers a request without the right name and password as a server does that asks for a digest (RFC 7616).
        @Sendable private static func digest(_ request: ServerRequest) -> ServerResponse? {
            let header = request.header("authorization") ?? ""
            let fields = Dictionary(
                header.matches(of: /(\w+)="?([^",]*)"?/).map { (String($0.1), String($0.2)) }
            ) { first, _ in first }
            func hash(_ parts: String?...) -> String? {
                let text = parts.map { $0 ?? "" }.joined(separator: ":")
                let lines = try? Tool.output(of: "sh", ["-c", "printf %s \"$0\" | md5sum", text])
                return lines?.first?.split(separator: " ").first.map(String.init)
            }
            let right = hash(
                hash("me", "books", "pass word"), fields["nonce"], fields["nc"], fields["cnonce"],
                fields["qop"], hash("GET", fields["uri"]))
            return header.hasPrefix("Digest") && fields["response"] == right
                ? nil
                : .status(
                    401,
                    headers: [
                        ("WWW-Authenticate", #"Digest realm="books", nonce="n1", qop="auth""#)
                    ])
        }

        /// Answers a request without the right name and password as a server does that asks for them as they are (RFC 7617).
        @Sendable private static func basic(_ request: ServerRequest) -> ServerResponse? {
            request.header("authorization") == "Basic bWU6cGFzcyB3b3Jk"
                ? nil : .status(401, headers: [("WWW-Authenticate", #"Basic realm="books""#)])
        }

        /// Writes a configuration with a log-in for a site; returns the options that name it.
        private func login(at site: String, by program: [String]) throws -> [String] {
            let words = program.map { "\"\($0)\"" }.joined(separator: ", ")
            return [
                "--config",
                try folder.write(
                    #"{"sites": {"\#(site)": {"user": "me", "password-command": [\#(words)]}}}"#,
                    to: "config.json"),
            ]
        }

        @Test(
            "a name and a program's password log in, by digest or basic; the program runs once",
            arguments: [true, false])
        func logins(isDigest: Bool) throws {
            let server = try server(guarded: isDigest ? Self.digest : Self.basic)
            let secret = try folder.write("pass word\nanother line\n", to: "secret")
            let options = try login(
                at: "127.0.0.1:\(server.port)",
                by: ["sh", "-c", "echo called >> \(folder.path)/calls; sleep 0.3; cat \(secret)"])
            let run = try ProgramRun(options + ["--json", server.url("/series")], in: folder)
            #expect(run.code == 0 && run.lines.count == 1, "\(run.errors)")
            #expect(run.output.contains("A book"))
            #expect(folder.read("calls") == Array("called\n".utf8))
            let book = server.url("/page/%7BpageNumber%7D?zero_based=true&pse:count=12")
            let sheet = try ProgramRun(
                options + ["--print", "--trace", folder.path + "/trace", book], in: folder,
                environment: ["COLUMNS": "90"])
            let color = ProgramGallery.color(12)
            #expect(sheet.output.contains("2;\(color.red);\(color.green);\(color.blue)"))
            let files = try Tool.output(
                of: "grep", ["-rl", "-e", "pass word", "-e", "bWU6cGFzcyB3b3Jk", folder.path])
            #expect(files.filter { !$0.isEmpty } == [secret])
        }

        @Test("what is wrong with a log-in is told in one line; no other origin is sent a password")
        func refusals() throws {
            let server = try server(guarded: Self.basic)
            let site = "127.0.0.1:\(server.port)"
            func errors(_ options: [String]) throws -> [String] {
                try ProgramRun(options + ["--urls", server.url("/opds")], in: folder).errors
            }
            let hint =
                "(--cookies-from-browser firefox sends what Firefox has, \"sites\" a user's name and password)"
            for options in [[], try login(at: site, by: ["echo", "wrong"])] {
                #expect(
                    try errors(options) == [
                        "halftone: \(server.url("/opds")): the server answered 401 Unauthorized \(hint)"
                    ])
            }
            let failing = try errors(
                login(at: site, by: ["sh", "-c", "echo it is locked >&2; exit 3"]))
            #expect(
                failing == [
                    "halftone: \(server.url("/opds")): no password: sh ended with 3: it is locked"
                ])

            let other = try LoopbackServer()
            other.route(below: "/") {
                Self.basic($0) ?? .status(404)
            }
            server.route("/away") { Self.basic($0) ?? .redirect(to: other.url("/there")) }
            _ = try ProgramRun(
                login(at: site, by: ["echo", "pass word"]) + ["--urls", server.url("/away")],
                in: folder)
            #expect(server.requests(to: "/away").last?.header("authorization") != nil)
            #expect(other.count(of: "/there") == 1)
            #expect(other.requests.allSatisfy { $0.header("authorization") == nil })
        }
    }
}
