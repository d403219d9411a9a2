import ImageCodecs
import Network
import Pipeline
import Raster
import TestSupport
import Testing
import Thumbnails

@Suite struct FailingTests {
    @Test("a failed, stalled or invalid picture does not delay others")
    func failuresStayAlone() throws {
        let studio = Studio()
        let missing = try studio.picture("missing.jpg")
        studio.fetcher.fail(missing, with: .status(404))
        let text = try studio.picture("text.jpg")
        studio.fetcher.answer(text, with: Array("<!doctype html><title>Log in</title>".utf8))
        let cut = try studio.picture("cut.jpg")
        studio.fetcher.answer(cut, with: Array(try Studio.jpeg(RGB(0), size).prefix(20)))
        let hanging = try studio.picture("hanging.jpg")
        studio.fetcher.hold(hanging)

        let failures = [missing, text, cut].map { studio.load(.tile($0)).answer }
        let waiting = studio.load(.tile(hanging)).answer
        let good = try (0..<8).map { try studio.load(.tile(studio.picture("\($0).jpg"))).answer }
        for answer in good {
            #expect(try answer.thumbnail().cells.size.columns == 24)
        }
        #expect(try failures[0].wait().failure == .fetch(.status(404)))
        guard case .decode(.unknownFormat) = try failures[1].wait().failure else {
            Issue.record("a page is no picture")
            return
        }
        guard case .decode(.broken(.jpeg, _)) = try failures[2].wait().failure else {
            Issue.record("the file is broken")
            return
        }
        #expect(waiting.count == 0)
        studio.fetcher.release(hanging)
        #expect(try waiting.thumbnail().cells.size.columns == 24)
    }

    @Test("a stalled host does not delay another")
    func hostsStayAlone() throws {
        let studio = Studio(isOpen: false)
        for number in 0..<40 {
            _ = try studio.load(.tile(studio.picture("\(number).jpg")), priority: .urgent)
        }
        let other = try #require(Address("https://elsewhere.net/1.jpg"))
        studio.fetcher.answer(other, with: try Studio.jpeg(RGB(0xFF), size))
        let load = studio.load(.tile(other), priority: .prefetch)
        studio.settle()
        studio.fetcher.release(other)
        #expect(try load.answer.thumbnail().cells.size.columns == 24)
    }

    @Test("a failure is not cached: the next request retries")
    func retries() throws {
        let studio = Studio()
        let address = try studio.picture("1.jpg")
        studio.fetcher.fail(address, with: .timedOut(seconds: 15))
        #expect(
            try studio.load(.tile(address)).answer.wait().failure == .fetch(.timedOut(seconds: 15)))
        studio.fetcher.answer(address, with: try Studio.jpeg(RGB(0), size))
        #expect(try studio.load(.tile(address)).answer.thumbnail().cells.size.columns == 24)
    }

    @Test("a decode beyond the limit is an error that states the limit")
    func limits() throws {
        var options = ThumbnailOptions.test
        options.decodeLimits.maxPixels = 1000
        let studio = Studio(options: options)
        let error = try studio.load(.tile(studio.picture("1.jpg"))).answer.wait().failure
        #expect(error == .decode(.tooLarge(size, maxPixels: 1000)))
    }

    @Test("pictures match their requests, in whatever order they arrive")
    func orderOfArrival() throws {
        let studio = Studio(isOpen: false)
        let colors = [RGB(0xC0_0000), RGB(0x00_C000), RGB(0x00_00C0)]
        let addresses = try colors.enumerated().map { number, color in
            try studio.picture("\(number).jpg", color: color)
        }
        let answers = addresses.map { studio.load(.tile($0)).answer }
        studio.settle()
        for address in addresses.reversed() {
            studio.fetcher.release(address)
        }
        for (answer, color) in zip(answers, colors) {
            let dominant = try answer.thumbnail().facts.dominant
            #expect(abs(Int(dominant.red) - Int(color.red)) < 8)
            #expect(abs(Int(dominant.green) - Int(color.green)) < 8)
            #expect(abs(Int(dominant.blue) - Int(color.blue)) < 8)
        }
    }

    private let size = PixelSize(width: 300, height: 200)
}
