import Basics
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import Trace

/// One event as the viewers read it.
struct Event: Decodable {
    struct Arguments: Decodable {
        var detail: String?
        var outcome: String?
        var name: String?
        var value: Int?
        var queue: Int?
    }
    var ph: String
    var name: String
    var pid: Int
    var tid: Int?
    var ts: Double?
    var dur: Double?
    var id: Int?
    var bp: String?
    var args: Arguments?
}

/// A clock that a test moves.
final class ManualClock: Sendable {
    private let time = Atomic<UInt64>(5_000_000)

    var now: @Sendable () -> UInt64 {
        { self.time.load(ordering: .relaxed) }
    }

    func advance(_ nanoseconds: UInt64) {
        time.wrappingAdd(nanoseconds, ordering: .relaxed)
    }
}

@Suite struct TracerTests {
    let path = "/tmp/halftone-trace-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).json"
    let clock = ManualClock()

    func makeTracer() throws -> Tracer {
        try Tracer(path: path, now: clock.now)
    }

    func text() throws -> String {
        try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    /// All events but the names of lanes.
    func events(in text: String) throws -> [Event] {
        try JSONDecoder().decode([Event].self, from: Data(text.utf8)).filter { $0.ph != "M" }
    }

    func closedEvents(of tracer: Tracer) throws -> [Event] {
        try tracer.close()
        defer { unlink(path) }
        return try events(in: text())
    }

    @Test("a closed trace is a JSON array of timed spans, counters and marks")
    func closed() throws {
        let tracer = try makeTracer()
        #expect(tracer.recorder != nil)
        clock.advance(1_000)
        let span = tracer.begin("fetch", detail: "https://example.org/1.jpg")
        clock.advance(2_500_001)
        span.end("ok", figures: [("queue", 12)])
        tracer.count("transfers", 3)
        clock.advance(999)
        tracer.mark("resize", detail: "80×24")
        let events = try closedEvents(of: tracer)
        try #require(events.map(\.ph) == ["X", "C", "i"])
        #expect(events[0].name == "fetch")
        #expect(events[0].ts == 1)
        #expect(events[0].dur == 2500.001)
        #expect(events[0].args?.detail == "https://example.org/1.jpg")
        #expect(events[0].args?.outcome == "ok")
        #expect(events[0].args?.queue == 12)
        #expect(events[1].args?.value == 3)
        #expect(events[2].ts == 2502)
        #expect(events[2].args?.detail == "80×24")
        #expect(events.allSatisfy { $0.pid == Int(getpid()) })
    }

    @Test("overlapping spans use separate lanes, which are reused")
    func lanes() throws {
        let tracer = try makeTracer()
        let first = tracer.begin("fetch", detail: "a")
        let second = tracer.begin("fetch", detail: "b")
        let decode = tracer.begin("decode", detail: "c")
        first.end()
        tracer.begin("fetch", detail: "d").end()
        second.end()
        decode.end()
        let events = try closedEvents(of: tracer)
        let lanes = Dictionary(uniqueKeysWithValues: events.map { ($0.args?.detail, $0.tid) })
        #expect(Set([lanes["a"], lanes["b"], lanes["c"]]).count == 3)
        #expect(lanes["d"] == lanes["a"])
        #expect(!lanes.values.contains(0))
    }

    @Test("each lane is named after its spans")
    func laneNames() throws {
        let tracer = try makeTracer()
        let spans = [tracer.begin("fetch"), tracer.begin("fetch"), tracer.begin("draw")]
        spans.forEach { $0.end() }
        try tracer.close()
        defer { unlink(path) }
        let names = try JSONDecoder().decode([Event].self, from: Data(text().utf8))
            .filter { $0.name == "thread_name" }.map { $0.args?.name }
        #expect(names == ["fetch 1", "fetch 2", "draw 1"])
    }

    @Test("a span ended twice is written once, even if its lane is reused")
    func endsOnce() throws {
        let tracer = try makeTracer()
        let first = tracer.begin("fetch", detail: "a")
        first.end("ok")
        let second = tracer.begin("fetch", detail: "b")
        first.end("twice")
        second.end("ok")
        let events = try closedEvents(of: tracer)
        #expect(events.map(\.args?.detail) == ["a", "b"])
        #expect(events.map(\.args?.outcome) == ["ok", "ok"])
    }

    @Test("an open span is written as unfinished, and nothing follows the end")
    func unfinished() throws {
        let tracer = try makeTracer()
        let span = tracer.begin("page")
        clock.advance(7_000)
        try tracer.close()
        span.end("late")
        tracer.mark("late")
        try tracer.close()
        let events = try events(in: text())
        unlink(path)
        #expect(events.map(\.args?.outcome) == ["unfinished"])
        #expect(events.first?.dur == 7)
    }

    @Test("quotes, control characters and hostile text are escaped and survive the round trip")
    func escaping() throws {
        let tracer = try makeTracer()
        let hostile = "\"\\\n\u{0}\u{1b}[2J\u{7f}\u{9b}\u{2028}é😀"
        tracer.mark("m", detail: hostile)
        try tracer.close()
        let written = try text()
        unlink(path)
        #expect(try events(in: written).first?.args?.detail == hostile)
        let controls = written.unicodeScalars.filter {
            $0 != "\n" && $0.properties.generalCategory == .control
        }
        #expect(controls.isEmpty)
    }

    @Test("a very long text is truncated")
    func longText() throws {
        let tracer = try makeTracer()
        tracer.mark("m", detail: String(repeating: "x", count: 100_000))
        #expect(try closedEvents(of: tracer).first?.args?.detail?.count == 500)
    }

    @Test("the file of a running program is readable except for the closing bracket")
    func diesMidway() throws {
        let tracer = try makeTracer()
        for number in 0..<5_000 {
            tracer.count("transfers", number)
        }
        // Nothing was closed: wait for the first batches, as a reader of the file would.
        let deadline = SteadyClock.nanoseconds() + 120_000_000_000
        while try text().isEmpty && SteadyClock.nanoseconds() < deadline {
            sched_yield()
        }
        let partial = try text()
        unlink(path)
        #expect(partial.hasPrefix("[\n{"))
        let complete = partial[..<(try #require(partial.lastIndex(of: "}")))] + "}]"
        #expect(try events(in: String(complete)).count > 100)
    }

    @Test(
        "flow events lie within slices of the places visited, and the last binds to its own slice")
    func flow() throws {
        let tracer = try makeTracer()
        tracer.recorder?.flow(7, .start, "main")
        clock.advance(2_000)
        tracer.recorder?.flow(8, .start, "main")
        tracer.recorder?.flow(7, .step, "disk")
        clock.advance(3_000)
        tracer.recorder?.flow(7, .end, "main")
        let events = try closedEvents(of: tracer)
        let slices = events.filter { $0.ph == "X" }
        #expect(slices.map(\.name) == ["main", "main", "disk", "main"])
        let flows = events.filter { $0.id == 7 }
        #expect(flows.map(\.ph) == ["s", "t", "f"])
        #expect(flows.map(\.bp) == [nil, nil, "e"])
        #expect(flows.map(\.ts) == [0, 2, 5])
        #expect(Set(flows.map(\.name)).count == 1)
        for flow in flows {
            let time = try #require(flow.ts)
            let around = slices.filter { slice in
                guard let start = slice.ts, let length = slice.dur else { return false }
                return slice.tid == flow.tid && (start..<start + length).contains(time)
            }
            #expect(around.count == 1)
        }
        #expect(flows[0].tid == flows[2].tid)
        #expect(flows[0].tid != flows[1].tid)
    }

    @Test("a disabled tracer evaluates no arguments")
    func disabled() throws {
        let asked = Atomic<Int>(0)
        func ask<Value>(_ value: Value) -> Value {
            asked.wrappingAdd(1, ordering: .relaxed)
            return value
        }
        let tracer = Tracer.disabled
        tracer.begin("a", detail: ask("")).end(ask(""))
        tracer.count("b", ask(1))
        Flow(tracer, at: "d").end("e")
        tracer.mark("c", detail: ask(""))
        try tracer.close()
        #expect(asked.load(ordering: .relaxed) == 0)
        #expect(tracer.recorder == nil)
    }

    @Test("a file that cannot be opened is reported by name")
    func cannotOpen() {
        #expect(
            throws: TraceError(path: "/nonexistent/t", reason: "No such file or directory")
        ) {
            try Tracer(path: "/nonexistent/t")
        }
    }

    @Test("a full disk is reported when closing, and only then")
    func fullDisk() throws {
        let tracer = try Tracer(path: "/dev/full")
        tracer.mark("m")
        #expect(throws: TraceError(path: "/dev/full", reason: "No space left on device")) {
            try tracer.close()
        }
    }

    @Test("several threads may write at once; every event arrives in order of time")
    func threads() throws {
        let tracer = try Tracer(path: path)
        DispatchQueue.concurrentPerform(iterations: 3_000) { number in
            let span = tracer.begin("work", detail: "\(number)")
            tracer.count("n", number)
            span.end()
        }
        let events = try closedEvents(of: tracer)
        let spans = events.filter { $0.ph == "X" }
        #expect(Set(spans.map(\.args?.detail)).count == 3_000)
        let times = events.filter { $0.ph == "C" }.compactMap(\.ts)
        #expect(times.count == 3_000)
        #expect(times == times.sorted())
        // On one lane nothing overlaps.
        for lane in Dictionary(grouping: spans, by: \.tid).values {
            for (one, next) in zip(lane, lane.dropFirst()) {
                #expect((one.ts ?? 0) + (one.dur ?? 0) <= (next.ts ?? 0) + 0.001)
            }
        }
    }
}
