import Network
import Testing
import Thumbnails

@testable import Browser

/// A picture's timings as text for the info panel.
@Suite struct TimingLineTests {
    private func timings(_ origin: Response.Origin = .network) -> PictureTimings {
        var timings = PictureTimings()
        timings.origin = origin
        timings.queue = 1_249_000
        timings.decode = 42_400
        timings.draw = 300
        return timings
    }

    @Test("a picture from a server lists every step, in lines that fit a 60-column panel")
    func network() {
        var timings = timings()
        timings.connect = 99_949
        timings.firstByte = 15_000_000
        timings.transfer = 123_456_000
        #expect(
            timings.lines == [
                "queue 1.2 s, connect 100 ms", "first byte 15 s, transfer 123 s",
                "decode 42 ms, draw <1 ms",
            ])
        timings.connect = 0
        #expect(timings.lines[0] == "queue 1.2 s, already connected")
        #expect(timings.lines.allSatisfy { $0.count <= 42 })
    }

    @Test("a cached picture shows its source and the time spent revalidating it")
    func kept() {
        #expect(timings(.disk).lines == ["from disk 1.2 s, decode 42 ms, draw <1 ms"])
        #expect(timings(.file).lines == ["read 1.2 s, decode 42 ms, draw <1 ms"])
        var confirmed = timings(.memory)
        confirmed.firstByte = 80_000
        #expect(
            confirmed.lines == [
                "queue 1.2 s, already connected", "first byte 80 ms, transfer <1 ms",
                "from memory, decode 42 ms, draw <1 ms",
            ])
    }
}
