import ImageEncoders
import Network
import Raster
import TestSupport
import Testing

@testable import Thumbnails

/// Tiles drawn from the smaller pictures embedded in photographs.
@Suite("Embedded pictures in tiles") struct EmbeddedTests {
    /// Returns a red photograph with a green thumbnail.
    private func photograph(in studio: Studio, at path: String = "photograph.jpg") throws -> Address
    {
        let address = try #require(Address("https://example.org/" + path))
        let main = try Studio.jpeg(RGB(0xC0_2020), PixelSize(width: 1200, height: 900))
        let thumbnail = try Studio.jpeg(RGB(0x20_C020), PixelSize(width: 160, height: 120))
        studio.fetcher.answer(address, with: ImageEncoder.jpeg(main, thumbnail: thumbnail))
        return address
    }

    private func request(_ address: Address, columns: Int = 24, _ mayBeEmbedded: Bool)
        -> ThumbnailRequest
    {
        ThumbnailRequest(
            address: address, box: CellSize(columns: columns, rows: columns / 2),
            style: RenderStyle(cellAspect: 2), mayBeEmbedded: mayBeEmbedded)
    }

    private func isGreen(_ thumbnail: Thumbnail) -> Bool {
        thumbnail.facts.dominant.green > thumbnail.facts.dominant.red
    }

    @Test("a tile is drawn from the embedded picture and reports the original's facts")
    func tile() throws {
        let studio = Studio()
        let address = try photograph(in: studio)
        let tile = try studio.load(request(address, true)).answer.thumbnail()
        #expect(isGreen(tile))
        #expect(tile.facts.size == PixelSize(width: 1200, height: 900))
        #expect(tile.facts.byteCount == studio.fetcherBytes(address))
    }

    @Test("the viewer shows the full picture even in a small box, and then so does the tile")
    func viewer() throws {
        let studio = Studio()
        let address = try photograph(in: studio)
        #expect(isGreen(try studio.load(request(address, true)).answer.thumbnail()))
        #expect(!isGreen(try studio.load(request(address, false)).answer.thumbnail()))
        studio.pipeline.memory.drop(to: studio.pipeline.memory.cost)
        let other = request(address, columns: 12, true)
        #expect(!isGreen(try studio.load(other).answer.thumbnail()))
    }

    @Test("a tile and the viewer requesting together each get their own version")
    func together() throws {
        let studio = Studio(isOpen: false)
        // Of what is called a JPEG, the tile wants the beginning only.
        let address = try photograph(in: studio, at: "photograph")
        let tile = studio.load(request(address, true))
        let viewer = studio.load(request(address, false))
        studio.settle()
        #expect(studio.fetcher.requests.count == 1)
        studio.fetcher.open()
        #expect(isGreen(try tile.answer.thumbnail()))
        #expect(!isGreen(try viewer.answer.thumbnail()))
    }

    @Test("a tile too large for the embedded picture shows the full one")
    func large() throws {
        let studio = Studio()
        let address = try photograph(in: studio)
        #expect(isGreen(try studio.load(request(address, columns: 40, true)).answer.thumbnail()))
        #expect(!isGreen(try studio.load(request(address, columns: 41, true)).answer.thumbnail()))
    }
}
