import Basics
import Pipeline
import TestSupport
import Testing

@testable import Network

/// How a fetch's time is spent.
@Suite struct TimingTests {
    @Test("each step is timed from the end of the previous one; skipped steps take no time")
    func steps() {
        func timed(isConnected: Bool) -> FetchTimings {
            FetchTimings(
                isConnected: isConnected, lookup: 10, connect: 30, handshake: 0, firstByte: 100,
                all: 250)
        }
        let timings = timed(isConnected: false)
        #expect(timings.lookup == 10)
        #expect(timings.connect == 20)
        #expect(timings.handshake == 0)
        #expect(timings.connecting == 30)
        #expect(timings.firstByte == 70)
        #expect(timings.transfer == 150)
        #expect(timings.total == 250)
        let reused = timed(isConnected: true)
        #expect(reused.connecting == 0)
        #expect(reused.queue == 10)
        #expect(reused.firstByte == 90)
        #expect(reused.total == 250)
    }

    @Test("without a response all time counts as waiting, and no step is negative")
    func oddSteps() {
        let silent = FetchTimings(isConnected: false, lookup: 1, connect: 2, all: 90)
        #expect(silent.firstByte == 88)
        #expect(silent.transfer == 0)
        let mad = FetchTimings(
            isConnected: false, lookup: 50, connect: 20, handshake: 500, firstByte: 10, all: 60)
        #expect(mad.total == 60)
        #expect([mad.connect, mad.firstByte, mad.transfer] == [0, 0, 0])
    }

    @Test("waiting for the head and for the body are separate, and together at most the total")
    func headAndBody() async throws {
        let scene = try Scene()
        let (head, body) = (Gate(), Gate())
        scene.server.route("/a") { _ in .html("x").held(by: head).bodyHeld(by: body) }
        let start = SteadyClock.nanoseconds()
        let pending = scene.fetcher.started(try scene.request("/a"), priority: .visible)
        #expect(scene.server.waitForRequests(to: "/a"))
        let headHeld = letTimePass()
        head.open()
        let bodyHeld = letTimePass()
        body.open()
        let timings = try await pending.result().get().timings
        let elapsed = Int(SteadyClock.nanoseconds() - start) / 1000
        #expect(timings.firstByte >= headHeld)
        #expect(timings.firstByte + timings.transfer >= headHeld + bodyHeld)
        #expect(timings.connect > 0)
        #expect(timings.handshake == 0)
        #expect(timings.total <= elapsed)
    }

    @Test("waiting for a slot counts as queueing, and an open connection costs nothing")
    func queue() async throws {
        let scene = try Scene { $0.connectionsPerHost = 1 }
        let gate = Gate()
        scene.server.route("/first") { _ in .html("x").held(by: gate) }
        scene.server.route("/second") { _ in .html("y") }
        let first = scene.fetcher.started(try scene.request("/first"), priority: .visible)
        #expect(scene.server.waitForRequests(to: "/first"))
        let second = scene.fetcher.started(try scene.request("/second"), priority: .visible)
        scene.settle()
        let held = letTimePass()
        gate.open()
        _ = try await first.result().get()
        let timings = try await second.result().get().timings
        #expect(timings.queue >= held)
        #expect(timings.connecting == 0)
    }

    @Test("retries and redirects are added up")
    func sums() async throws {
        let scene = try Scene()
        let gates = [Gate(), Gate(), Gate()]
        scene.server.route("/a") {
            $0.number == 1
                ? .status(503).held(by: gates[0]) : .redirect(to: "/b").held(by: gates[1])
        }
        scene.server.route("/b") { _ in .html("x").held(by: gates[2]) }
        let pending = scene.fetcher.started(try scene.request("/a"), priority: .visible)
        var held = 0
        for (count, gate) in gates.enumerated() {
            #expect(scene.server.waitForRequests(count: count + 1))
            held += letTimePass()
            gate.open()
        }
        let timings = try await pending.result().get().timings
        #expect(timings.firstByte >= held)
    }

    @Test("a cached response costs no time unless it is revalidated")
    func kept() async throws {
        let scene = try Scene()
        scene.server.route("/a") { _ in .html("x", headers: [("Cache-Control", "max-age=86400")]) }
        scene.server.route("/b") {
            .validated(
                [1], type: "image/png", tag: "\"1\"", for: $0,
                headers: [("Cache-Control", "no-cache")])
        }
        for path in ["/a", "/b"] {
            #expect(try await scene.get(path).timings.firstByte > 0)
        }
        let kept = try await scene.get("/a")
        #expect(kept.origin == .memory)
        #expect(kept.timings == FetchTimings())
        let confirmed = try await scene.get("/b")
        #expect(confirmed.origin == .memory)
        #expect(confirmed.timings.firstByte > 0)
    }

    /// Waits for the clock to advance; returns a lower bound of the time passed in microseconds.
    private func letTimePass() -> Int {
        let start = SteadyClock.nanoseconds()
        var now = start
        while now - start < 2_000_000 { now = SteadyClock.nanoseconds() }
        return Int(now - start) / 1000
    }
}
