import Basics
import Dispatch
import Gallery
import ImageCodecs
import Network
import Raster
import TestSupport
import Testing
import Thumbnails

@testable import Browser

/// Filtering and sorting.
@MainActor @Suite("Filter and order") struct OrderTests {
    /// Creates a section whose pages have pictures with these titles and dates.
    private func rig(
        pages: [[(title: String, date: String?)]], options: BrowserOptions = BrowserOptions()
    ) -> Rig {
        let rig = Rig([pages.map(\.count)], options: options)
        for (number, entries) in pages.enumerated() {
            var page = Rig.page(
                0, number, count: entries.count, next: number + 1 < pages.count ? number + 1 : nil)
            var pictures = Array(page.pictures)
            for (place, entry) in entries.enumerated() {
                pictures[place].title = entry.title
                pictures[place].date = entry.date
            }
            page.pictures = PictureList(pictures)
            rig.pages.set(.success(page), at: Rig.address(0, number))
        }
        return rig
    }

    private let fruit: [(title: String, date: String?)] = [
        ("Quince", "2020"), ("apple", nil), ("Pear", "2019"), ("Açaí", "2021"),
    ]

    @Test("a random order shows each picture once, stays, and is another one when asked for again")
    func random() {
        let rig = Rig([[24, 24]], rows: 200)
        rig.loadPages()
        let before = rig.titles
        rig.type(":sort random")
        rig.press(.enter)
        let first = rig.titles
        #expect(first != before && first.count == 48 && Set(first) == Set(before))
        rig.type("jk")
        #expect(rig.titles == first)
        rig.type(":sort random")
        rig.press(.enter)
        #expect(rig.titles != first && Set(rig.titles) == Set(before))
    }

    @Test("f filters as you type and counts matches; an empty line or Esc shows everything")
    func filtering() {
        let rig = rig(pages: [fruit])
        rig.loadPages()
        rig.type("fc")
        #expect(rig.titles == ["Quince", "Açaí"])
        #expect(rig.selected == "filter: c")
        #expect(rig.draw().top.count == "c: 2 of 4 pictures")
        rig.type("a")
        #expect(rig.titles == ["Açaí"])
        #expect(rig.position == "1/1")
        rig.press(.enter)
        #expect(rig.titles == ["Açaí"])
        #expect(rig.selected == "Açaí")
        rig.type("f")
        #expect(rig.selected == "filter: ca")
        rig.press(.control("u"))
        #expect(rig.titles.count == 4)
        #expect(rig.draw().top.count == "4 pictures")
        rig.type("pe")
        #expect(rig.gallery?.selected?.title == "Pear")
        rig.press(.escape)
        #expect(rig.titles.count == 4)
        #expect(rig.gallery?.selected?.title == "Açaí", "what was selected before")
    }

    @Test("filters and sorting use the real sizes of drawn pictures the next time they are applied")
    func trueSizes() {
        let rig = rig(pages: [fruit])
        for (place, width) in [900, 3000, 600, 1200].enumerated() {
            rig.thumbnails.size(Rig.image(0, 0, place), PixelSize(width: width, height: 10))
        }
        rig.loadPages()
        rig.type("fw>=1000")
        #expect(rig.titles == [])
        rig.press(.escape)
        rig.type(":sort -pixels")
        rig.press(.enter)
        let before = rig.titles
        #expect(before == ["Açaí", "Pear", "apple", "Quince"], "no size is known yet")
        rig.loadPictures()
        #expect(rig.titles == before, "nothing moves under the reader's eyes")
        rig.type("/w<700")
        rig.press(.enter)
        #expect(rig.titles == before)
        rig.type(":sort -pixels")
        rig.press(.enter)
        #expect(rig.titles == ["apple", "Açaí", "Quince", "Pear"])
        rig.type("fw>=1000")
        #expect(rig.titles == ["apple", "Açaí"])
        rig.press(.escape)
        rig.type("g/w<700")
        #expect(rig.gallery?.selected?.title == "Pear")
    }

