import Pipeline
import TestSupport
import Testing

@testable import Network

/// How fast servers are asked.
@Suite struct PaceTests {
    private let second: UInt64 = 1_000_000_000

    @Test(
        "four pages at once, then two a second; what is not used comes back, but not more than four"
    )
    func tokens() {
        var pace = Pace(Pace.Limits(), now: second)
        for _ in 1...4 {
            #expect(pace.allowsPage(at: second))
            pace.takePage(at: second)
        }
        #expect(!pace.allowsPage(at: second))
        let due = pace.due(isPage: true, now: second)
        #expect(due == second * 3 / 2 + 1)
        #expect(!pace.allowsPage(at: due - 2))
        #expect(pace.allowsPage(at: due))
        #expect(pace.due(isPage: false, now: second) == second)
        pace.takePage(at: due)
        #expect(!pace.allowsPage(at: due + 1))
        #expect(!pace.isIdle(at: second * 2))
        #expect(pace.isIdle(at: second * 100))
        for _ in 1...4 { pace.takePage(at: second * 100) }
        #expect(!pace.allowsPage(at: second * 100))
    }

    @Test(
        "a server that asks for a pause is asked nothing until then; the longer one of two counts")
    func closed() {
        var pace = Pace(Pace.Limits(), now: 0)
        pace.close(until: 5 * second)
        pace.close(until: 2 * second)
        #expect(!pace.isOpen(at: 5 * second - 1))
        #expect(!pace.allowsPage(at: 4 * second))
        #expect(pace.due(isPage: false, now: second) == 5 * second)
        #expect(pace.due(isPage: true, now: second) == 5 * second)
        #expect(pace.isOpen(at: 5 * second))
    }

    @Test("the clock going backwards gives nothing")
    func backwards() {
        var pace = Pace(Pace.Limits(burst: 1, perSecond: 1), now: 9 * second)
        pace.takePage(at: 9 * second)
        #expect(!pace.allowsPage(at: 0))
    }

    @Test("in a line pages wait while pictures pass, and the most urgent page is the first")
    func lane() {
        var lane = Lane()
        let page = Lane.Place(priority: .urgent, number: 1)
        let picture = Lane.Place(priority: .visible, number: 2)
        lane.insert(Lane.Place(priority: .prefetch, number: 0), isPaced: true)
        lane.insert(page, isPaced: true)
        lane.insert(picture, isPaced: false)
        #expect(lane.next(pages: true) == page)
        #expect(lane.next(pages: false) == picture)
        lane.remove(picture)
        #expect(lane.next(pages: false) == nil)
        #expect(!lane.isEmpty)
        lane.remove(page)
        #expect(lane.next(pages: true)?.number == 0)
    }

    @Test("pages that pages name wait for their turn; pictures and what the reader typed do not")
    func followedPages() async throws {
        let gate = Gate()
        // One page in eleven days: none but the first two goes while this test runs.
        let scene = try Scene(
            pinnedNames: ["pages.example"],
            paceLimits: Pace.Limits(burst: 2, perSecond: 0.000_001)
        ) { $0.sourceHosts = ["pages.example"] }
        let origin = "http://pages.example:\(scene.server.port)"
        scene.server.route(below: "/p") { _ in .html("x").held(by: gate) }
        scene.server.route(below: "/a") { _ in .html("x") }
        let pages = try (1...4).map { number in
            scene.fetcher.started(
                try scene.request(
                    "\(origin)/p\(number)", for: .page, referer: origin + "/gallery"),
                priority: .visible)
        }
        #expect(scene.server.waitForRequests(to: "/p1"))
        #expect(scene.server.waitForRequests(to: "/p2"))
        _ = try await scene.get("\(origin)/a.jpg", referer: origin + "/gallery")
        _ = try await scene.get("\(origin)/a", for: .page)
        #expect(scene.server.count(of: "/p3") == 0)
        #expect(scene.server.count(of: "/p4") == 0)
        pages[2].subscription?.cancel()
        pages[3].subscription?.cancel()
        #expect(await pages[2].result().failure == .cancelled)
        #expect(await pages[3].result().failure == .cancelled)
        gate.open()
        #expect(await pages[0].result().failure == nil)
        #expect(await pages[1].result().failure == nil)
    }

    @Test(
        "a server that says when to come back is left alone until then, all of it, and no other",
        arguments: [429, 503])
    func retryAfter(status: Int) async throws {
        let scene = try Scene { $0.retries = 0 }
        let other = try LoopbackServer()
        other.route("/b") { _ in .html("x") }
        scene.server.route("/busy") { _ in .status(status, headers: [("Retry-After", "3600")]) }
        scene.server.route("/a") { _ in .html("x") }
        #expect(try await scene.failure(of: "/busy") == .status(status))
        let waiting = scene.fetcher.started(try scene.request("/a"), priority: .urgent)
        _ = try await scene.get(other.url("/b"))
        #expect(scene.server.count(of: "/a") == 0)
        waiting.subscription?.cancel()
        #expect(await waiting.result().failure == .cancelled)
    }

    @Test("a status without the field, and a field with another status, close nothing")
    func notClosed() async throws {
        let scene = try Scene { $0.retries = 0 }
        scene.server.route("/busy") { _ in .status(503) }
        scene.server.route("/gone") { _ in .status(404, headers: [("Retry-After", "3600")]) }
        scene.server.route("/a") { _ in .html("x") }
        #expect(try await scene.failure(of: "/busy") == .status(503))
        #expect(try await scene.failure(of: "/gone") == .status(404))
        _ = try await scene.get("/a")
        #expect(scene.server.count(of: "/a") == 1)
    }
}
