import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Searching, filtering and sorting.
    @Suite("Finding") struct FindingTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        @Test(
            "/ selects the first match as you type and counts matches; Esc goes back, n continues")
        func incremental() throws {
            let gallery = try ProgramGallery(count: 12)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/12" }, "\(screen.screen.text)")
            screen.type("/re 01")
            #expect(screen.waitFor("/re 01   4 hits"), "\(screen.bottom)")
            #expect(screen.waitForSelected(10))
            screen.type(Keys.escape)
            #expect(screen.waitForSelected(1))
            screen.type("/re 01\r")
            #expect(screen.waitForSelected(10))
            screen.type("n")
            #expect(screen.waitForSelected(11))
            screen.type("/127")
            #expect(screen.waitFor("/127   0 hits"), "the folder they are all in")
        }

        @Test("n loads the rest of a section before it wraps around")
        func loadingOn() throws {
            let gallery = try ProgramGallery(count: 48, perPage: 12)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/24+" }, "\(screen.screen.text)")
            screen.type("/ture 041\r")
            #expect(screen.waitForSelected(41), "\(screen.screen.text)")
        }

        @Test(
            "a filter stays visible, takes words and conditions, keeps the selection; Esc clears it"
        )
        func filtering() throws {
            let gallery = try ProgramGallery(count: 12)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/12" }, "\(screen.screen.text)")
            screen.type("10G")
            #expect(screen.waitForSelected(10))
            screen.type("fpict 01 .png host:127")
            #expect(screen.waitFor("4 of 12 pictures"), "\(screen.top)")
            screen.type("\r")
            #expect(screen.waitFor("pict 01 .png host:12: 4 of 12 pictures"), "\(screen.top)")
            #expect(screen.wait { $0.position == "2/4" })
            screen.type(Keys.escape)
            #expect(screen.wait { $0.position == "10/12" }, "\(screen.bottom)")
            screen.type("fPICT")
            #expect(screen.waitFor("PICT: 0 of 12 pictures"), "capitals are meant")
            screen.type("\u{15}.jpg")
            #expect(screen.waitFor(".jpg: 0 of 12 pictures"), "\(screen.top)")
        }

        @Test("files are sorted by size and name, in both directions")
        func sorting() throws {
            for (name, size) in [("b", 300), ("c", 100), ("a", 200)] {
                let png = ProgramPictures.png(RGB(0x336699)) + Array(repeating: 0, count: size)
                _ = try folder.write(png, to: "sorted/\(name).png")
            }
            let screen = try ProgramScreen(["--sort", "size", folder.path + "/sorted"], in: folder)
            #expect(
                screen.wait { $0.selectedTitle?.hasPrefix("c") == true }, "\(screen.screen.text)")
            screen.type(":sort -size\r")
            #expect(screen.wait { $0.position == "3/3" }, "\(screen.bottom)")
            screen.type(":sort name\r")
            #expect(screen.wait { $0.bottom.contains("sorted by name") })
            #expect(screen.wait { $0.position == "3/3" }, "\(screen.bottom)")
            screen.type("g")
            #expect(
                screen.wait { $0.selectedTitle?.hasPrefix("a") == true }, "\(screen.screen.text)")
        }
    }
}
