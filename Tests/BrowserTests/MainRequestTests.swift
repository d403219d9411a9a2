import Basics
import Pipeline
import TestSupport
import Testing

@testable import Browser

/// Results arrive on the main thread, and only while they are wanted.
@MainActor @Suite("Requests from the main thread") struct MainRequestTests {
    /// Records the request; the test completes it.
    @MainActor private final class Asked {
        let main = ManualMain()
        var answer: @Sendable (Int) -> Void = { _ in }
        var received: [Int] = []
        let cancelCount = Locked(0)

        func request() -> MainRequest {
            MainRequest(on: main) { answer in
                self.answer = answer
                return Subscription(onCancel: { [cancelCount] in cancelCount.withLock { $0 += 1 } })
            } receive: {
                self.received.append($0)
            }
        }
    }

    @Test("every answer is received on the main thread, when it runs")
    func answers() {
        let asked = Asked()
        let request = asked.request()
        asked.answer(1)
        asked.answer(2)
        #expect(asked.received.isEmpty)
        withExtendedLifetime(request) { asked.main.drain() }
        #expect(asked.received == [1, 2])
    }

    @Test("answers in flight are dropped when the request is cancelled or released")
    func dropped() {
        let asked = Asked()
        let request = asked.request()
        asked.answer(1)
        request.cancel()
        asked.main.drain()
        #expect(asked.cancelCount.withLock(\.self) == 1)
        _ = asked.request()
        asked.answer(2)
        asked.main.drain()
        #expect(asked.received.isEmpty)
    }
}
