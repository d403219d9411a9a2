import Browser
import FoundationEssentials
import Glibc
import Network
import Pipeline
import TestSupport
import Testing
import Thumbnails
import Trace

/// How far ahead pictures are requested, and what the trace tells of them.
@MainActor @Suite("Prefetch window") struct WindowTests {
    private func rig(
        sparesLine: Bool = false, columns: Int = 80, bytes: Int = 30_000,
        tracer: Tracer = .disabled
    ) -> Rig {
        var options = BrowserOptions()
        options.sparesLine = sparesLine
        if columns > 80 { options.tileColumns = 8 }
        let rig = Rig(
            [[6000]], columns: columns, rows: columns / 2, options: options, tracer: tracer)
        rig.thumbnails.setSize(bytes: bytes)
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

    /// Returns how many screens of tiles were requested below the last visible one.
    private func screensAhead(_ rig: Rig) -> Double {
        let last = rig.thumbnails.requests.map(\.address.pictureNumber).max() ?? 0
        let seen = rig.titles.last?.split(separator: ".").last.flatMap { Int($0) } ?? 0
        return Double(last - seen) / Double(rig.titles.count)
    }

    @Test("two screens are requested ahead, one on a line to be spared, or if another is large")
    func ahead() {
        for (rig, screens) in [
            (rig(), 1.5...2.2), (rig(sparesLine: true), 0.5...1.2), (rig(columns: 300), 0.5...1.2),
        ] {
            #expect(screens.contains(screensAhead(rig)))
            page(rig, 5)
            #expect(screens.contains(screensAhead(rig)))
        }
        let large = rig(bytes: 3_000_000)
        page(large, 20)
        #expect(screensAhead(large) < 1.2)
    }

    @Test("after reversing, two screens are prefetched the other way and at most one behind")
    func turns() {
        let rig = rig()
        page(rig, 20)
        // Loaded pictures are forgotten, so that the whole window is requested.
        rig.type("t")
        rig.press("b")
        rig.draw()
        let numbers = rig.thumbnails.waiting.filter { $0.priority.level < .visible }
        #expect(numbers.contains { $0.priority.level == .prefetch })
        #expect(numbers.count <= 39)
    }

    @Test("the trace records waiting pictures, cancellations and changes of priority")
    func traced() throws {
        let path = "/tmp/halftone-window-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).json"
        defer { unlink(path) }
        let tracer = try Tracer(path: path)
        let rig = rig(tracer: tracer)
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
        let names = Set(events.map(\.name))
        #expect(names.isSuperset(of: ["settling", "given up", "priority changes"]))
    }
}

private struct TraceEvent: Decodable {
    var name: String
}

extension Address {
    /// The number of a made-up picture: "https://s0.example/p0/12.jpg" is 12.
    var pictureNumber: Int { text.split { !$0.isNumber }.last.flatMap { Int($0) } ?? -1 }
}