    @Test("narrowing a filter re-sorts pictures whose sizes have become known")
    func outdatedOrder() {
        let rig = rig(pages: [fruit])
        for (place, width) in [900, 3000, 600, 1200].enumerated() {
            rig.thumbnails.size(Rig.image(0, 0, place), PixelSize(width: width, height: 10))
        }
        rig.loadPages()
        rig.type(":sort -pixels")
        rig.press(.enter)
        #expect(rig.titles == ["Açaí", "Pear", "apple", "Quince"], "no size is known yet")
        rig.loadPictures()
        rig.type("fa")
        #expect(rig.titles == ["apple", "Açaí", "Pear"])
    }

    @Test("large sections are arranged off the main thread, and only the latest order is applied")
    func many() {
        let titles = (0..<5000).map { (title: "t\((7 * $0) % 5000)", date: Optional("2020")) }
        let rig = rig(pages: [titles])
        rig.loadPages()
        rig.type("S")
        #expect(rig.draw().top.count == "5000 pictures, sorting")
        #expect(rig.gallery?.selected?.title == "t0", "shown as before meanwhile")
        rig.type("ft12")
        while rig.draw().top.count.contains("ing"), rig.main.waitForPost() {
            rig.main.drain()
        }
        #expect(rig.draw().top.count == "t12: 111 of 5000 pictures")
        #expect(rig.titles.prefix(3) == ["t12", "t120", "t121"])
        rig.type("9")
        while rig.draw().top.count.contains("ing"), rig.main.waitForPost() {
            rig.main.drain()
        }
        #expect(rig.titles.prefix(3) == ["t129", "t1290", "t1291"])
    }

    @Test("Esc in a filter goes back to the picture, also once very many have been sorted")
    func returning() {
        let rig = rig(pages: [(0..<5000).map { (title: "t\((7 * $0) % 5000)", date: nil) }])
        func arrange() {
            while rig.draw().top.count.contains("ing"), rig.main.waitForPost() {
                rig.main.drain()
            }
        }
        rig.loadPages()
        rig.type("S")
        arrange()
        rig.type("G")
        let last = rig.selected
        rig.type("ft12")
        arrange()
        #expect(rig.gallery?.selected?.title != last)
        rig.press(.escape)
        arrange()
        #expect(rig.titles.count > 1 && rig.gallery?.selected?.title == last)
    }

    @Test("with no matches nothing is selected, no key traps, and clearing the filter restores all")
    func nothing() {
        let rig = rig(pages: [fruit])
        rig.loadPages()
        rig.type("fzzz")
        #expect(rig.titles == [])
        rig.press(.enter)
        #expect(rig.message == "nothing matches zzz")
        rig.type("jkGgnNmMsyoSirv")
        rig.press(.enter, .pageDown, .escape)
        #expect(rig.titles == [])
        rig.type("f")
        rig.press(.escape)
        #expect(rig.titles.count == 4)
        #expect(rig.gallery?.selected != nil)
    }

    @Test("in another order the selection moves up in the column where it is now")
    func column() {
        let rig = Rig([[9]])
        rig.loadPages()
        rig.type("ll")
        rig.press(.control("r"))
        #expect(rig.selected == "0.0.2")
        rig.type("k")
        #expect(rig.selected == "0.0.5")
    }

    @Test("a filter without matches, also one from the start, says so in place of the pictures")
    func nothingShown() {
        var options = BrowserOptions()
        options.order.filter = "zzz"
        let started = rig(pages: [fruit], options: options)
        started.loadPages()
        #expect(started.notes == ["nothing matches zzz: Esc shows all"])
        let typed = rig(pages: [fruit])
        typed.loadPages()
        typed.type("fzz")
        #expect(typed.notes == ["nothing matches zz: Esc shows all"])
        typed.press(.escape)
        #expect(typed.notes == [])
    }

    @Test(
        "the sizes of local pictures are read once they are compared; how many remain unknown is said"
    )
    func localSizes() {
        let widths = ["a": 900, "b": 3000, "d": 1200]
        let rig = Rig(
            starts: false,
            sizeOfFile: { address in
                widths[address.lastPathComponent].map { PixelSize(width: $0, height: 10) }
            })
        let pictures = ["a", "b", "c", "d"].map { name in
            Picture(
                variants: [.init(address: Address(path: "/photos/" + name))],
                page: Rig.address(0, 0), title: name)
        }
        rig.pages.set(
            .success(
                Page(address: Rig.address(0, 0), title: "photos", pictures: PictureList(pictures))),
            at: Rig.address(0, 0))
        rig.model.start()
        rig.loadPages()
        #expect(rig.draw().top.count == "4 pictures", "none is read without need")
        rig.type("fw>1000")
        readFacts(rig)
        #expect(rig.titles == ["b", "d"])
        #expect(rig.draw().top.count == "w>1000: 2 of 4 pictures, 1 unmeasured")
        rig.press(.escape)
        rig.type(":sort -pixels")
        rig.press(.enter)
        readFacts(rig)
        #expect(rig.titles == ["b", "d", "a", "c"])
    }

