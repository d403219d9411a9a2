import Pipeline
import TestSupport
import Testing

@testable import Network

/// When, and in what order, requests are sent to servers.
@Suite struct HostQueueTests {
    @Test("four pages at once, then two per second; unused tokens accumulate up to four")
    func tokens() {
        var bucket = TokenBucket(TokenBucket.Limits(), now: 1)
        for _ in 1...4 {
            #expect(bucket.hasToken(at: 1))
            bucket.take(at: 1)
        }
        #expect(!bucket.hasToken(at: 1))
        #expect(bucket.secondsToToken(at: 1) == 0.5)
        #expect(!bucket.hasToken(at: 1.499_999))
        #expect(bucket.hasToken(at: 1.5))
        bucket.take(at: 1.5)
        #expect(!bucket.hasToken(at: 1.500_001))
        #expect(!bucket.isFull(at: 2))
        #expect(bucket.isFull(at: 100))
        for _ in 1...4 { bucket.take(at: 100) }
        #expect(!bucket.hasToken(at: 100))
    }

    @Test("the wait for a token is never rounded down, which would cause spinning")
    func rounding() {
        var bucket = TokenBucket(TokenBucket.Limits(burst: 1, perSecond: 3), now: 1e6)
        var now = 1e6
        for _ in 1...1000 {
            bucket.take(at: now)
            now += bucket.secondsToToken(at: now)
            #expect(bucket.hasToken(at: now))
        }
    }

    private func queue(limit: Int = 6, burst: Double = 4) -> HostQueue {
        HostQueue(limit: limit, pageLimits: TokenBucket.Limits(burst: burst), now: 0)
    }

    private func picture(_ priority: Priority, _ number: Int) -> HostQueue.Entry {
        HostQueue.Entry(priority: priority, number: number)
    }

    private func page(_ priority: Priority, _ number: Int) -> HostQueue.Entry {
        HostQueue.Entry(priority: priority, number: number, takesToken: true)
    }

    @Test("a server that requests a pause gets no requests until then; the longer pause wins")
    func closed() {
        var queue = queue()
        queue.insert(picture(.urgent, 1))
        #expect(queue.due(after: 1) == nil)
        queue.close(until: 5)
        queue.close(until: 2)
        #expect(queue.next(at: 4.999_999) == nil)
        #expect(queue.due(after: 1) == 5)
        #expect(queue.next(at: 5)?.number == 1)
        queue.remove(picture(.urgent, 1))
        queue.insert(page(.urgent, 2))
        #expect(queue.due(after: 1) == 5)
        queue.remove(page(.urgent, 2))
        #expect(!queue.isIdle(at: 4))
        #expect(queue.isIdle(at: 5))
    }

    @Test("a clock going backwards yields no tokens")
    func backwards() {
        var bucket = TokenBucket(TokenBucket.Limits(burst: 1, perSecond: 1), now: 9)
        bucket.take(at: 9)
        #expect(!bucket.hasToken(at: 0))
    }

    @Test("pages wait for a token while pictures proceed, and the most urgent page goes first")
    func order() {
        var queue = queue(burst: 1)
        queue.insert(page(.prefetch, 0))
        queue.insert(page(.urgent, 1))
        queue.insert(picture(.visible, 2))
        let first = queue.next(at: 0)
        #expect(first == page(.urgent, 1))
        first.map { queue.start($0, at: 0) }
        #expect(queue.next(at: 0) == picture(.visible, 2))
        queue.start(picture(.visible, 2), at: 0)
        #expect(queue.next(at: 0) == nil)
        #expect(queue.due(after: 0) == 0.5)
        #expect(queue.next(at: 0.5)?.number == 0)
        queue.remove(page(.prefetch, 0))
        #expect(queue.due(after: 0) == nil)
        #expect(queue.runningCount == 2)
    }

    @Test("a page that waits for its token is due, also where pictures wait for a slot")
    func pageIsDue() {
        var queue = queue(limit: 1, burst: 1)
        queue.insert(page(.urgent, 0))
        queue.start(page(.urgent, 0), at: 0)
        queue.insert(picture(.prefetch, 1))
        queue.insert(page(.urgent, 2))
        #expect(queue.due(after: 0) == 0.5)
        queue.close(until: 0.25)
        #expect(queue.due(after: 0) == 0.25)
    }

    @Test("older requests go first up to the limit, and prefetches leave one slot free")
    func width() {
        var queue = queue(limit: 4)
        for number in [3, 1, 2, 0] { queue.insert(picture(.prefetch, number)) }
        for number in 0..<3 {
            #expect(queue.next(at: 0)?.number == number)
            queue.start(picture(.prefetch, number), at: 0)
        }
        #expect(queue.next(at: 0) == nil)
        queue.insert(picture(.visible, 9))
        #expect(queue.next(at: 0)?.number == 9)
        queue.start(picture(.visible, 9), at: 0)
        queue.insert(picture(.urgent, 10))
        #expect(queue.next(at: 0) == nil)
        queue.finish()
        #expect(queue.next(at: 0)?.number == 10)
    }

