import Dispatch
import ImageEncoders
import Network
import Pipeline
import Raster
import TestSupport
import Testing
import Trace

@testable import Browser
@testable import Thumbnails

/// The number of hand-offs of a picture between threads and queues, counted from the trace; and what it waits for.
@Suite struct HandOffTests {
    private let folder: ScratchFolder
    private let server: LoopbackServer

    init() throws {
        folder = try ScratchFolder()
        server = try LoopbackServer()
    }

    /// Returns a picture whose file is larger than its derived picture.
    private func noise(_ seed: UInt64 = 1) throws -> [UInt8] {
        var pixels = PixelBuffer(
            filledWith: RGB(0xC0_4020), size: PixelSize(width: 600, height: 400))
        var state = seed
        for index in pixels.bytes.indices where index % 4 == 1 {
            state = state &* 6_364_136_223_846_793_005 &+ 1
            pixels.bytes[index] = UInt8(truncatingIfNeeded: state >> 56)
        }
        return try ImageEncoder.jpeg(pixels)
    }

    /// Loads `request` like a tile's, in a separate run; returns the stops of its flow.
    @MainActor private func places(of request: ThumbnailRequest) throws -> [String] {
        let reader = try TraceReader()
        var options = NetworkOptions()
        options.cacheFolder = folder.path + "/cache"
        options.timeout = 600
        let fetcher = FetchStage(options: options, tracer: reader.tracer)
        let pipeline = ThumbnailPipeline(
            fetcher: fetcher, store: fetcher.store, options: .test,
            tracer: reader.tracer)
        let main = ManualMain()
        let pictures = PictureRequests(
            BrowserContext(
                options: BrowserOptions(), services: BrowserServices(),
                display: DisplayState(style: request.style), thumbnails: pipeline, main: main,
                clock: { 0 }, tracer: reader.tracer))
        let id = PictureID(section: 1, index: 0)
        pictures.update([
            PictureRequests.Want(
                id: id, identity: request.address, request: request, priority: .visible)
        ])
        try #require(main.waitForPost())
        main.drain()
        #expect(pictures.thumbnail(of: id) != nil)
        fetcher.store.finishWriting(milliseconds: 600_000)
        return try reader.places()
    }

    @Test("a cold tile from a server takes eight hand-offs, a derived one four")
    @MainActor func network() throws {
        let bytes = try noise()
        server.route("/a.jpg") { _ in .bytes(bytes, type: "image/jpeg") }
        let request = ThumbnailRequest.tile(try #require(Address(server.url("/a.jpg"))))
        let cold = try places(of: request)
        #expect(
            cold == [
                "main", "pipeline", "disk", "pipeline", "transfers", "pipeline", "worker",
                "pipeline", "main",
            ])
        let warm = try places(of: request)
        #expect(warm == ["main", "pipeline", "disk", "pipeline", "main"])
    }

    @Test("a cold local file is read by its decoder")
    @MainActor func file() throws {
        let path = try folder.write(try noise(), to: "a.jpg")
        let places = try places(of: .tile(Address(path: path)))
        #expect(places == ["main", "pipeline", "disk", "pipeline", "worker", "pipeline", "main"])
    }

    @Test("many pictures waiting for the heavy lane do not delay other local files")
    func heavyFiles() throws {
        let fetcher = FetchStage(options: NetworkOptions())
        let pipeline = ThumbnailPipeline(
            fetcher: fetcher, options: .test)
        let gate = DispatchSemaphore(value: 0)
        PipelineActor.perform {
            pipeline.cells.pixels.heavyDecoders.enqueue(
                priority: .urgent, work: { gate.wait() }, then: {})
        }
        let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'></svg>"
        var heavy: [Answer] = []
        for number in 0..<30 {
            let path = try folder.write(Array(drawing.utf8), to: "\(number).svg")
            let answer = Answer()
            heavy.append(answer)
            _ = pipeline.load(.tile(Address(path: path)), priority: .visible, flow: .none) {
                answer.give($0)
            }
        }
        let path = try folder.write(try noise(), to: "small.jpg")
        let answer = Answer()
        _ = pipeline.load(.tile(Address(path: path)), priority: .visible, flow: .none) {
            answer.give($0)
        }
        #expect(try answer.thumbnail().cells.size.columns == 24)
        #expect(heavy.allSatisfy { $0.count == 0 })
        // Meanwhile their files take no memory.
        #expect(fetcher.backlog.bytes == 0)
        gate.signal()
        for answer in heavy { _ = try answer.wait() }
    }
}
