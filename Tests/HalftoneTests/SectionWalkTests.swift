import Basics
import Dispatch
import Gallery
import Network
import Pipeline
import TestSupport
import Testing

@testable import halftone

@MainActor @Suite("Sections without a terminal")
struct SectionWalkTests {
    private let pages = GatedPages()

    private func walk(_ addresses: [Address], pageLimit: Int = 1) -> SectionWalk {
        pages.open()
        let arrived = DispatchSemaphore(value: 0)
        let mailbox = Mailbox(wake: { arrived.signal() })
        return SectionWalk(
            readers: addresses.map {
                SectionReader(
                    source: Source(argument: $0.text, address: $0), pages: pages,
                    pageLimit: pageLimit, main: mailbox
                ) {
                    arrived.wait()
                    mailbox.drain()
                }
            },
            order: PictureOrder())
    }

    private func walk(_ page: Page) -> SectionWalk {
        pages.set(.success(page), at: page.address)
        return walk([page.address])
    }

    @Test("a section counts as loaded if one of its pages has pictures, in every output mode")
    func pageWithoutPictures() throws {
        let address = try #require(Address("https://photos.example/"))
        let next = Address("https://photos.example/2")
        let empty = Page(address: address, title: "", pictures: [], next: next)
        let picture = Picture(variants: [.init(address: address)], page: address, title: "")
        let full = Page(address: address, title: "", pictures: [picture])
        for (page, isLoaded) in [(empty, false), (full, true)] {
            #expect(try walk(page).forEachGroup { _ in } == isLoaded)
            var output = StandardOutput()
            let hasLoaded = try walk(page).printExplanations(
                Locked([]), areRecipes: false, to: &output)
            #expect(hasLoaded == isLoaded)
        }
    }

    @Test("what a browser has drawn goes on in the same tab")
    func continuation() throws {
        let first = try #require(Address("https://photos.example/"))
        let second = try #require(Address("https://photos.example/2"))
        func page(_ address: Address, next: Address?) -> Page {
            let picture = Picture(variants: [.init(address: address)], page: address, title: "")
            return Page(address: address, title: "", pictures: [picture], next: next)
        }
        let tab = GatedPages()
        tab.set(.success(page(second, next: nil)), at: second)
        tab.open()
        var drawn = page(first, next: second)
        drawn.continuation = tab
        pages.set(.success(drawn), at: first)
        var printed: [Address] = []
        _ = try walk([first], pageLimit: 3).forEachGroup { printed += $0.pictures.map(\.image) }
        #expect(printed == [first, second] && tab.loads.count == 1)
    }

    @Test("pages are printed in order up to the limit or the first that fails, section by section")
    func order() throws {
        func address(_ section: Int, _ page: Int) throws -> Address {
            try #require(Address("https://photos.example/\(section)/\(page)"))
        }
        for section in 0..<2 {
            for page in 0..<4 {
                let own = try address(section, page)
                let image = Picture(variants: [.init(address: own)], page: own, title: "")
                let next = try address(section, page + 1)
                pages.set(
                    .success(Page(address: own, title: "", pictures: [image], next: next)), at: own)
            }
        }
        pages.set(.failure(.needsScripts), at: try address(1, 2))
        var printed: [String] = []
        let firsts = try (0..<2).map { try address($0, 0) }
        let hasLoaded = try walk(firsts, pageLimit: 3).forEachGroup { group in
            printed += group.pictures.map { "\(group.section) \($0.image.text.suffix(3))" }
        }
        #expect(hasLoaded)
        #expect(printed == ["1 0/0", "1 0/1", "1 0/2", "2 1/0", "2 1/1"])
    }
}
