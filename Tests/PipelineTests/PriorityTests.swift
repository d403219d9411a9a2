import Pipeline
import Testing

@Suite struct PriorityTests {
    let coordinator = Coordinator()

    @Test(
        "a level goes before every distance, the nearer before the farther, nonsense counts as the end of the scale"
    )
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
        #expect(Priority.allCases == Priority.allCases.sorted())
    }

    @Test("who is nearest goes first, however often the distances change while they wait")
    func distances() {
        let turnstile = Turnstile(width: 1, coordinator: coordinator)
        let log = Log<Int>()
        var random = SystemRandomNumberGenerator()
        coordinator.confined {
            turnstile.enter(priority: .urgent) {}
            let tickets = (0..<1000).map { number in
                turnstile.enter(priority: .visible) {
                    log.add(number)
                    turnstile.leave()
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
            #expect(turnstile.waitingCount == 666)
            turnstile.leave()
        }
        #expect(log.all == (0..<1000).reversed().filter { $0 % 3 != 0 })
    }

    @Test(
        "the reserve lets the more urgent in past those who fill the rest, also who becomes so while waiting"
    )
    func reserve() {
        let turnstile = Turnstile(coordinator: coordinator) { $0 >= .visible ? 3 : 2 }
        let log = Log<String>()
        coordinator.confined {
            let tickets = ["a", "b", "c", "d"].map { name in
                turnstile.enter(priority: .prefetch) { log.add(name) }
            }
            #expect(log.all == ["a", "b"])
            tickets[3].setPriority(.visible)
            #expect(log.all == ["a", "b", "d"])
            turnstile.enter(priority: .visible) { log.add("e") }
            turnstile.leave()
            #expect(log.all == ["a", "b", "d", "e"])
            turnstile.leave()
            #expect(log.all.count == 4)
            turnstile.leave()
            #expect(log.all == ["a", "b", "d", "e", "c"])
        }
    }
}
