import Basics
import Dispatch
import Glibc
import Network
import TestSupport
import TestTraits
import Testing

@testable import Rendering

/// The whole program with Debian's Chromium, as a user, against pages that scripts draw.
@Suite(
    "Pages that scripts draw", .onOwnThread,
    .enabled(
        if: ProgramOfUser.isPossible,
        "Chromium, React or Vue is missing (make deps-browser), or Chromium does not start here"))
struct DrawnPagesTests {
    @Test("without a browser they have no pictures, and nothing but the page is asked for")
    func undrawn() throws {
        let gallery = try DrawnGallery()
        defer { gallery.server.stop() }
        let run = try ProgramOfUser().run(["--urls", "--browser", "never", gallery.url("drawn")])
        #expect(run.lines.isEmpty)
        #expect(gallery.server.requests.map(\.path) == ["/pages/drawn.html"])
    }

    @Test(
        "one screen: every picture once, in the page's order, and none is asked of the server",
        arguments: [
            ["drawn", "shadow", "frames", "background", "picture", "react", "vue", "lazy"],
            ["masonry", "busy", "cookie", "unsaved", "intrusive", "million", "timer"],
        ])
    func screen(_ names: [String]) throws {
        let gallery = try DrawnGallery()
        defer { gallery.server.stop() }
        let user = try ProgramOfUser()
        let run = try user.run(["--urls", "--pages", "1"] + names.map { gallery.url($0) })
        let expected = gallery.pictures()
        for (index, name) in names.enumerated() {
            let lines = run.lines.dropFirst(index * expected.count).prefix(expected.count)
            #expect(Array(lines) == expected, "\(name): \(run.errors)")
        }
        #expect(run.lines.count == names.count * expected.count)
        #expect(gallery.server.count(of: "/api") == names.count)
        #expect(!gallery.server.requests.contains { $0.path.hasPrefix("/pictures/") })
        #expect(user.isClean())
    }

    @Test(
        "endless: each picture once and in order, with one request a screen",
        arguments: zip(
            ["intersection", "scroll", "button", "virtual", "inner", "post"], [10, 3, 3, 3, 3, 3]))
    func endless(_ name: String, _ screens: Int) throws {
        let gallery = try DrawnGallery()
        defer { gallery.server.stop() }
        let run = try ProgramOfUser().run(
            ["--urls", "--pages", "all", gallery.url(name, screens: screens)])
        #expect(run.lines == gallery.pictures(screens: screens), "\(run.errors)")
        #expect(gallery.server.count(of: "/api") == screens)
        #expect(gallery.server.count(of: "/wrong") == 0)
    }

