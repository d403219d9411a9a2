import ImageCodecs
import Network
import Raster
import TestSupport
import Testing
import Thumbnails

@Suite struct SharingTests {
    @Test("a picture is returned as cells with its facts")
    func draws() throws {
        let studio = Studio()
        let address = try studio.picture("1.jpg", color: RGB(0xC0_4020))
        let thumbnail = try studio.load(.tile(address)).answer.thumbnail()
        #expect(thumbnail.cells.size == CellSize(columns: 24, rows: 8))
        #expect(thumbnail.facts.size == PixelSize(width: 300, height: 200))
        #expect(thumbnail.facts.format == .jpeg)
        #expect(thumbnail.facts.byteCount == studio.fetcherBytes(address))
        #expect(abs(Int(thumbnail.facts.dominant.red) - 0xC0) < 4)
        #expect(thumbnail.facts.tint == thumbnail.facts.dominant.tint(on: RGB(0)))
        #expect(studio.pipeline.transfersInFlight == 0)
    }

    @Test("two requests for one picture share one fetch and get the same result")
    func oneFetch() throws {
        let studio = Studio(isOpen: false)
        let address = try studio.picture("1.jpg")
        let first = studio.load(.tile(address))
        let second = studio.load(.tile(address))
        studio.settle()
        #expect(studio.fetcher.requests.count == 1)
        #expect(studio.pipeline.transfersInFlight == 1)
        studio.fetcher.open()
        #expect(try first.answer.thumbnail().cells == second.answer.thumbnail().cells)
        studio.settle()
        #expect(first.answer.count == 1 && second.answer.count == 1)
    }

    @Test("boxes of several sizes share one fetch, and the list reuses the grid's picture")
    func boxes() throws {
        let trace = try TraceReader()
        let studio = Studio(isOpen: false, tracer: trace.tracer)
        let address = try studio.picture("1.jpg")
        let grid = studio.load(.tile(address))
        let larger = studio.load(.tile(address, columns: 32, rows: 16))
        studio.settle()
        studio.fetcher.open()
        #expect(try grid.answer.thumbnail().cells.size.columns == 24)
        #expect(try larger.answer.thumbnail().cells.size.columns == 32)
        let list = studio.load(.tile(address, columns: 12, rows: 6))
        #expect(try list.answer.thumbnail().cells.size.columns == 12)
        let names = try trace.spanNames()
        #expect(studio.fetcher.requests.count == 1)
        #expect(names.filter { $0 == "decode" }.count == 2)
        #expect(names.filter { $0 == "shrink" }.count == 3)
        #expect(names.filter { $0 == "draw" }.count == 3)
    }

    @Test("changing tint, block set or colour depth needs neither fetch nor decode")
    func styleChange() throws {
        let trace = try TraceReader()
        let studio = Studio(tracer: trace.tracer)
        let address = try studio.picture("1.jpg")
        _ = try studio.load(.tile(address)).answer.thumbnail()
        for blocks in BlockSet.allCases {
            for depth in ColorDepth.allCases {
                let style = RenderStyle(blocks: blocks, depth: depth, isTinted: depth == .mono)
                let answer = studio.load(.tile(address, style: style)).answer
                #expect(try answer.thumbnail().cells.size.columns == 24)
            }
        }
        #expect(studio.fetcher.requests.count == 1)
        #expect(try trace.spanNames().filter { $0 == "decode" }.count == 1)
    }

    @Test("a picture in memory is available at once, only for the same box and style")
    func cached() throws {
        let studio = Studio()
        let address = try studio.picture("1.jpg")
        let request = ThumbnailRequest.tile(address)
        #expect(studio.pipeline.cached(request) == nil)
        let thumbnail = try studio.load(request).answer.thumbnail()
        #expect(studio.pipeline.cached(request)?.cells == thumbnail.cells)
        #expect(studio.pipeline.cached(.tile(address, columns: 25)) == nil)
        #expect(studio.pipeline.cached(.tile(address, style: RenderStyle(depth: .mono))) == nil)
        var reload = request
        reload.generation = .next()
        #expect(studio.pipeline.cached(reload) == nil)
        _ = try studio.load(request).answer.thumbnail()
        #expect(studio.fetcher.requests.count == 1)
    }

    @Test("the referring page is sent to the server but causes no second fetch")
    func referers() throws {
        let studio = Studio(isOpen: false)
        let address = try studio.picture("1.jpg")
        var request = ThumbnailRequest.tile(address)
        request.referer = Address("https://example.org/a.html")
        let first = studio.load(request)
        request.referer = Address("https://example.org/b.html")
        let second = studio.load(request)
        studio.settle()
        #expect(studio.fetcher.requests.map(\.referer) == [Address("https://example.org/a.html")])
        #expect(studio.fetcher.requests.map(\.purpose) == [.picture])
        studio.fetcher.open()
        _ = try first.answer.thumbnail()
        _ = try second.answer.thumbnail()
    }

    @Test("the viewer's size is decoded anew and then serves every smaller one")
    func largerExtent() throws {
        let trace = try TraceReader()
        let studio = Studio(tracer: trace.tracer)
        let address = try studio.picture("1.jpg", size: PixelSize(width: 1200, height: 800))
        _ = try studio.load(.tile(address)).answer.thumbnail()
        _ = try studio.load(.tile(address, columns: 200, rows: 60)).answer.thumbnail()
        #expect(studio.fetcher.requests.count == 2)
        _ = try studio.load(.tile(address, columns: 100, rows: 30)).answer.thumbnail()
        #expect(try trace.spanNames().filter { $0 == "decode" }.count == 2)
    }

    @Test("a picture too small to reduce serves every size")
    func smallPicture() throws {
        let studio = Studio()
        let address = try studio.picture("1.jpg", size: PixelSize(width: 60, height: 40))
        let large = { columns in ThumbnailRequest.tile(address, columns: columns, rows: columns) }
        _ = try studio.load(large(20)).answer.thumbnail()
        let thumbnail = try studio.load(large(300)).answer.thumbnail()
        #expect(thumbnail.cells.size == CellSize(columns: 300, rows: 100))
        #expect(studio.fetcher.requests.count == 1)
    }

    @Test("a region is drawn from that part of the picture")
    func region() throws {
        let studio = Studio()
        let address = try #require(Address("https://example.org/halves.png"))
        studio.fetcher.answer(address, with: try Studio.halves())
        var request = ThumbnailRequest.tile(address, columns: 20, rows: 10)
        request.region = UnitRect(x: 0, y: 0, width: 0.5, height: 1)
        let left = try studio.load(request).answer.thumbnail()
        request.region.x = 0.5
        let right = try studio.load(request).answer.thumbnail()
        #expect(left.cells[0, 0] != right.cells[0, 0])
        #expect(left.cells.cells.allSatisfy { $0 == left.cells[0, 0] })
        // The tint is that of the whole picture, not of the part: it must not flicker while panning.
        #expect(left.facts.dominant == right.facts.dominant)
    }
}
