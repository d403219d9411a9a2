import TestSupport
import TestTraits
import Testing

/// The whole program with Debian's Chromium, as a user, against pages that scripts draw.
@Suite(
    "Pages that scripts draw", .onOwnThread, .serialized,
    .disabled(if: ProgramOfUser.obstacle != nil, "\(ProgramOfUser.obstacle ?? "")"))
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
            "drawn", "shadow", "frames", "background", "picture", "react", "vue", "lazy",
            "masonry", "busy", "cookie", "unsaved", "intrusive", "million",
        ])
    func screen(_ name: String) throws {
        let gallery = try DrawnGallery()
        defer { gallery.server.stop() }
        let run = try ProgramOfUser().run(["--urls", "--pages", "1", gallery.url(name)])
        #expect(run.lines == gallery.pictures(DrawnGallery.itemsPerPage), "\(run.errors)")
        #expect(gallery.server.count(of: "/api") == 1)
        #expect(!gallery.server.requests.contains { $0.path.hasPrefix("/pictures/") })
    }

    @Test(
        "endless: 240 pictures over 10 screens, each once and in order, with one request a screen",
        arguments: ["intersection", "scroll", "button", "virtual", "inner", "post"])
    func endless(_ name: String) throws {
        let gallery = try DrawnGallery()
        defer { gallery.server.stop() }
        let run = try ProgramOfUser().run(["--urls", "--pages", "all", gallery.url(name)])
        #expect(run.lines == gallery.pictures(), "\(run.errors)")
        #expect(gallery.server.count(of: "/api") == DrawnGallery.pageCount)
        #expect(gallery.server.count(of: "/wrong") == 0)
    }
}
