import Basics
import Dispatch
import ImageCodecs
import ImageEncoders
import Network
import Pipeline
import Raster
import TestSupport
import Testing

@testable import Thumbnails

@Suite("Animations drawn frame by frame") struct PlayingTests {
    private static let colors = [RGB(0xFF_0000), RGB(0x00_FF00), RGB(0x00_00FF)]

    private let studio = Studio()
    private let address: Address

    init() throws {
        address = try #require(Address("https://example.org/moving.gif"))
        studio.fetcher.answer(address, with: try Self.file())
    }

    private static func file() throws -> [UInt8] {
        let size = PixelSize(width: 60, height: 40)
        return try ImageEncoder.gif(
            animating: colors.map { PixelBuffer(filledWith: $0, size: size) },
            GIFOptions(delay: 0.05, repeats: 1))
    }

    /// Frames that arrive once a gate is open.
    private struct SlowFrames: FrameSource {
        let opened: DispatchSemaphore
        let gate: DispatchSemaphore
        var frames: FrameCursor

        mutating func frame(
            _ number: Int, _ reduction: ReducedSize
        ) throws(DecodeError) -> FrameCursor.Frame? {
            opened.signal()
            gate.wait()
            gate.signal()
            return try frames.frame(number, reduction)
        }
    }

    private func player(_ request: ThumbnailRequest) throws -> any FramePlaying {
        let still = try studio.load(request).answer.thumbnail()
        #expect(still.facts.frameCount == 3)
        return try #require(studio.pipeline.player(of: request, facts: still.facts))
    }

    private func frame(
        _ number: Int, _ player: any FramePlaying, _ request: ThumbnailRequest
    ) throws -> PlayedFrame? {
        let answer = Locked<Result<PlayedFrame?, ThumbnailError>?>(nil)
        let arrived = DispatchSemaphore(value: 0)
        _ = player.frame(number, for: request) { result in
            answer.withLock { $0 = result }
            arrived.signal()
        }
        try #require(arrived.wait(timeout: .testDeadline) == .success)
        let result = answer.withLock { $0 }
        return try #require(result).get()
    }

    /// Returns the colours of a frame's cells.
    private func colors(_ frame: PlayedFrame?) -> Set<CellColor> {
        Set((frame?.thumbnail.cells.cells ?? []).flatMap(\.visibleColors))
    }

    @Test(
        "formats that cannot be played are not marked as animated, though frames are counted",
        arguments: ImageFormat.allCases)
    func marks(format: ImageFormat) {
        func facts(frames: Int) -> PictureFacts {
            PictureFacts(
                size: PixelSize(width: 60, height: 40), format: format, byteCount: 1,
                dominant: RGB(0), tint: RGB(0), frameCount: frames)
        }
        #expect(facts(frames: 3).isAnimated == [.gif, .webp, .png].contains(format))
        #expect(!facts(frames: 1).isAnimated)
    }

    @Test("frames come in order, as often as the file specifies, from one fetch")
    func frames() throws {
        let request = ThumbnailRequest.tile(address)
        let player = try player(request)
        let fetches = studio.fetcher.requests.count
        for number in 0..<6 {
            let frame = try frame(number, player, request)
            #expect(colors(frame) == [CellColor(Self.colors[number % 3])])
            #expect(frame?.milliseconds == 50)
            #expect(frame?.thumbnail.cells.size == CellSize(columns: 24, rows: 8))
        }
        #expect(try frame(6, player, request) == nil)
        #expect(try frame(6, player, request) == nil)
        #expect(studio.fetcher.requests.count == fetches + 1)
    }

    @Test("where an endless animation begins again is told, and frames may be passed over")
    func again() throws {
        let endless = try ImageEncoder.gif(
            animating: Self.colors.map {
                PixelBuffer(filledWith: $0, size: PixelSize(width: 60, height: 40))
            }, GIFOptions(delay: 0.05, repeats: 0))
        studio.fetcher.answer(address, with: endless)
        let request = ThumbnailRequest.tile(address)
        let player = try player(request)
        let again = try (0..<7).map { try frame($0, player, request)?.beginsAgain == true }
        #expect(again == [false, false, false, true, false, false, true])
        let later = try frame(11, player, request)
        #expect(colors(later) == [CellColor(Self.colors[2])] && later?.beginsAgain == false)
    }

    @Test("the visible frame can be redrawn differently even after the next one is decoded")
    func redrawing() throws {
        let request = ThumbnailRequest.tile(address)
        let large = ThumbnailRequest.tile(address, columns: 80, rows: 40)
        let player = try player(request)
        for number in 0..<2 {
            _ = try frame(number, player, request)
        }
        let again = try frame(0, player, large)
        #expect(colors(again) == [CellColor(Self.colors[0])])
        #expect((again?.thumbnail.cells.size.columns ?? 0) > 24)
        #expect(colors(try frame(1, player, large)) == [CellColor(Self.colors[1])])
        #expect(colors(try frame(2, player, large)) == [CellColor(Self.colors[2])])
    }

    @Test("a slow frame does not block the pipeline")
    func slowFrames() throws {
        let request = ThumbnailRequest.tile(address)
        let facts = try studio.load(request).answer.thumbnail().facts
        let (opened, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let player = AnimationPlayer(
            request, facts: facts, context: studio.pipeline.context,
            worker: studio.pipeline.players)
        let file = try Self.file()
        try player.cursor.withLock { cursor in
            cursor = .success(
                SlowFrames(
                    opened: opened, gate: gate,
                    frames: try FrameCursor(file, limits: DecodeLimits())))
        }
        let ended = DispatchGroup()
        for columns in [24, 30] {
            ended.enter()
            _ = player.frame(0, for: .tile(address, columns: columns)) { _ in ended.leave() }
        }
        try #require(opened.wait(timeout: .testDeadline) == .success)
        // After zooming meanwhile, another frame is requested, and another picture is drawn.
        ended.enter()
        _ = player.frame(0, for: .tile(address, columns: 40)) { _ in ended.leave() }
        let other = try studio.picture("other.jpg")
        #expect(try studio.load(.tile(other)).answer.thumbnail().cells.size.columns == 24)
        gate.signal()
        #expect(ended.wait(timeout: .testDeadline) == .success)
    }

    @Test("at the end, the last frame can still be redrawn")
    func atTheEnd() throws {
        let request = ThumbnailRequest.tile(address)
        let player = try player(request)
        for number in 0..<7 {
            _ = try frame(number, player, request)
        }
        let large = ThumbnailRequest.tile(address, columns: 80, rows: 40)
        #expect(colors(try frame(5, player, large)) == [CellColor(Self.colors[2])])
        #expect(try frame(6, player, large) == nil)
    }

    @Test("a still or missing file is an error every time")
    func broken() throws {
        let still = try studio.picture("still")
        let request = ThumbnailRequest.tile(still)
        let facts = try studio.load(request).answer.thumbnail().facts
        let player = try #require(studio.pipeline.player(of: request, facts: facts))
        for _ in 0..<2 {
            #expect(throws: ThumbnailError.self) { try frame(0, player, request) }
        }
        let missing = ThumbnailRequest.tile(try #require(Address("https://example.org/none")))
        let other = try #require(studio.pipeline.player(of: missing, facts: facts))
        #expect(throws: ThumbnailError.fetch(.status(404))) { try frame(0, other, missing) }
    }
}
