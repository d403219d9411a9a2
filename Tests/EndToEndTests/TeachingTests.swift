import TestSupport
import Testing

extension EndToEnd {
    /// Recipes learnt from pictures that the user points at.
    @Suite("Teaching") struct TeachingTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        /// A page that is read wrongly: its gallery is in the footer, below pictures of something else.
        private func gallery() throws -> ProgramGallery {
            let gallery = try ProgramGallery(count: 10)
            func pictures(_ numbers: ClosedRange<Int>, _ tag: String) -> String {
                numbers.map { number in
                    "<\(tag)><a href='\(gallery.fullPath(number))'><img width=80 height=60 "
                        + "src='\(gallery.thumbnailPath(number))' "
                        + "alt='\(ProgramGallery.title(number))'></a></\(tag)>"
                }.joined()
            }
            let html =
                "<title>Yard</title><main class=offers>\(pictures(1...4, "div"))</main>"
                + "<footer id=footer><ul class=shots>\(pictures(5...10, "li"))</ul></footer>"
            gallery.server.route(gallery.pagePath(1)) { _ in .html(html) }
            return gallery
        }

        @Test(
            "everything is shown with reasons; two wanted and one not make a recipe, which is kept, used and checked"
        )
        func lesson() throws {
            let gallery = try gallery()
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/4" }, "\(screen.screen.text)")
            screen.type(":show-all\r")
            #expect(screen.wait { $0.position == "1/10" }, "\(screen.screen.text)")
            screen.type("5G")
            #expect(screen.wait { $0.screen.shows("in the page's frame") })
            screen.type("mlm")
            #expect(screen.wait { $0.bottom.contains(" · 2 marked") })
            screen.type("2G")
            #expect(screen.wait { $0.position == "2/10" })
            screen.type(":learn\r")
            #expect(
                screen.wait {
                    $0.screen.shows("6 of 10 pictures") && $0.screen.shows("ul.shots > li")
                }, "\(screen.screen.text)")
            // What the recipe finds is there before it is kept; dismissed, everything is back.
            #expect(screen.wait { $0.position.hasSuffix("/6") }, "\(screen.screen.text)")
            screen.type(Keys.escape)
            #expect(screen.wait { $0.position == "2/10" }, "\(screen.screen.text)")
            screen.type(":learn\r")
            #expect(screen.wait { $0.screen.shows("6 of 10 pictures") })
            screen.type("\r")
            #expect(screen.wait { $0.bottom.contains("127.0.0.1.json") }, "\(screen.bottom)")
            screen.type("u")
            #expect(screen.quit() == .code(0))

            let urls = try ProgramRun(["--urls", gallery.address], in: folder)
            #expect(urls.lines == (5...10).map { gallery.server.url(gallery.fullPath($0)) })
            let well = try ProgramRun(["--check-recipes"], in: folder)
            let file = folder.path + "/config/halftone/recipes/127.0.0.1.json"
            #expect(well.lines == [file + ": 6 pictures"] && well.code == 0, "\(well.errors)")
            gallery.server.route(gallery.pagePath(1)) { _ in .html("<img src=/full/1.png>") }
            let broken = try ProgramRun(["--check-recipes"], in: folder)
            #expect(broken.lines == [file + ": 0 pictures"] && broken.code == 1)
            try folder.write(
                #"{"name":"x","match":".*","item":"li","image":"img@src","test":"ftp://"}"#,
                to: "config/halftone/recipes/127.0.0.1.json")
            let unreadable = try ProgramRun(["--check-recipes"], in: folder)
            #expect(unreadable.lines.isEmpty && unreadable.code == 1, "\(unreadable.errors)")
        }
    }
}
