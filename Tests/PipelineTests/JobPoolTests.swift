import Basics
import Dispatch
import TestSupport
import Testing

@testable import Pipeline

@Suite struct JobPoolTests {
    let pool: TestPool

    init() {
        pool = TestPool()
    }

    /// Subscribes to `key`; a new job is passed to `start`.
    func ask(
        _ key: String = "a", priority: Priority = .visible, log: Log<TestResult> = Log(),
        start: @escaping @PipelineActor (TestJob) -> Void = { _ in }
    ) -> Subscription {
        PipelineActor.confined {
            pool.subscribe(to: key, priority: priority, start: start) { log.add($0) }
        }
    }

    @Test("two subscribers of one key share one job, and both are notified")
    func coalesces() throws {
        let started = Log<TestJob>()
        let log = Log<TestResult>()
        _ = ask(log: log) { started.add($0) }
        _ = ask(log: log) { started.add($0) }
        _ = ask("b", log: log) { started.add($0) }
        #expect(started.all.count == 2)
        PipelineActor.confined { started.all[0].finish(.success(7)) }
        #expect(log.all == [.success(7), .success(7)])
        #expect(PipelineActor.confined { pool.count } == 1)
    }

    @Test("a job has its most urgent subscriber's priority as subscribers come, change and go")
    func priorityIsMaximum() throws {
        let changes = Log<Priority>()
        let started = Log<TestJob>()
        let first = ask(priority: .prefetch) { job in
            started.add(job)
            job.depend(on: Subscription(onCancel: {}, onPriority: { changes.add($0) }))
        }
        let job = try #require(started.all.first)
        #expect(PipelineActor.confined { job.priority } == .prefetch)
        let second = ask(priority: .urgent)
        #expect(PipelineActor.confined { job.priority } == .urgent)
        first.setPriority(.visible)
        second.cancel()
        PipelineActor.settle()
        #expect(PipelineActor.confined { job.priority } == .visible)
        first.setPriority(.idle)
        PipelineActor.settle()
        #expect(changes.all == [.urgent, .visible, .idle])
    }

    @Test("priority and cancellation propagate to a job's dependencies")
    func walksDown() throws {
        let lower = TestPool()
        let bytes = Log<TestJob>()
        let cancelled = Log<String>()
        let log = Log<TestResult>()
        func decode(_ key: String, _ priority: Priority) -> Subscription {
            ask(key, priority: priority, log: log) { job in
                let bytesWanted = lower.subscribe(
                    to: "bytes", priority: job.priority,
                    start: { below in
                        bytes.add(below)
                        below.onCancel { cancelled.add("bytes") }
                    },
                    receive: { job.finish($0) })
                job.depend(on: bytesWanted)
            }
        }
        let small = decode("small", .prefetch)
        let large = decode("large", .visible)
        let below = try #require(bytes.all.first)
        #expect(bytes.all.count == 1)
        #expect(PipelineActor.confined { below.priority } == .visible)
        large.setPriority(.idle)
        PipelineActor.settle()
        #expect(PipelineActor.confined { below.priority } == .prefetch)
        small.cancel()
        PipelineActor.settle()
        #expect(cancelled.all == [])
        #expect(PipelineActor.confined { below.priority } == .idle)
        large.cancel()
        PipelineActor.settle()
        #expect(cancelled.all == ["bytes"])
        #expect(log.all == [.failure(.cancelled), .failure(.cancelled)])
        #expect(PipelineActor.confined { pool.count + lower.count } == 0)
    }

    @Test("cancelling notifies only this subscriber while others still wait")
    func cancelsOneSubscriber() throws {
        let started = Log<TestJob>()
        let gone = Log<TestResult>()
        let staying = Log<TestResult>()
        let first = ask(log: gone) { started.add($0) }
        _ = ask(log: staying)
        first.cancel()
        first.cancel()
        PipelineActor.settle()
        #expect(gone.all == [.failure(.cancelled)])
        #expect(staying.all == [])
        PipelineActor.confined { started.all[0].finish(.success(1)) }
        first.cancel()
        PipelineActor.settle()
        #expect(gone.all == [.failure(.cancelled)])
        #expect(staying.all == [.success(1)])
    }