    /// A folder of pictures, of which each page has one; the first file is read once `gate` is signalled.
    private func photos(
        _ count: Int, gate: DispatchSemaphore, began: DispatchSemaphore,
        read: @escaping @Sendable (_ isFirst: Bool, _ isCancelled: Bool) -> FileFacts?
    ) -> Rig {
        let folder = Address(path: "/photos", isFolder: true)
        let rig = Rig(
            [],
            readFacts: { addresses, isCancelled in
                addresses.map { address in
                    let isFirst = address.lastPathComponent == "0.jpg"
                    if isFirst {
                        began.signal()
                        _ = gate.wait(timeout: .testDeadline)
                    }
                    return read(isFirst, isCancelled())
                }
            }, sources: [Source(argument: "photos", address: folder)])
        for number in 0..<count {
            let picture = Picture(
                variants: [.init(address: Address(path: "/photos/\(number).jpg"))], page: folder,
                title: "\(number)")
            let next = number + 1 < count ? Rig.address(0, number + 1) : nil
            let address = number == 0 ? folder : Rig.address(0, number)
            rig.pages.set(
                .success(Page(address: address, title: "", pictures: [picture], next: next)),
                at: address)
        }
        rig.pages.releaseAll()
        rig.settle()
        return rig
    }

    @Test("once Esc has ended the search for duplicates, files are not read for it any more")
    func unneededFacts() {
        let (gate, began) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (ended, wasCancelled) = (DispatchSemaphore(value: 0), Locked(false))
        let rig = photos(1, gate: gate, began: began) { _, isCancelled in
            wasCancelled.withLock { $0 = isCancelled }
            ended.signal()
            return nil
        }
        rig.type(":duplicates")
        rig.press(.enter)
        #expect(began.wait(timeout: .testDeadline) == .success)
        rig.press(.escape)
        #expect(rig.message == "all shown")
        gate.signal()
        #expect(ended.wait(timeout: .testDeadline) == .success)
        #expect(wasCancelled.withLock { $0 })
    }

    @Test("what a page adds while files are read in vain is read after that")
    func laterFacts() {
        let (gate, began) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let rig = photos(2, gate: gate, began: began) { isFirst, _ in
            isFirst ? nil : FileFacts(width: Pixels(3000), height: Pixels(10))
        }
        rig.type(":filter w>1000")
        rig.press(.enter)
        #expect(began.wait(timeout: .testDeadline) == .success)
        rig.loadPages()
        gate.signal()
        readFacts(rig)
        #expect(rig.titles == ["1"])
    }

    @Test("sizes that become known during a background arrangement are used by the next one")
    func sizesMeanwhile() {
        let titles = (0..<5000).map { (title: "t\($0)", date: Optional("2020")) }
        let rig = rig(pages: [titles])
        rig.loadPages()
        rig.type("fw>1")
        // The first picture is drawn, and a search adopts its size, while the filter is being computed.
        rig.model.gallery.sources.first?.record(
            PictureFacts(
                size: PixelSize(width: 3000, height: 10), format: .jpeg, byteCount: 1,
                dominant: RGB(0)),
            of: Rig.image(0, 0, 0), at: 0)
        rig.model.gallery.sources.first?.adoptSizes()
        func arrange() {
            while rig.draw().top.count.contains("ing"), rig.main.waitForPost() {
                rig.main.drain()
            }
        }
        arrange()
        #expect(rig.titles == [])
        rig.type(" t")
        arrange()
        #expect(rig.titles == ["t0"])
    }

    nonisolated private static let days = [
        "2024-05-03", "2024-05-03", "2024-06-01", nil, "2023-01-09",
    ]

