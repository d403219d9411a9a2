import Basics
import Pipeline
import TestSupport
import Testing

@testable import Network

private let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

/// Partial bodies observed while they arrive.
@Suite struct ArrivalTests {
    /// The arrivals reported to a watcher.
    private final class Log: Sendable {
        let arrivals = Locked<[Arrival]>([])
        let ends = Locked(0)
        let came = Gate()
        private let least: Int

        init(least: Int = 0) { self.least = least }

        func note(_ arrival: Arrival) {
            guard !arrival.isWhole else { return ends.withLock { $0 += 1 } }
            arrivals.withLock { $0.append(arrival) }
            if arrival.bytes.count >= least { came.open() }
        }

        var sizes: [Int] { arrivals.withLock { $0.map(\.bytes.count) } }
    }

    @Test("progress is reported at an eighth, a quarter and a half at most, without interrupting")
    func steps() async throws {
        let scene = try Scene()
        let gate = Gate()
        scene.server.route("/a") { _ in
            .bytes(body, type: nil).delivered(.gated(after: 150_000, gate))
        }
        let request = try scene.request("/a")
        let log = Log(least: 100_000)
        let watch = scene.fetcher.watch(request.address) { log.note($0) }
        #expect(scene.fetcher.progress(of: request.address) == nil)
        let pending = scene.fetcher.started(request, priority: .visible)
        await log.came.passed()
        let progress = try #require(scene.fetcher.progress(of: request.address))
        #expect((100_000...150_000).contains(progress.received))
        #expect(progress.total == 200_000)
        gate.open()
        #expect(try await pending.result().get().body == body)
        let arrivals = log.arrivals.withLock(\.self)
        #expect((1...3).contains(arrivals.count))
        for arrival in arrivals {
            #expect(arrival.total == 200_000)
            #expect(arrival.bytes.elementsEqual(body.prefix(arrival.bytes.count)))
        }
        #expect(log.sizes == log.sizes.sorted())
        #expect(log.sizes.allSatisfy { $0 >= 25_000 && $0 < 150_000 + 1 })
        #expect(log.ends.withLock(\.self) == 1)
        watch.cancel()
        #expect(scene.fetcher.progress(of: request.address) == nil)
    }

    @Test("a late observer sees what has arrived so far; a cancelled one is no longer notified")
    func lateAndGone() async throws {
        let scene = try Scene()
        let (first, second) = (Gate(), Gate())
        scene.server.route("/a") { request in
            .bytes(body, type: nil).delivered(.gated(after: 150_000, second)).bodyHeld(by: first)
        }
        let request = try scene.request("/a")
        let gone = Log()
        let early = scene.fetcher.watch(request.address) { gone.note($0) }
        let pending = scene.fetcher.started(request, priority: .visible)
        #expect(scene.server.waitForRequests(to: "/a"))
        early.cancel()
        early.cancel()
        let log = Log(least: 100_000)
        let watch = scene.fetcher.watch(request.address) { log.note($0) }
        first.open()
        await log.came.passed()
        second.open()
        _ = try await pending.result().get()
        watch.cancel()
        #expect(gone.sizes.isEmpty)
        #expect(!log.sizes.isEmpty)
    }

    @Test("an observer that joins while the server pauses sees what arrived before")
    func pausing() async throws {
        let scene = try Scene { $0.connectionsPerHost = 2 }
        let gate = Gate()
        scene.server.route("/a") { _ in
            .bytes(body, type: nil).delivered(.gated(after: 150_000, gate))
        }
        scene.server.route("/ping") { _ in .bytes([1], type: nil) }
        let request = try scene.request("/a")
        let (first, second) = (Log(least: 100_000), Log())
        let watch = scene.fetcher.watch(request.address) { first.note($0) }
        let pending = scene.fetcher.started(request, priority: .visible)
        await first.came.passed()
        let late = scene.fetcher.watch(request.address) { second.note($0) }
        // Commands are executed in order.
        _ = try await scene.get("/ping")
        #expect(second.sizes.first.map { $0 >= 100_000 && $0 <= 150_000 } == true)
        gate.open()
        _ = try await pending.result().get()
        watch.cancel()
        late.cancel()
    }

    @Test("without a length every doubling is reported; small, cached and page bodies are not")
    func others() async throws {
        let scene = try Scene()
        scene.server.route("/chunked") { _ in .bytes(body, type: nil).delivered(.chunked) }
        scene.server.route("/small") { _ in .bytes([UInt8](repeating: 1, count: 32_000), type: nil)
        }
        func sizes(_ path: String, for purpose: Request.Purpose = .picture) async throws -> [Int] {
            let request = try scene.request(path, for: purpose)
            let log = Log()
            let watch = scene.fetcher.watch(request.address) { log.note($0) }
            _ = try await scene.fetcher.result(of: request).get()
            watch.cancel()
            #expect(log.ends.withLock(\.self) == (log.sizes.isEmpty ? 0 : 1))
            return log.sizes
        }
        let doublings = try await sizes("/chunked")
        #expect((1...3).contains(doublings.count))
        for (left, right) in zip(doublings, doublings.dropFirst()) { #expect(right >= left * 2) }
        #expect(try await sizes("/chunked").isEmpty)
        #expect(try await sizes("/chunked", for: .page).isEmpty)
        #expect(try await sizes("/small").isEmpty)
    }

    @Test("reporting steps with and without a known length")
    func stepsOf() {
        func steps(_ total: Int?, upTo end: Int) -> [Int] {
            var shown = 0
            var steps: [Int] = []
            while let step = FetchProgress(received: 0, total: total).step(after: shown),
                step <= end
            {
                steps.append(step)
                shown = step
            }
            return steps
        }
        #expect(steps(800_000, upTo: 800_000) == [100_000, 200_000, 400_000])
        #expect(steps(32_767, upTo: 32_767) == [])
        #expect(steps(nil, upTo: 300_000) == [32_768, 65_536, 131_072, 262_144])
        #expect(steps(0, upTo: 0) == [])
    }
}
