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
            "local pictures are compared by the sizes in their files, on the screen and without one"
        )
        func fileSizes() throws {
            for (name, width) in [("a", 400), ("b", 1200), ("c", 800)] {
                let bytes = ProgramPictures.png(RGB(0x102030), width: width, height: 10)
                _ = try folder.write(bytes, to: "shots/\(name).png")
            }
            _ = try folder.write(Array("no picture".utf8), to: "shots/d.png")
            let shots = folder.path + "/shots"
            func names(_ options: String...) throws -> [String] {
                let run = try ProgramRun(options + [shots], in: folder)
                #expect(run.errors.contains { $0.hasSuffix("1 of 4 pictures are of unknown size") })
                return run.lines.map { String($0.suffix(5).prefix(1)) }
            }
            #expect(try names("--urls", "--filter", "w>500") == ["b", "c"])
            #expect(try names("--urls", "--sort", "pixels") == ["a", "c", "b", "d"])
            let record = try #require(try ProgramRun(["--json", shots], in: folder).lines.first)
            #expect(record.contains("\"width\":400,\"height\":10"), "\(record)")
            let screen = try ProgramScreen(["--filter", "w>500", shots], in: folder)
            #expect(screen.waitFor("w>500: 2 of 4 pictures, 1 unmeasured"), "\(screen.top)")
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
            #expect(screen.waitFor("pict 01 .png host:1…: 4 of 12 pictures"), "\(screen.top)")
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
