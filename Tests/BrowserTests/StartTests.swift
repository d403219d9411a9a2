import Browser
import Gallery
import Network
import Raster
import TestSupport
import Testing
import Thumbnails

/// Where a gallery starts: at a picture whose folder is read behind it, or at one that the user named.
@MainActor @Suite("Where it starts") struct StartTests {
    private static let folder = Address(path: "/pics", isFolder: true)

    private static func picture(_ number: Int) -> Picture {
        let name = "\(number).jpg"
        return Picture(
            variants: [Picture.Variant(address: Address(path: "/pics/" + name))], page: folder,
            title: name, date: "2024-01-\(10 + number % 7)T00:00:00Z")
    }

    private static func page(_ numbers: some Sequence<Int>) -> Page {
        Page(address: folder, title: "pics", pictures: numbers.map(picture))
    }

    private func rig(at number: Int, in numbers: Range<Int>) -> Rig {
        var source = Source(argument: "pics", address: Self.folder)
        source.start = Self.picture(number)
        let rig = Rig(sources: [source])
        rig.pages.set(.success(Self.page(numbers)), at: Self.folder)
        return rig
    }

    private func rig(_ sections: [[Int]], at name: String) -> Rig {
        var options = BrowserOptions()
        options.at = name
        return Rig(sections, options: options)
    }

    @Test(
        "a picture file is shown and requested before its folder has been read, then among its neighbours"
    )
    func file() {
        let rig = rig(at: 7, in: 0..<20)
        #expect(rig.viewer != nil)
        #expect(rig.position == "1/1+" && rig.selected == "7.jpg")
        rig.settle()
        #expect(rig.thumbnails.requests.contains { $0.address == Self.picture(7).image })
        rig.loadPages()
        #expect(rig.position == "8/20" && rig.selected == "7.jpg")
        rig.type("n")
        #expect(rig.selected == "8.jpg")
        rig.press(.escape)
        #expect(rig.gallery?.selected?.title == "8.jpg")
    }

    @Test("q in the viewer that a file opened quits; after Esc it goes back first")
    func quitting() {
        let rig = rig(at: 7, in: 0..<20)
        rig.loadPages()
        rig.type("i")
        #expect(rig.press("q") == nil)
        #expect(rig.press("q") == .quit)
        let other = self.rig(at: 7, in: 0..<20)
        other.loadPages()
        other.press(.escape)
        other.press(.enter)
        #expect(other.press("q") == nil)
        #expect(other.press("q") == .quit)
    }

    @Test("the neighbours arrive while the user looks on: the selection stays on its picture")
    func late() {
        let rig = rig(at: 3, in: 0..<5000)
        rig.settle()
        rig.type("+")
        rig.loadPages()
        #expect(rig.position == "4/5000" && rig.selected == "3.jpg")
        #expect(rig.viewer != nil)
    }

    @Test("a folder that cannot be read leaves the picture")
    func unreadable() {
        let rig = rig(at: 3, in: 0..<5)
        rig.pages.set(.failure(.fetch(.unreadable("permission denied"))), at: Self.folder)
        rig.loadPages()
        #expect(rig.dialog?.message == "cannot be read: permission denied")
        rig.press(.escape)
        #expect(rig.viewer != nil && rig.selected == "3.jpg")
        rig.press(.escape)
        #expect(rig.gallery?.tiles.count == 1)
    }

    @Test("--at takes a name before a number, and loads pages until the picture is there")
    func at() {
        for (name, selected) in [
            ("0.1.2", "0.1.2"), ("sun.jpg", "0.1.3"), ("30", "0.1.5"), ("0.0.4", "0.0.4"),
        ] {
            let rig = rig([[24, 24]], at: name)
            if name == "sun.jpg" {
                var page = Rig.page(0, 1, count: 24)
                page.pictures[3].variants[0].address =
                    Address("https://s0.example/sun.jpg") ?? page.address
                rig.pages.set(.success(page), at: Rig.address(0, 1))
            }
            rig.loadPages()
            #expect(rig.selected == selected, "\(name)")
        }
        let missing = rig([[24, 24]], at: "nothing.jpg")
        missing.loadPages()
        #expect(missing.message == "there is no picture nothing.jpg")
        #expect(missing.selected == "0.0.0")
    }

    @Test("a key while pages are loading stays there")
    func interrupted() {
        let rig = rig([[24, 24, 24]], at: "0.2.5")
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        #expect(rig.message.contains("loading on to 0.2.5"))
        rig.type("l")
        rig.loadPages()
        #expect(rig.selected == "0.0.1")
    }

    @Test("--newest starts at the newest picture")
    func newest() {
        var options = BrowserOptions()
        options.goesToNewest = true
        let rig = Rig(
            options: options, sources: [Source(argument: "pics", address: Self.folder)])
        rig.pages.set(.success(Self.page(0..<20)), at: Self.folder)
        rig.loadPages()
        #expect(rig.selected == "13.jpg")
    }

    @Test(":newest goes on to a newer file that appears, until another is selected")
    func following() {
        let rig = Rig(sources: [Source(argument: "pics", address: Self.folder)])
        func show(_ numbers: Range<Int>) {
            rig.pages.set(.success(Self.page(numbers)), at: Self.folder)
            rig.type("R")
            rig.loadPages()
        }
        show(0..<20)
        rig.type("l:newest")
        rig.press(.enter)
        #expect(rig.selected == "13.jpg")
        show(0..<21)
        #expect(rig.selected == "20.jpg")
        rig.type("h")
        show(0..<28)
        #expect(rig.selected == "19.jpg")
    }

    @Test("what another program selects is meant, even if something appears before it")
    func performed() {
        let rig = Rig([[3], [3]])
        rig.pages.release(Rig.address(1, 0))
        rig.settle()
        #expect(rig.model.perform("right 2", .browsing) == nil)
        rig.loadPages()
        #expect(rig.titles.count == 6 && rig.selected == "1.0.2")
    }
}
