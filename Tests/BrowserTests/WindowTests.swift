import Browser
import FoundationEssentials
import Glibc
import Network
import Pipeline
import TestSupport
import Testing
import Thumbnails
import Trace

/// The prefetch window follows the scrolling speed and the pictures' latency, and the trace says why.
@MainActor @Suite("Prefetch window") struct WindowTests {
    private func rig(latency seconds: Double, tracer: Tracer = .disabled) -> Rig {
        let rig = Rig([[6000]], tracer: tracer)
        rig.thumbnails.setLatency(Int(seconds * 1e6))
        rig.loadPages()
        rig.loadPictures()
        rig.clock.pause = 0.5
        return rig
    }

    private func page(_ rig: Rig, _ count: Int, _ key: Key = " ") {
        for _ in 0..<count {
            rig.press(key)
            rig.draw()
            rig.thumbnails.releaseAll()
            rig.main.drain()
        }
    }

    /// Returns how many screens of twelve tiles were requested below the last visible one.
    private func screensAhead(_ rig: Rig) -> Double {
        let last = rig.thumbnails.requests.map(\.address.pictureNumber).max() ?? 0
        let seen = rig.titles.last?.split(separator: ".").last.flatMap { Int($0) } ?? 0
        return Double(last - seen) / 12
    }

    @Test("at two screens a second and 1.5 s latency, pictures are requested three screens ahead")
    func slow() {
        let rig = rig(latency: 1.5)
        #expect(screensAhead(rig) < 1.2)
        page(rig, 20)
        #expect(screensAhead(rig) >= 2.5)
    }

    @Test("with low latency one screen is enough, however fast the reader is")
    func fast() {
        let rig = rig(latency: 0.02)
        page(rig, 20)
        #expect(screensAhead(rig) < 1.2)
    }

    @Test("after reversing, one screen is prefetched the other way and at most one behind")
    func turns() {
        let rig = rig(latency: 1.5)
        page(rig, 20)
        // Loaded pictures are forgotten, so that the whole window is requested.
        rig.type("t")
        rig.press("b")
        rig.draw()
        let numbers = rig.thumbnails.waiting.filter { $0.priority.level < .visible }
        #expect(numbers.contains { $0.priority.level == .prefetch })
        #expect(numbers.count <= 27)
    }

    @Test("the trace records the window and its reason, waiting pictures and cancellations")
    func traced() throws {
        let path = "/tmp/halftone-window-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).json"
        defer { unlink(path) }
        let tracer = try Tracer(path: path)
        let rig = rig(latency: 1.5, tracer: tracer)
        page(rig, 20)
        for key in [" ", "l"] as [Key] {
            rig.press(key)
            rig.draw()
        }
        rig.clock.pause = 0.033
        for _ in 0..<12 {
            rig.press(" ")
            rig.draw()
        }
        try tracer.close()
        let data = try Data(contentsOf: URL(filePath: path))
        let events = try JSONDecoder().decode([TraceEvent].self, from: data)
        let window = try #require(events.last { $0.name == "window" }?.args?.detail)
        #expect(window.contains("screens: ") && window.contains("pictures/s x 1500 ms"))
        let names = Set(events.map(\.name))
        #expect(
            names.isSuperset(of: [
                "screens ahead x10", "picture latency us", "settling", "given up",
                "priority changes",
            ]))
    }
}

private struct TraceEvent: Decodable {
    struct Arguments: Decodable {
        var detail: String?
    }

    var name: String
    var args: Arguments?
}

extension Address {
    /// The number of a made-up picture: "https://s0.example/p0/12.jpg" is 12.
    var pictureNumber: Int { text.split { !$0.isNumber }.last.flatMap { Int($0) } ?? -1 }
}
