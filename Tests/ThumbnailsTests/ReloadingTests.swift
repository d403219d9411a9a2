import Network
import Pipeline
import Raster
import TestSupport
import Testing
import Thumbnails

/// Returns whether a thumbnail shows the new, blue picture or the old, red one.
private func isNew(_ thumbnail: Thumbnail?) -> Bool? {
    thumbnail.map { $0.facts.dominant.blue > $0.facts.dominant.red }
}

@Suite struct ReloadingTests {
    let studio = Studio()
    let address: Address
    let size = PixelSize(width: 300, height: 200)

    /// Loads an old picture into memory, in two sizes.
    init() throws {
        address = try studio.picture("1.jpg", color: RGB(0xD0_1010))
        _ = try studio.load(.tile(address)).answer.thumbnail()
        _ = try studio.load(.tile(address, columns: 10, rows: 5)).answer.thumbnail()
    }

    func replaceFile() throws {
        studio.fetcher.answer(address, with: try Studio.jpeg(RGB(0x10_10D0), size))
    }

    @Test("a reload bypasses every cache and replaces the entries in every size")
    func replaces() throws {
        try replaceFile()
        #expect(isNew(try studio.load(.tile(address)).answer.thumbnail()) == false)
        let generation = CacheGeneration.next()
        let reloaded = try studio.load(.tile(address, generation: generation)).answer.thumbnail()
        #expect(isNew(reloaded) == true)
        #expect(studio.fetcher.requests.map(\.generation) == [.any, generation])
        #expect(isNew(studio.pipeline.cached(.tile(address))) == true)
        // Drawn from the old file, so it is stale, although this size was not reloaded.
        #expect(studio.pipeline.cached(.tile(address, columns: 10, rows: 5)) == nil)
        let list = try studio.load(.tile(address, columns: 10, rows: 5)).answer.thumbnail()
        #expect(isNew(list) == true)
        #expect(studio.fetcher.requests.count == 2)
    }

    @Test("the old picture stays until the new one arrives")
    func oldStays() throws {
        try replaceFile()
        studio.fetcher.hold(address)
        let reload = studio.load(.tile(address, generation: .next()))
        studio.settle()
        #expect(isNew(studio.pipeline.cached(.tile(address))) == false)
        // Another size is drawn meanwhile from the old pixels in memory, without delay.
        let other = studio.load(.tile(address, columns: 16, rows: 8))
        #expect(isNew(try other.answer.thumbnail()) == false)
        studio.fetcher.release(address)
        #expect(isNew(try reload.answer.thumbnail()) == true)
        // What was drawn meanwhile is now stale.
        #expect(studio.pipeline.cached(.tile(address, columns: 16, rows: 8)) == nil)
    }

    @Test("a reload that fails or is cancelled leaves the old picture", arguments: [true, false])
    func failedReload(isCancelled: Bool) throws {
        studio.fetcher.fail(address, with: .offline)
        if isCancelled {
            studio.fetcher.hold(address)
        }
        let reload = studio.load(.tile(address, generation: .next()))
        if isCancelled {
            reload.subscription.cancel()
        }
        #expect(try reload.answer.wait().failure == (isCancelled ? .cancelled : .fetch(.offline)))
        #expect(isNew(studio.pipeline.cached(.tile(address))) == false)
        try replaceFile()
        studio.fetcher.open()
        studio.fetcher.release(address)
        let second = try studio.load(.tile(address, generation: .next())).answer.thumbnail()
        #expect(isNew(second) == true)
    }

    @Test("simultaneous reloads share one transfer, a later one gets its own")
    func sharesReload() throws {
        studio.fetcher.hold(address)
        let generation = CacheGeneration.next()
        let first = studio.load(.tile(address, generation: generation))
        let second = studio.load(.tile(address, columns: 10, rows: 5, generation: generation))
        studio.settle()
        #expect(studio.fetcher.requests.count == 2)
        studio.fetcher.release(address)
        _ = try first.answer.thumbnail()
        _ = try second.answer.thumbnail()
        _ = try studio.load(.tile(address, generation: .next())).answer.thumbnail()
        #expect(studio.fetcher.requests.count == 3)
    }

    @Test("a transfer begun before a reload serves its own request but replaces nothing newer")
    func staleResult() throws {
        let other = try studio.picture("2.jpg", color: RGB(0xD0_1010))
        studio.fetcher.hold(other)
        let old = studio.load(.tile(other))
        studio.settle()
        let reload = studio.load(.tile(other, columns: 10, rows: 5, generation: .next()))
        studio.settle()
        #expect(studio.fetcher.waiting.count == 2)
        // The reload is answered first, the old transfer last and with the old bytes.
        studio.fetcher.answerWaiting(1, with: try Studio.jpeg(RGB(0x10_10D0), size))
        #expect(isNew(try reload.answer.thumbnail()) == true)
        studio.fetcher.answerWaiting(0, with: try Studio.jpeg(RGB(0xD0_1010), size))
        #expect(isNew(try old.answer.thumbnail()) == false)
        #expect(studio.pipeline.cached(.tile(other)) == nil)
        #expect(isNew(studio.pipeline.cached(.tile(other, columns: 10, rows: 5))) == true)
    }
}