    @Test(
        "the user's cookies and fields go to their own origin, the page's cookies with its pictures, each of which is fetched once"
    )
    func secrets() throws {
        let gallery = try DrawnGallery()
        defer { gallery.server.stop() }
        let user = try ProgramOfUser()
        let cookies = """
            127.0.0.1\tFALSE\t/\tFALSE\t0\town\t1
            #HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t4102444800\thidden\t1
            127.0.0.1\tFALSE\t/\tFALSE\t946684800\told\t1
            localhost\tFALSE\t/\tFALSE\t0\tother\t1
            """
        let run = try user.run([
            "--save", user.folder.path + "/own/saved", "--pages", "1", "--header", "X-Own: 1",
            "--cookies", try user.folder.write(Array(cookies.utf8), to: "cookies"),
            gallery.url("secrets"),
        ])
        #expect(run.code == 0, "\(run.errors)")
        let saved = fileNames(in: user.folder.path + "/own/saved", limit: 100) ?? []
        #expect(saved.count { $0.hasSuffix(".gif") } == DrawnGallery.itemsPerPage)
        func names(_ request: ServerRequest) -> Set<String> {
            let cookies = request.header("cookie")?.split(separator: ";") ?? []
            return Set(cookies.map { String($0.drop { $0 == " " }) })
        }
        for request in gallery.server.requests where request.path != "/elsewhere" {
            let isPicture = request.path.hasPrefix("/pictures/")
            #expect(request.header("x-own") == "1", "\(request.path)")
            #expect(
                names(request) == Set(["own=1", "hidden=1"] + (isPicture ? ["drawn=1"] : [])),
                "\(request.path)")
        }
        let elsewhere = try #require(gallery.server.requests(to: "/elsewhere").first)
        #expect(elsewhere.header("x-own") == nil && elsewhere.header("cookie") == nil)
        for number in 1...DrawnGallery.itemsPerPage {
            #expect(gallery.server.count(of: "/pictures/\(number).gif") == 1)
        }
    }

    @Test("--json, --print and --explain are of the page that was drawn")
    func output() throws {
        let gallery = try DrawnGallery()
        defer { gallery.server.stop() }
        let user = try ProgramOfUser()
        let records = try user.run(["--json", "--pages", "1", gallery.url("drawn")])
        #expect(records.lines.count == DrawnGallery.itemsPerPage)
        #expect(records.lines.first?.contains("\"Picture 1\"") == true)
        let explained = try user.run(["--explain", gallery.url("unsaved")])
        #expect(
            explained.output.contains("it was rendered by the browser")
                && explained.output.contains("left out"), "\(explained.output)")
        let printed = try user.run(["--print", "--pages", "1", gallery.url("drawn")])
        #expect(printed.lines.count > DrawnGallery.itemsPerPage / 4, "\(printed.errors)")
    }

    @Test("a public page's scripts reach no private address by any of ten ways")
    func privateAddresses() throws {
        let gallery = try DrawnGallery()
        let neighbour = try LoopbackServer()
        neighbour.route(below: "/") { _ in .html("secret") }
        let upstream = try ProxyServer(.http(status: 200))
        defer {
            upstream.stop()
            gallery.server.stop()
            neighbour.stop()
        }
        let host = "gallery.example:\(gallery.server.port)"
        let run = try ProgramOfUser().run(
            [
                "--urls", "--pages", "1", "--browser", "always",
                "http://\(host)/pages/private.html?screens=1&port=\(neighbour.port)",
            ], environment: ["http_proxy": "http://127.0.0.1:\(upstream.port)"])
        #expect(run.lines.count == DrawnGallery.itemsPerPage, "\(run.errors)")
        #expect(gallery.server.count(of: "/redirect") == 1)
        #expect(neighbour.connectionCount == 0)
        #expect(Set(upstream.targets) == [host])
    }

    @Test("a page with an endless loop, and a browser that is killed, fail with a reason")
    func failures() throws {
        let gallery = try DrawnGallery()
        defer { gallery.server.stop() }
        let user = try ProgramOfUser()
        let loop = try user.run(["--urls", "--browser", "always", gallery.url("loop")])
        #expect(loop.code == 1 && loop.errors.contains { $0.contains("never rest") })
        let program = """
            {"browser-program": ["sh", "-c", "chromium \\"$@\\" & sleep 2; kill -9 0", "sh"]}
            """
        let configuration = try user.folder.write(Array(program.utf8), to: "own.jsonc")
        let killed = try user.run([
            "--config", configuration, "--urls", "--browser", "always", gallery.url("busy"),
        ])
        #expect(killed.code == 1 && killed.errors.contains { $0.contains("has ended") })
        #expect(user.isClean())
    }

    @Test("on the screen: what is going on, Esc stops it, and nothing is left")
    func escape() throws {
        let gallery = try DrawnGallery()
        defer { gallery.server.stop() }
        let user = try ProgramOfUser()
        let terminal = try user.screen([gallery.url("busy")])
        #expect(terminal.waitFor("the browser is drawing the page…"))
        terminal.type("\u{1B}")
        #expect(terminal.waitFor("stopped: r tries again"))
        terminal.type("r")
        #expect(terminal.waitFor("Picture 1"))
        terminal.type("q")
        #expect(terminal.waitForExit() == .code(0))
        #expect(user.isClean())
    }

    @Test("pages opened and closed leave no tab, connection, process or folder")
    func closed() throws {
        let gallery = try DrawnGallery()
        defer { gallery.server.stop() }
        let folder = try ScratchFolder()
        let script = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        var renderer: PageRenderer? = PageRenderer(
            [["chromium"] + (geteuid() == 0 ? ["--no-sandbox"] : [])],
            script: "/\(script)/Resources/Rendering/page.js", in: folder.path, limit: 1 << 24,
            fetcher: FetchStage(options: NetworkOptions()), idle: 0)
        let address = try #require(Address(gallery.url("drawn")))
        var kept = try renderer?.tab(for: address, referer: nil)
        _ = try kept?.advance()
        let failures = Locked<[String]>([])
        let threads = DispatchGroup()
        for _ in 1...5 {
            DispatchQueue(label: "test.pages").async(group: threads) { [renderer] in
                for _ in 1...4 {
                    do {
                        _ = try renderer?.tab(for: address, referer: nil).advance()
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
            }
        }
        threads.wait()
        #expect(failures.withLock(\.self) == [])
        do {
            let browser = try #require(renderer?.running.withLock(\.browser))
            func things(_ method: String, _ key: String) throws -> [LooseValue] {
                try browser.tools.call(method)[key]?.elements ?? []
            }
            while try things("Target.getBrowserContexts", "browserContextIds").count != 1 {
                usleep(10_000)
            }
            while browser.proxy.count.withLock(\.self) > 0 { usleep(10_000) }
            // The one that it begins with, and the one that is kept.
            let pages = try things("Target.getTargets", "targetInfos")
                .filter { $0["type"] == "page" }
            #expect(pages.count == 2, "\(pages)")
        }
        (renderer, kept) = (nil, nil)
        for _ in 0..<2_000 where fileNames(in: folder.path, limit: 10) != [] { usleep(20_000) }
        #expect(fileNames(in: folder.path, limit: 10) == [])
    }
}