    @Test("pages linked by pages wait for tokens; pictures and typed addresses do not")
    func followedPages() async throws {
        let gate = Gate()
        // One page in eleven days: only the first two are fetched while this test runs.
        let scene = try Scene(
            pinnedNames: ["pages.example"],
            pageLimits: TokenBucket.Limits(burst: 2, perSecond: 0.000_001)
        ) { $0.allowsPrivate = true }
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
        "`Retry-After` blocks the whole server until then, and no other",
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

    @Test(
        "a pause longer than the maximum wait is quoted in the error",
        arguments: [
            ("99999999999999999999", "68 years"), ("200000", "2 days"),
            ("Fri, 31 Dec 9999 23:59:59 GMT", "years"),
        ])
    func quoted(field: String, words: String) async throws {
        let scene = try Scene { $0.retries = 0 }
        scene.server.route("/busy") { _ in .status(503, headers: [("Retry-After", field)]) }
        let text = try await scene.failure(of: "/busy")?.description ?? ""
        #expect(
            text.hasPrefix(
                "the server answered 503 Service Unavailable and asks to be left alone for "))
        #expect(text.hasSuffix(words), "\(text)")
    }

    @Test("a server that asks for longer than anybody waits is left alone by all that wait for it")
    func leftAlone() async throws {
        let scene = try Scene { $0.connectionsPerHost = 1 }
        let (gate, other) = (Gate(), try LoopbackServer())
        scene.server.route("/busy") { _ in
            .status(429, headers: [("Retry-After", "200000")]).held(by: gate)
        }
        other.route("/b") { _ in .html("x") }
        let paths = ["/busy"] + (1...8).map { "/\($0)" }
        let waiting = try paths.map {
            scene.fetcher.started(try scene.request($0), priority: .visible)
        }
        #expect(scene.server.waitForRequests())
        scene.settle()
        gate.open()
        for one in waiting { #expect(await one.result().failure == .busy(429, seconds: 200_000)) }
        #expect(try await scene.failure(of: "/later") == .busy(429, seconds: 200_000))
        _ = try await scene.get(other.url("/b"))
        #expect(scene.server.requests.count == 1)
    }

    @Test("a 503 without `Retry-After`, or the field with another status, blocks nothing")
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

/// When a failed request is retried.
@Suite struct RetryTests {
    private func policy(chance: Double) -> RetryPolicy {
        var policy = RetryPolicy()
        policy.random = { chance }
        return policy
    }

    @Test("pauses double up to the maximum, with full jitter")
    func jitter() {
        func pauses(_ chance: Double) -> [Double] {
            (1...8).compactMap { policy(chance: chance).pause(afterTries: $0, asked: nil) }
        }
        #expect(pauses(0.5) == [0.5, 1, 2, 4, 8, 16, 30, 30])
        #expect(pauses(0) == [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(pauses(0.25).first == 0.25)
    }

    @Test("a thousand random pauses cover their whole range")
    func spread() {
        let policy = RetryPolicy()
        let pauses = (0..<1000).compactMap { _ in policy.pause(afterTries: 2, asked: nil) }
        #expect(pauses.count == 1000)
        #expect(pauses.allSatisfy { (0..<2).contains($0) })
        for quarter in 0..<4 {
            let from = Double(quarter) / 2
            #expect(pauses.contains { (from..<from + 0.5).contains($0) })
        }
    }

    @Test("the server's requested pause is a lower bound; beyond the maximum there is no other try")
    func retryAfter() {
        let date = "Fri, 15 Jan 2027 08:00:20 GMT"
        func pause(_ chance: Double, _ value: String, _ now: Int) -> Double? {
            let policy = policy(chance: chance)
            return policy.pause(
                afterTries: 1, asked: policy.seconds(ofRetryAfter: value, now: now))
        }
        for (value, now, least) in [
            ("7", 0, 7.0), ("100000", 0, nil), ("99999999999999999999", 0, nil), ("60", 0, 60),
            ("0", 0, 0), (date, 1_800_000_000, 20), (date, 1_900_000_000, 0),
        ] {
            #expect(pause(0, value, now) == least, "\(value)")
            #expect(pause(0.5, value, now) == least.map { $0 + 0.5 }, "\(value)")
        }
        #expect(pause(0.5, "soon", 0) == 0.5 && pause(0.5, "-5", 0) == 0.5)
    }
}