    /// A folder of files, of which all but one name the day when they were taken.
    private func shot(_ options: BrowserOptions) -> Rig {
        let folder = Address(path: "/shots", isFolder: true)
        let rig = Rig(
            columns: 120, rows: 80, options: options,
            readFacts: { addresses, _ in
                addresses.map { address in
                    let number = Int(address.lastPathComponent.prefix(1)) ?? 0
                    return FileFacts(
                        width: nil, height: nil,
                        camera: Self.days[number].map {
                            Picture.Camera(
                                taken: $0 + "T10:00:0\(9 - number)", model: "Fujifilm X100",
                                lens: "23 mm", sensitivity: 200 * number, rating: number)
                        }, about: number == 2 ? "Ice and reeds" : nil)
                }
            }, sources: [Source(argument: "shots", address: folder)])
        let pictures = Self.days.indices.map { number in
            Picture(
                variants: [
                    Picture.Variant(address: Address(path: "/shots/\(number % 2)/\(number).jpg"))
                ], page: folder, title: "\(number)")
        }
        rig.pages.set(
            .success(Page(address: folder, title: "shots", pictures: pictures)), at: folder)
        rig.loadPages()
        return rig
    }

    /// Waits until the files have been read.
    private func readFacts(_ rig: Rig) {
        rig.draw()
        while rig.draw().top.count.contains("reading files"), rig.main.waitForPost() {
            rig.main.drain()
        }
    }

