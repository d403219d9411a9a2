import Pipeline
import Raster
import Testing

@testable import Browser

/// The scrolling speed.
@MainActor @Suite("Prefetching") struct PrefetchTests {
    private let gallery = ObjectIdentifier(ManualGallery.self)

    private enum ManualGallery {}

    /// Scrolls in steps of `rows` and `seconds`, on a screen of 40 rows.
    private func scrolled(
        _ velocity: ScrollVelocity = ScrollVelocity(), steps: [(rows: Int, seconds: Double)]
    )
        -> (velocity: ScrollVelocity, now: Double, row: Int)
    {
        var (velocity, now, row) = (velocity, 0.0, 1000)
        velocity.observe(row: row, screen: 40, of: gallery, nil, at: now)
        for step in steps {
            now += step.seconds
            row += step.rows
            velocity.observe(row: row, screen: 40, of: gallery, nil, at: now)
        }
        return (velocity, now, row)
    }

    @Test("steps at reading pace are not fast scrolling, however long; nor is the first move")
    func calm() {
        for step in [(40, 0.0), (100_000, 0.001), (11, 0.1), (3, 0.016), (40, 1.0)] {
            let (velocity, now, _) = scrolled(steps: [step])
            #expect(velocity.restDue(at: now) == nil)
        }
        let pages = scrolled(steps: Array(repeating: (40, 0.3), count: 10))
        #expect(pages.velocity.restDue(at: pages.now) == nil)
        // A list with twelve rows per screen, scrolled by key repeat.
        let list = scrolled(steps: Array(repeating: (3, 0.033), count: 60))
        #expect(list.velocity.restDue(at: list.now) == nil)
    }

    @Test("key-repeat paging and wheel flicks are fast scrolling, until 0.1 s after the last move")
    func haste() throws {
        for step in [(40, 0.033), (12, 0.016), (11, 0.04)] {
            let (velocity, now, _) = scrolled(steps: [(40, 5.0)] + Array(repeating: step, count: 9))
            let due = try #require(velocity.restDue(at: now))
            #expect(abs(due - now - 0.1) < 1e-9)
            #expect(velocity.restDue(at: due) == nil)
            #expect(velocity.restDue(at: due - 0.001) != nil)
        }
    }

    @Test("a jump counts as one screen; a new layout resets everything")
    func jumps() {
        var (velocity, now, row) = scrolled(steps: Array(repeating: (40, 0.3), count: 20))
        velocity.observe(row: row + 9999, screen: 40, of: gallery, nil, at: now + 0.3)
        #expect(velocity.restDue(at: now + 0.3) == nil)
        (velocity, now, row) = scrolled(steps: Array(repeating: (40, 0.033), count: 20))
        #expect(velocity.restDue(at: now) != nil)
        let metrics = GalleryMetrics(
            layout: .list, columns: 80, bodyRows: 20, tileColumns: 24, cellAspect: 2)
        velocity.observe(row: 5, screen: 20, of: gallery, metrics, at: now)
        #expect(velocity.restDue(at: now) == nil)
    }
}
