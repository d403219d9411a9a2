import Pipeline
import Testing

@Suite struct TurnstileTests {
    let coordinator = Coordinator()

    @Test("so many are let in; whoever leaves makes room for the most urgent")
    func order() {
        let turnstile = Turnstile(width: 2, coordinator: coordinator)
        let log = Log<String>()
        coordinator.confined {
            for name in ["a", "b", "c", "d"] {
                turnstile.enter(priority: .visible) { log.add(name) }
            }
            turnstile.enter(priority: .urgent) { log.add("urgent") }
            #expect(log.all == ["a", "b"])
            turnstile.leave()
            turnstile.leave()
            #expect(log.all == ["a", "b", "urgent", "c"])
            #expect(turnstile.waitingCount == 1)
        }
    }

    @Test(
        "a hundred thousand who leave at once do so one after the other, not one inside the other")
    func leavesInside() {
        let turnstile = Turnstile(width: 1, coordinator: coordinator)
        let log = Log<Int>()
        coordinator.confined {
            turnstile.enter(priority: .urgent) {}
            for number in 0..<100_000 {
                turnstile.enter(priority: .idle) {
                    log.add(number)
                    turnstile.leave()
                }
            }
            turnstile.leave()
            #expect(turnstile.insideCount == 0)
        }
        #expect(log.all == Array(0..<100_000))
    }

    @Test("a hold taken on any thread works before what it holds has begun")
    func subscribesFromAnywhere() {
        let pool = TestPool(coordinator: coordinator)
        let log = Log<TestResult>()
        let priorities = Log<Priority>()
        let started: @Sendable (TestJob) -> Void = { job in
            job.onPriorityChange { priorities.add($0) }
        }
        let subscription = coordinator.subscribe {
            pool.subscribe(to: "a", priority: .idle, start: started) { log.add($0) }
        }
        subscription.setPriority(.urgent)
        subscription.cancel()
        subscription.cancel()
        coordinator.settle()
        #expect(priorities.all == [.urgent])
        #expect(log.all == [.failure(.cancelled)])
    }
}
