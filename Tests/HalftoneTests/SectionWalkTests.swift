import Basics
import Gallery
import Network
import TestSupport
import Testing

@testable import halftone

@Suite("Sections without a terminal")
struct SectionWalkTests {
    private let pages = GatedPages()

    private func walk(_ page: Page) -> SectionWalk {
        pages.set(.success(page), at: page.address)
        pages.open()
        let source = Source(argument: page.address.text, address: page.address)
        return SectionWalk(
            readers: [SectionReader(source: source, pages: pages, pageLimit: 1)],
            order: PictureOrder())
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
}
