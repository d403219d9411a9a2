import TestSupport
import Testing

@testable import Pipeline

@Suite struct PriorityLimiterTests {

    @Test("at most the given number run, and a finished one makes room for the most urgent")
    func order() {
        let limiter = PriorityLimiter(width: 2)
        let log = Log<String>()
        PipelineActor.confined {
            for name in ["a", "b", "c", "d"] {
                limiter.enter(priority: .visible) { log.add(name) }
            }
            limiter.enter(priority: .urgent) { log.add("urgent") }
            #expect(log.all == ["a", "b"])
            limiter.leave()
            limiter.leave()
            #expect(log.all == ["a", "b", "urgent", "c"])
            #expect(limiter.waitingCount == 1)
        }
    }

    @Test("a hundred thousand immediate exits run one after the other, without recursion")
    func leavesInside() {
        let limiter = PriorityLimiter(width: 1)
        let log = Log<Int>()
        PipelineActor.confined {
            limiter.enter(priority: .urgent) {}
            for number in 0..<100_000 {
                limiter.enter(priority: .idle) {
                    log.add(number)
                    limiter.leave()
                }
            }
            limiter.leave()
            #expect(limiter.runningCount == 0)
        }
        #expect(log.all == Array(0..<100_000))
    }

    @Test("waiting idle work gets a turn after sixteen others, oldest first")
    func aging() {
        let limiter = PriorityLimiter(width: 1)
        let log = Log<String>()
        PipelineActor.confined {
            limiter.enter(priority: .urgent) {}
            for name in ["a", "b"] {
                limiter.enter(priority: .idle) {
                    log.add(name)
                    limiter.leave()
                }
            }
            for number in 0..<60 {
                limiter.enter(priority: .visible) {
                    log.add("\(number)")
                    limiter.leave()
                }
            }
            limiter.leave()
        }
        #expect(log.all.count == 62)
        #expect(log.all.firstIndex(of: "a").map { (15...16).contains($0) } == true)
        #expect(log.all.firstIndex(of: "b").map { (31...33).contains($0) } == true)
    }

    @Test("a subscription made on any thread works before its job has begun")
    func subscribesFromAnywhere() {
        let pool = TestPool()
        let log = Log<TestResult>()
        let priorities = Log<Priority>()
        let started: @PipelineActor @Sendable (TestJob) -> Void = { job in
            job.depend(
                on: Subscription(onCancel: {}, onPriority: { priorities.add($0) }))
        }
        let subscription = PipelineActor.subscribe {
            pool.subscribe(to: "a", priority: .idle, start: started) { log.add($0) }
        }
        subscription.setPriority(.urgent)
        subscription.cancel()
        subscription.cancel()
        PipelineActor.settle()
        #expect(priorities.all == [.urgent])
        #expect(log.all == [.failure(.cancelled)])
    }
}
