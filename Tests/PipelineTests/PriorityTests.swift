import TestSupport
import Testing

@testable import Pipeline

@Suite struct PriorityTests {

    @Test("level outranks distance, nearer outranks farther, and invalid distances are clamped")
    func order() {
        #expect(Priority(.visible, distance: 1_000_000) > .prefetch)
        #expect(Priority(.visible, distance: 3) > Priority(.visible, distance: 4))
        #expect(Priority(.visible, distance: -7) == .visible)
        #expect(Priority(.idle, distance: .max) == Priority(.idle, distance: Priority.farthest))
        for level in Priority.Level.allCases {
            for distance in [0, 1, 300, Priority.farthest] {
                let priority = Priority(level, distance: distance)
                #expect(priority.level == level && priority.distance == distance)
            }
        }
        let nearest = Priority.Level.allCases.map { Priority($0) }
        #expect(nearest == nearest.sorted())
    }

    @Test("the nearest goes first, however often distances change while waiting")
    func distances() {
        let limiter = PriorityLimiter(width: 1)
        let log = Log<Int>()
        var random = SystemRandomNumberGenerator()
        PipelineActor.confined {
            limiter.enter(priority: .urgent) {}
            let tickets = (0..<1000).map { number in
                limiter.enter(priority: .visible) {
                    log.add(number)
                    limiter.leave()
                }
            }
            for _ in 0..<5 {
                for ticket in tickets.shuffled(using: &random) {
                    ticket.setPriority(
                        Priority(.visible, distance: .random(in: 0..<5000, using: &random)))
                }
            }
            for (number, ticket) in tickets.enumerated() where number % 3 == 0 { ticket.cancel() }
            for (number, ticket) in tickets.enumerated().shuffled(using: &random) {
                ticket.setPriority(Priority(.visible, distance: 1000 - number))
            }
            #expect(limiter.waitingCount == 666)
            limiter.leave()
        }
        #expect(log.all == (0..<1000).reversed().filter { $0 % 3 != 0 })
    }
}
