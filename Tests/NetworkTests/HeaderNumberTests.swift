import Pipeline
import TestSupport
import Testing

@testable import Network

/// Numbers in header fields and cached responses that no honest server writes.
@Suite struct HeaderNumberTests {
    private let now = 1_700_000_000

    @Test("a pause is never negative, endless or longer than the maximum")
    func retryAfter() {
        let policy = RetryPolicy()
        for number in monstrousNumbers {
            for value in [number, "Mon, 0\(number) Nov \(number) 10:00:00 GMT"] {
                let asked = policy.seconds(ofRetryAfter: value, now: now)
                let pause = policy.pause(afterTries: 1, asked: asked) ?? 0
                #expect((0...policy.maxPause + policy.firstPause).contains(pause), "\(value)")
            }
        }
        // A number that is too large to parse still means that the server wants a pause.
        let long = String(repeating: "9", count: 400)
        let asked = policy.seconds(ofRetryAfter: long, now: now) ?? 0
        #expect(asked > policy.maxPause)
    }

    @Test(
        "freshness can be computed from any numbers",
        arguments: [
            ("age", "#"), ("cache-control", "max-age=#"),
            ("cache-control", "max-age=#, stale-if-error=#"),
            ("cache-control", "stale-if-error=\"#\""), ("expires", "#"), ("date", "#"),
            ("expires", "Thu, 01 Jan # 00:00:00 GMT"), ("last-modified", "Thu, # Jan # #:#:# GMT"),
        ])
    func freshness(name: String, value: String) throws {
        let address = try #require(Address("https://a.example/1.jpg"))
        for number in monstrousNumbers {
            let field = (name: name, value: value.replacing("#", with: number))
            let known = (name: "cache-control", value: "max-age=60, stale-if-error=60")
            for headers in [[field], [field, known]] {
                let answer = CachedAnswer(
                    address: address, headers: headers, body: [1], storedAt: now)
                let freshness = Freshness(sessionStart: now)
                for purpose in [Request.Purpose.page, .picture] {
                    _ = freshness.isFresh(answer, for: purpose, at: now + 5)
                }
                _ = freshness.allowsStale(answer, after: .timedOut(seconds: 5), at: now + 5)
            }
        }
    }

    @Test("a stored response with any numbers is either valid or rejected")
    func kept() throws {
        let address = try #require(Address("https://a.example/1.jpg"))
        let answer = CachedAnswer(
            address: address, headers: [("age", "5")], body: [1], storedAt: now)
        for number in monstrousNumbers {
            for changed in [":stored", ":length"] {
                var entry = answer.entry
                entry.metadata = entry.metadata.map { $0.name == changed ? ($0.name, number) : $0 }
                guard let read = CachedAnswer(entry) else { continue }
                #expect(read.length >= 0 && read.storedAt.magnitude <= 1 << 48)
                _ = Freshness(sessionStart: now).isFresh(read, for: .picture, at: now)
                _ = Freshness(sessionStart: now).allowsStale(
                    read, after: .timedOut(seconds: 5), at: now)
            }
        }
    }

    @Test("a content range is either in order or rejected")
    func ranges() {
        for number in monstrousNumbers {
            for value in ["bytes #-#/#", "bytes 0-#/#", "bytes #-5/6", "bytes 0-5/#", "#"] {
                guard let range = ContentRange(value.replacing("#", with: number)) else { continue }
                #expect(0 <= range.first && range.first <= range.last && range.last < range.total)
            }
        }
    }
}
