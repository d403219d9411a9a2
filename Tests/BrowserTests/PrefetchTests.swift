import Pipeline
import Raster
import Testing

@testable import Browser

/// The scrolling speed, the pictures' latency, and the prefetch distance.
@MainActor @Suite("Prefetching") struct PrefetchTests {
    private let surface = ScrollVelocity.Surface(gallery: ObjectIdentifier(ManualGallery.self))

    private enum ManualGallery {}

    /// Scrolls in steps of `rows` and `seconds`, on a screen of 40 rows.
    private func scrolled(
        _ velocity: ScrollVelocity = ScrollVelocity(), steps: [(rows: Int, seconds: Double)]
    )
        -> (velocity: ScrollVelocity, now: Double, row: Int)
    {
        var (velocity, now, row) = (velocity, 0.0, 1000)
        _ = velocity.observe(row: row, screen: 40, on: surface, at: now)
        for step in steps {
            now += step.seconds
            row += step.rows
            _ = velocity.observe(row: row, screen: 40, on: surface, at: now)
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
        #expect(abs(pages.velocity.speed - 1 / 0.3) < 0.3)
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

    @Test("a jump counts as one screen; reversing resets the speed; a new layout resets everything")
    func jumps() {
        var (velocity, now, row) = scrolled(steps: Array(repeating: (40, 0.5), count: 20))
        #expect(abs(velocity.speed - 2) < 0.1)
        #expect(velocity.observe(row: row + 9999, screen: 40, on: surface, at: now + 0.5) == .moved)
        #expect(abs(velocity.speed - 2) < 0.1)
        let step = velocity.observe(row: row + 9959, screen: 40, on: surface, at: now + 1)
        #expect(step == .turned && velocity.speed < 1)
        (now, row) = (now + 1, row + 9959)
        #expect(velocity.observe(row: row, screen: 40, on: surface, at: now + 1) == .none)
        let metrics = GalleryMetrics(
            layout: .list, columns: 80, bodyRows: 20, tileColumns: 24, cellAspect: 2)
        let other = ScrollVelocity.Surface(gallery: surface.gallery, metrics: metrics)
        #expect(velocity.observe(row: 5, screen: 20, on: other, at: now + 2) == .begun)
        #expect(velocity.speed == 0)
    }

    @Test("expected latency follows the measurements and allows for their variance")
    func latency() {
        var latency = Latency()
        #expect(latency.expected == 0)
        latency.record(0.2)
        #expect(latency.expected == 0.4)
        for _ in 0..<100 { latency.record(0.1) }
        #expect(abs(latency.expected - 0.1) < 0.01)
        for turn in 0..<100 { latency.record(turn.isMultiple(of: 2) ? 0.1 : 0.3) }
        #expect(latency.expected > 0.3 && latency.expected < 0.5)
    }

    private func distance(
        _ distance: PrefetchDistance = PrefetchDistance(), speed: Double, latency: Double,
        pictures: Int = 20,
        bytes: Int = 30_000
    ) -> PrefetchDistance {
        var distance = distance
        _ = distance.adapt(
            to: PrefetchDistance.Measures(
                speed: speed, latency: latency, picturesPerScreen: pictures,
                bytesPerPicture: bytes))
        return distance
    }

    @Test("the window is speed times latency, one to four screens, in half screens")
    func littlesLaw() {
        #expect(distance(speed: 0, latency: 5).screens == 1)
        #expect(distance(speed: 2, latency: 0.4).screens == 1)
        #expect(distance(speed: 2, latency: 0.7).screens == 1.5)
        #expect(distance(speed: 2, latency: 1.2).screens == 2.5)
        #expect(distance(speed: 50, latency: 9).screens == 4)
    }

    @Test("the window is capped by pictures and bytes beyond the first screen")
    func bounds() {
        #expect(distance(speed: 9, latency: 9, pictures: 200).screens == 2)
        #expect(distance(speed: 9, latency: 9, bytes: 400_000).screens == 2)
        #expect(distance(speed: 9, latency: 9, pictures: 900, bytes: 5_000_000).screens == 1)
        #expect(distance(speed: 9, latency: 9, pictures: 0, bytes: 0).screens == 4)
    }

    @Test("the window grows at once and shrinks only when far too large")
    func hysteresis() {
        let wide = distance(speed: 2, latency: 1.2)
        for speed in [1.9, 1.5, 1.3, 2.0] {
            #expect(distance(wide, speed: speed, latency: 1.2).screens == 2.5)
        }
        #expect(distance(wide, speed: 3, latency: 1.2).screens == 4)
        #expect(distance(wide, speed: 0.5, latency: 1.2).screens == 1)
    }
}
