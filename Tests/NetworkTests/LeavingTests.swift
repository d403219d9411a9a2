import Basics
import Dispatch
import Pipeline
import TestSupport
import Testing
import Trace

@testable import Network

/// What becomes of transfers that are cancelled before they finish.
@Suite struct LeavingTests {
    private let gate = Gate()
    private static let body = (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }

    /// Creates a server that stops sending the picture after `count` of 40,000 bytes.
    private func scene(stopsAfter count: Int) throws -> Scene {
        let scene = try Scene { $0.connectionsPerHost = 2 }
        scene.server.route("/a.jpg") { [gate] _ in
            .bytes(Self.body, type: "image/jpeg").delivered(.gated(after: count, gate))
        }
        scene.server.route("/ping") { _ in .bytes([1], type: "image/jpeg") }
        return scene
    }

    /// Requests the picture and waits until everything the server has sent has been read.
    private func begun(_ scene: Scene) async throws -> Pending {
        let pending = scene.fetcher.started(try scene.request("/a.jpg"), priority: .visible)
        while gate.waitingCount == 0 { try await ping(scene) }
        // Each response is preceded by reading what is left in the socket.
        for _ in 0..<8 { try await ping(scene) }
        return pending
    }

    private func ping(_ scene: Scene) async throws {
        _ = try await scene.get("/ping", generation: .next())
    }

    @Test("a nearly complete transfer finishes into the cache, its subscriber is notified at once")
    func finishes() async throws {
        let scene = try scene(stopsAfter: 30_000)
        let pending = try await begun(scene)
        pending.subscription?.cancel()
        #expect(await pending.result().isCancelled)
        try await ping(scene)
        #expect(scene.fetcher.transfersInFlight == 1)
        gate.open()
        while scene.fetcher.transfersInFlight > 0 { try await ping(scene) }
        scene.settle()
        #expect(try await scene.get("/a.jpg").body == Self.body)
        #expect(scene.server.count(of: "/a.jpg") == 1)
    }

    @Test("identical requests share one transfer, whether sequential or simultaneous")
    func shares() async throws {
        let scene = try scene(stopsAfter: 30_000)
        let request = try scene.request("/a.jpg")
        let first = try await begun(scene)
        let others = (0..<5).map { _ in scene.fetcher.started(request, priority: .idle) }
        let found = Locked(0)
        PipelineActor.perform {
            for _ in 0..<3 {
                _ = scene.fetcher.find(request, priority: .visible, flow: .none) { _ in
                    Never?.none
                } completion: { result in
                    if case .success(.body(let response)) = result, response.body == Self.body {
                        found.withLock { $0 += 1 }
                    }
                }
            }
        }
        first.subscription?.cancel()
        #expect(await first.result().isCancelled)
        gate.open()
        for other in others { #expect(try await other.result().get().body == Self.body) }
        scene.settle()
        #expect(found.withLock(\.self) == 3)
        #expect(scene.server.count(of: "/a.jpg") == 1)
    }

    @Test("a repeated request joins the same transfer at its own priority")
    func joins() async throws {
        let scene = try scene(stopsAfter: 30_000)
        let pending = try await begun(scene)
        pending.subscription?.cancel()
        #expect(await pending.result().isCancelled)
        for _ in 0..<3 {
            let again = scene.fetcher.started(try scene.request("/a.jpg"), priority: .idle)
            again.subscription?.setPriority(.urgent)
            again.subscription?.cancel()
            #expect(await again.result().isCancelled)
        }
        let last = scene.fetcher.started(try scene.request("/a.jpg"), priority: .visible)
        try await ping(scene)
        gate.open()
        #expect(try await last.result().get().body == Self.body)
        #expect(scene.server.count(of: "/a.jpg") == 1)
    }

    @Test("a transfer that has hardly begun is dropped, and a repeated request starts over")
    func drops() async throws {
        let scene = try scene(stopsAfter: 1000)
        let pending = try await begun(scene)
        pending.subscription?.cancel()
        #expect(await pending.result().isCancelled)
        let again = scene.fetcher.started(try scene.request("/a.jpg"), priority: .visible)
        // Commands are executed in order.
        try await ping(scene)
        gate.open()
        #expect(try await again.result().get().body == Self.body)
        #expect(scene.server.count(of: "/a.jpg") == 2)
    }

    @Test("a transfer is finished if the rest is in flight, or the smaller half and soon there")
    func rule() {
        func isKept(_ received: Int, _ missing: Int, _ seconds: Double) -> Bool {
            Remainder(received: received, missing: missing, seconds: seconds).isWorthFinishing
        }
        #expect(!isKept(0, 1, 0.1))
        #expect(isKept(1, 14_600, 30))
        #expect(!isKept(20_000, 21_000, 0.1))
        #expect(isKept(50_000, 50_000, 0.5))
        #expect(!isKept(50_000, 50_000, 0.6))
        #expect(isKept(900_000, 100_000, 4))
    }
}

extension Result<Response, FetchError> {
    fileprivate var isCancelled: Bool {
        if case .failure(.cancelled) = self { true } else { false }
    }
}