    @Test("after the last subscriber has left, a new one gets a new job")
    func cancelledIsWantedAgain() throws {
        let started = Log<TestJob>()
        let log = Log<TestResult>()
        let first = ask { started.add($0) }
        first.cancel()
        PipelineActor.settle()
        _ = ask(log: log) { started.add($0) }
        #expect(started.all.count == 2)
        // The abandoned job ends late and must not deliver its result to the new one.
        PipelineActor.confined { started.all[0].finish(.success(1)) }
        #expect(log.all == [])
        #expect(PipelineActor.confined { pool.count } == 1)
        PipelineActor.confined { started.all[1].finish(.success(2)) }
        #expect(log.all == [.success(2)])
    }

    @Test("a request made within a completion gets a new job")
    func asksInsideCompletion() throws {
        let started = Log<TestJob>()
        let log = Log<TestResult>()
        let pool = pool
        PipelineActor.confined {
            _ = pool.subscribe(to: "a", priority: .visible, start: { started.add($0) }) { _ in
                _ = pool.subscribe(to: "a", priority: .visible, start: { started.add($0) }) {
                    log.add($0)
                }
            }
            started.all[0].finish(.failure(.broken))
        }
        #expect(started.all.count == 2)
        PipelineActor.confined { started.all[1].finish(.success(2)) }
        #expect(log.all == [.success(2)])
    }

    @Test("a job may finish while starting")
    func finishesInsideStart() throws {
        let log = Log<TestResult>()
        let abandoned = Log<Int>()
        let subscription = ask(log: log) { job in
            job.finish(.success(3))
            job.finish(.success(4))
            job.onCancel { abandoned.add(1) }
            job.depend(on: Subscription(onCancel: { abandoned.add(2) }, onPriority: { _ in }))
        }
        #expect(log.all == [.success(3)])
        subscription.setPriority(.urgent)
        subscription.cancel()
        PipelineActor.settle()
        #expect(log.all == [.success(3)])
        #expect(abandoned.all == [])
        #expect(PipelineActor.confined { pool.count } == 0)
    }

    @Test("dependencies added to a cancelled job are cancelled at once")
    func lateDependency() throws {
        let started = Log<TestJob>()
        let abandoned = Log<Int>()
        let subscription = ask { started.add($0) }
        subscription.cancel()
        PipelineActor.settle()
        PipelineActor.confined {
            let job = started.all[0]
            #expect(job.isEnded)
            job.onCancel { abandoned.add(1) }
            job.depend(on: Subscription(onCancel: { abandoned.add(2) }, onPriority: { _ in }))
        }
        #expect(abandoned.all == [1, 2])
    }

    @Test("a job retains its pool, so subscribers are notified even without the owner")
    func outlivesItsOwner() throws {
        let log = Log<TestResult>()
        let started = Log<TestJob>()
        do {
            let lonely = TestPool()
            PipelineActor.confined {
                _ = lonely.subscribe(to: "a", priority: .idle, start: { started.add($0) }) {
                    log.add($0)
                }
            }
        }
        PipelineActor.confined { started.all[0].finish(.success(1)) }
        #expect(log.all == [.success(1)])
    }

    @Test(
        "every subscriber is notified exactly once while results, cancellations and requests race")
    func exactlyOnce() throws {
        let queue = WorkQueue(label: "test", width: 3)
        let subscribers = 4_000
        let counts = Locked(Array(repeating: 0, count: subscribers))
        let all = DispatchGroup()
        for _ in 0..<subscribers {
            all.enter()
        }
        DispatchQueue.concurrentPerform(iterations: subscribers) { number in
            let asked = Locked<Subscription?>(nil)
            PipelineActor.confined {
                let subscription = pool.subscribe(
                    to: "\(number % 7)", priority: .visible,
                    start: { job in
                        job.run(on: queue, work: { number }, then: { job.finish(.success($0)) })
                    },
                    receive: { _ in
                        counts.withLock { $0[number] += 1 }
                        all.leave()
                    })
                asked.withLock { $0 = subscription }
            }
            let subscription = asked.withLock { $0 }
            if number.isMultiple(of: 3) {
                subscription?.setPriority(.urgent)
            }
            if number.isMultiple(of: 2) {
                subscription?.cancel()
                subscription?.cancel()
            }
        }
        #expect(all.wait(timeout: .testDeadline) == .success)
        // The work of a cancelled job may still be running when nobody waits for it any more.
        let idle = DispatchSemaphore(value: 0)
        PipelineActor.confined { queue.whenIdle { idle.signal() } }
        #expect(idle.wait(timeout: .testDeadline) == .success)
        PipelineActor.settle()
        #expect(counts.withLock { $0.allSatisfy { $0 == 1 } })
        #expect(
            PipelineActor.confined { pool.count + queue.waitingCount + queue.runningCount } == 0)
    }
}