    @Test("pictures are sorted and found by what cameras wrote into their files")
    func camera() {
        var options = BrowserOptions()
        options.order.key = .taken
        options.layout = .list
        let rig = shot(options)
        readFacts(rig)
        #expect(rig.titles == ["4", "1", "0", "2", "3"])
        #expect(
            rig.gallery?.tiles.map { $0.details.last }
                == ["2023-01-09", "2024-05-03", "2024-05-03", "2024-06-01", ""])
        for (filter, titles) in [
            ("taken>2024-05", ["2"]), ("taken=2024", ["1", "0", "2"]), ("iso>=400", ["4", "2"]),
            ("camera:x100", ["4", "1", "0", "2"]), ("camera:canon", []),
            ("lens:23", ["4", "1", "0", "2"]), ("rating>1", ["4", "2"]), ("reeds", ["2"]),
        ] {
            rig.type(":filter \(filter)")
            rig.press(.enter)
            #expect(rig.titles == titles, "\(filter)")
        }
        #expect(PictureQuery("iso>=x").mistake == "iso>=x: as iso>=800")
        #expect(PictureQuery("taken>x").mistake == "taken>x: as taken>2024-05")
        #expect(PictureQuery("rating>x").mistake == "rating>x: as rating>=3")
    }

    @Test("a filter finds what people wrote into the files, which it has read")
    func captions() {
        let rig = shot(BrowserOptions())
        rig.type(":filter reeds")
        rig.press(.enter)
        readFacts(rig)
        #expect(rig.titles == ["2"])
    }

    @Test("groups have headings, in order, and [ and ] go from one to the next")
    func groups() {
        var options = BrowserOptions()
        options.order.grouping = .month
        let rig = shot(options)
        readFacts(rig)
        #expect(rig.gallery?.headers == ["2023-01", "2024-05", "2024-06", "no date"])
        #expect(rig.titles == ["4", "0", "1", "2", "3"])
        #expect(rig.position == "1/5")
        rig.type("]")
        #expect(rig.selected == "0" && rig.position == "2/5")
        rig.type("l]")
        #expect(rig.selected == "2" && rig.position == "4/5")
        rig.type("[")
        #expect(rig.selected == "0")
        rig.type("kj")
        #expect(rig.selected == "0")
        rig.type(":group folder")
        rig.press(.enter)
        #expect(rig.gallery?.headers == ["/shots/0/", "/shots/1/"])
        #expect(rig.titles == ["0", "2", "4", "1", "3"])
        #expect(rig.selected == "0")
        rig.type("/3")
        rig.press(.enter)
        #expect(rig.position == "5/5")
        rig.type(":group none")
        rig.press(.enter)
        #expect(rig.gallery?.headers == [] && rig.titles == ["0", "1", "2", "3", "4"])
    }

    @Test("a group in front of the last page does not make the next page load")
    func groupedPages() {
        var options = BrowserOptions()
        options.order.grouping = .folder
        let rig = Rig([[200, 24]], options: options)
        rig.loadPages()
        #expect(rig.pages.loads.count == 1)
        rig.type("G")
        rig.settle()
        #expect(rig.pages.loads.count == 2)
        #expect(rig.position == "200/224")
    }

    @Test("S cycles through the orders and keeps the selected picture")
    func sorting() {
        let rig = rig(pages: [fruit])
        rig.loadPages()
        rig.type("llS")
        #expect(rig.titles == ["Açaí", "apple", "Pear", "Quince"])
        #expect(rig.message == "sorted by title")
        #expect(rig.gallery?.selected?.title == "Pear")
        #expect(rig.position == "3/4")
        rig.type("SS")
        #expect(rig.titles == ["Pear", "Quince", "Açaí", "apple"])
        #expect(rig.gallery?.selected?.title == "Pear")
        rig.type("SSSSS")
        #expect(rig.titles == ["Quince", "apple", "Pear", "Açaí"])
        #expect(rig.gallery?.selected?.title == "Pear")
    }

    @Test("a page that arrives is merged in order, and the selection and loaded pictures are kept")
    func growing() {
        var options = BrowserOptions()
        options.order.key = .title
        options.order.isReversed = true
        let rig = rig(
            pages: [[("m", nil), ("d", nil)], [("z", nil), ("a", nil)]], options: options)
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        #expect(rig.titles == ["m", "d"])
        rig.type("l")
        rig.loadPages()
        #expect(rig.titles == ["z", "m", "d", "a"])
        #expect(rig.gallery?.selected?.title == "d")
        rig.loadPictures()
        #expect(rig.gallery?.tiles.allSatisfy(\.picture.isReady) == true)
        rig.press(.enter)
        rig.type("ns")
        #expect(rig.saving.titles == ["a"])
    }

    @Test("a filter without matches does not fetch a whole site; G loads more")
    func fruitless() {
        var options = BrowserOptions()
        options.order.filter = "needle"
        let pages: [[(title: String, date: String?)]] = (0..<40).map { [("hay \($0)", nil)] }
        let rig = rig(pages: pages, options: options)
        rig.loadPages()
        #expect(rig.draw().top.count == "needle: 0 of 5+ pictures")
        rig.type("G")
        rig.settle()
        #expect(rig.draw().top.count == "needle: 0 of 10+ pictures")
    }

    @Test("a filter selects what is nearest in the order; what it hid is selected again after it")
    func nearest() {
        let rig = Rig([[24]], rows: 200)
        rig.loadPages()
        rig.type("10gf0.0.2")
        #expect(rig.gallery?.selected?.title == "0.0.2", "of 2 and 20 to 23")
        rig.press(.enter)
        rig.type("i")
        rig.press(.escape, .escape)
        #expect(rig.selected == "0.0.9")
        rig.type("20gf0.0.2")
        #expect(rig.gallery?.selected?.title == "0.0.20")
        rig.press(.backspace)
        #expect(rig.gallery?.selected?.title == "0.0.19")
        rig.type("2")
        rig.press(.enter)
        rig.type("l")
        rig.press(.escape)
        #expect(rig.selected == "0.0.21", "where the reader has gone meanwhile")
        rig.type(":sort -title")
        rig.press(.enter)
        rig.type("gllf0.0.1")
        #expect(rig.gallery?.selected?.title == "0.0.19")
        rig.press(.escape)
        #expect(rig.selected == "0.0.21")
    }

    @Test("a page that arrives meanwhile does not move what a filter has selected")
    func nearestStays() {
        let rig = Rig([[24, 24]], rows: 200)
        rig.pages.release(Rig.address(0, 0))
        rig.settle()
        rig.type("Gf5")
        rig.press(.enter)
        #expect(rig.selected == "0.0.15")
        rig.loadPages()
        #expect(rig.titles.contains("0.1.5") && rig.selected == "0.0.15", "that were nearer")
        rig.press(.escape)
        #expect(rig.selected == "0.0.23")
    }

    @Test("a width that is no number is told, and changes nothing")
    func tileWidth() {
        let rig = Rig()
        rig.loadPages()
        rig.type("+")
        let before = rig.gallery?.tiles.first?.frame
        rig.type(":tile abc")
        rig.press(.enter)
        #expect(rig.message == "abc is no number" && rig.gallery?.tiles.first?.frame == before)
        rig.type(":tile")
        rig.press(.enter)
        #expect(rig.gallery?.tiles.first?.frame != before)
    }
}
