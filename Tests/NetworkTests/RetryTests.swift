import Testing

@testable import Network

/// When a failed request is tried again.
@Suite struct RetryTests {
    private func policy(chance: Double) -> RetryPolicy {
        var policy = RetryPolicy(retries: 8)
        policy.random = { chance }
        return policy
    }

    @Test("pauses double up to the longest, and all of them is left to chance")
    func jitter() {
        func pauses(_ chance: Double) -> [Double?] {
            (1...9).map { policy(chance: chance).pause(afterTries: $0, retryAfter: nil, now: 0) }
        }
        #expect(pauses(0.5) == [0.5, 1, 2, 4, 8, 16, 30, 30, nil])
        #expect(pauses(0) == [0, 0, 0, 0, 0, 0, 0, 0, nil])
        #expect(pauses(0.25).first == 0.25)
    }

    @Test("a thousand pauses of real chance spread over the whole of their span")
    func spread() {
        let policy = RetryPolicy(retries: 2)
        let pauses = (0..<1000).compactMap { _ in
            policy.pause(afterTries: 2, retryAfter: nil, now: 0)
        }
        #expect(pauses.allSatisfy { (0..<2).contains($0) })
        for quarter in 0..<4 {
            let from = Double(quarter) / 2
            #expect(pauses.contains { (from..<from + 0.5).contains($0) })
        }
    }

    @Test("what the server asks for is never undercut, and bounded")
    func retryAfter() {
        let date = "Fri, 15 Jan 2027 08:00:20 GMT"
        for (value, now, least) in [
            ("7", 0, 7.0), ("100000", 0, 60), ("-5", 0, 0), ("0", 0, 0),
            (date, 1_800_000_000, 20), (date, 1_900_000_000, 0),
        ] {
            #expect(policy(chance: 0).pause(afterTries: 1, retryAfter: value, now: now) == least)
            let later = policy(chance: 0.5).pause(afterTries: 1, retryAfter: value, now: now)
            #expect(later == min(least + 0.5, 60))
        }
        #expect(policy(chance: 0.5).pause(afterTries: 1, retryAfter: "soon", now: 0) == 0.5)
        #expect(policy(chance: 0).pause(afterTries: 9, retryAfter: "0", now: 0) == nil)
    }
}
