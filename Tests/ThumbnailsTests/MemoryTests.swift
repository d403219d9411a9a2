import Dispatch
import Network
import Pipeline
import Raster
import TestSupport
import Testing

@testable import Thumbnails

@Suite struct MemoryTests {
    let size = PixelSize(width: 120, height: 80)

    @Test("the memory cache stays within its budgets however many pictures pass")
    func budgets() throws {
        var options = ThumbnailOptions.test
        options.reducedBytes = 100_000
        options.cellsBytes = 50_000
        let studio = Studio(options: options)
        for number in 0..<60 {
            let address = try studio.picture("\(number).jpg", size: size)
            _ = try studio.load(.tile(address)).answer.thumbnail()
            #expect(studio.pipeline.memory.cost <= 150_000)
        }
        #expect(studio.pipeline.memory.cost > 75_000)
    }

    @Test("dropping memory evicts the cells last, and evicted pictures are fetched again")
    func dropsMemory() throws {
        let studio = Studio()
        let address = try studio.picture("1.jpg", size: size)
        let thumbnail = try studio.load(.tile(address)).answer.thumbnail()
        let cells = thumbnail.cells.cells.count * MemoryLayout<Cell>.stride
        studio.pipeline.memory.drop(to: cells + 1000)
        #expect(studio.pipeline.cached(.tile(address)) != nil)
        _ = try studio.load(.tile(address, columns: 25)).answer.thumbnail()
        #expect(studio.fetcher.requests.count == 2)
        studio.pipeline.memory.drop(to: 0)
        #expect(studio.pipeline.memory.cost == 0)
        #expect(studio.pipeline.cached(.tile(address)) == nil)
    }

    @Test(
        "free memory between live allocations is returned when the process has grown",
        .enabled(if: HeapHoles.areGivenBack))
    func giveBack() throws {
        let holes = HeapHoles()
        let before = MemoryPressure.residentBytes
        let studio = Studio()
        _ = try studio.load(.tile(try studio.picture("1.jpg", size: size))).answer.thumbnail()
        studio.pipeline.memory.housekeeping.sync {}
        #expect(MemoryPressure.residentBytes < before - 128 << 20)
        withExtendedLifetime(holes) {}
    }

    @Test("under memory pressure the caches shrink automatically")
    func pressure() throws {
        var options = ThumbnailOptions.test
        // Every process is larger than this.
        options.pressure = MemoryPressure(residentLimit: 1)
        let studio = Studio(options: options)
        var most = 0
        // Two insertions per picture, and a check at the first and then every 64.
        for number in 0..<33 {
            let address = try studio.picture("\(number).jpg", size: size)
            _ = try studio.load(.tile(address)).answer.thumbnail()
            most = max(most, studio.pipeline.memory.cost)
        }
        studio.pipeline.memory.housekeeping.sync {}
        #expect(studio.pipeline.memory.cost <= most / 2 + 20_000)
        #expect(studio.pipeline.memory.cost < most)
    }
}

/// Pinned thumbnails stay in memory.
@Suite struct PinningTests {
    @Test("visible pictures keep their cells and pixels in memory, whatever is loaded or dropped")
    func pins() throws {
        var options = ThumbnailOptions.test
        options.reducedBytes = 200_000
        options.cellsBytes = 50_000
        let studio = Studio(options: options)
        let size = PixelSize(width: 120, height: 80)
        let screen = try (0..<3).map {
            ThumbnailRequest.tile(try studio.picture("\($0).jpg", size: size))
        }
        studio.pipeline.pin(screen)
        for request in screen {
            _ = try studio.load(request).answer.thumbnail()
        }
        for number in 100..<140 {
            let address = try studio.picture("\(number).jpg", size: size)
            _ = try studio.load(.tile(address)).answer.thumbnail()
        }
        studio.pipeline.memory.drop(to: 0)
        let asked = studio.fetcher.requests.count
        for request in screen {
            #expect(studio.pipeline.cached(request) != nil)
            // Drawn in another style from the same pixels: no file is fetched.
            var other = request
            other.style.blocks = .ascii
            _ = try studio.load(other).answer.thumbnail()
        }
        #expect(studio.fetcher.requests.count == asked)
        studio.pipeline.pin([])
        studio.pipeline.memory.drop(to: 0)
        #expect(studio.pipeline.memory.cost == 0)
    }
}
