import Glibc
import TestSupport
import Testing

/// Scrolling, cancelling, failing and resizing in any order, on everything except the terminal; mainly for ThreadSanitizer.
@MainActor @Suite("Random walk over an unreliable server") struct ScheduleWalkTests {
    @Test("ten thousand steps lose nothing, fetch nothing twice and leak nothing")
    func walk() throws {
        let seed = Self.number("HALFTONE_WALK_SEED") ?? 20_261_121
        let steps = Self.number("HALFTONE_WALK_STEPS").map(Int.init) ?? 10_000
        // For repeating the walk.
        print("HALFTONE_WALK_SEED=\(seed)")
        var walk = try ScheduleWalk(seed: seed)
        defer { walk.site.server.stop() }
        for step in 1...steps {
            walk.step()
            if step % 50 == 0 { try walk.check() }
            if step % 4000 == 0 { try walk.rest() }
        }
        try walk.rest()
        walk.awaitQuiet()
    }

    private static func number(_ variable: String) -> UInt64? {
        getenv(variable).flatMap { UInt64(String(cString: $0)) }
    }
}
