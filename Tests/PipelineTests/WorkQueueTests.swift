import Basics
import Dispatch
import Glibc
import TestSupport
import Testing

@testable import Pipeline

/// A queue with one worker that is busy until `release`, so that work queues up behind it.
@Suite struct WorkQueueTests {
    let queue: WorkQueue
    let log = Log<String>()
    private let busy = DispatchSemaphore(value: 0)
    private let idle = DispatchSemaphore(value: 0)

    init() {
        queue = WorkQueue(label: "test", width: 1)
        PipelineActor.confined { [queue, busy] in
            _ = queue.enqueue(priority: .urgent, work: { _ = busy.arrives() }, then: {})
        }
    }

    func line(up name: String, _ priority: Priority) -> Subscription {
        PipelineActor.confined {
            queue.enqueue(priority: priority, work: { name }, then: { log.add($0) })
        }
    }

    /// Lets the worker continue and waits for all queued work.
    func release() {
        PipelineActor.confined {
            _ = queue.enqueue(priority: .idle, work: {}, then: { [idle] in idle.signal() })
        }
        busy.signal()
        #expect(idle.arrives())
    }

    @Test("the most urgent work runs first, in order of arrival within a priority")
    func order() {
        for (name, priority) in [
            ("p1", Priority.prefetch), ("v1", .visible), ("u1", .urgent), ("v2", .visible),
            ("p2", .prefetch), ("u2", .urgent),
        ] {
            _ = line(up: name, priority)
        }
        #expect(PipelineActor.confined { queue.waitingCount } == 6)
        #expect(PipelineActor.confined { queue.runningCount } == 1)
        release()
        #expect(log.all == ["u1", "u2", "v1", "v2", "p1", "p2"])
    }

    @Test("raised work queues behind its new peers, lowered work ahead of them")
    func moves() {
        let tickets = ["a", "b", "c"].map { line(up: $0, .visible) }
        let patient = ["x", "y"].map { line(up: $0, .prefetch) }
        PipelineActor.confined {
            tickets[1].setPriority(.prefetch)
            patient[1].setPriority(.visible)
            tickets[0].setPriority(.visible)
        }
        release()
        #expect(log.all == ["a", "c", "y", "b", "x"])
    }

    @Test("work cancelled before its turn is dropped with everything it retains")
    func cancels() {
        final class Load: Sendable {}
        weak var held: Load?
        let ticket: Subscription
        do {
            let load = Load()
            held = load
            ticket = PipelineActor.confined {
                queue.enqueue(priority: .visible, work: { [load] in _ = load }, then: {})
            }
        }
        _ = line(up: "a", .visible)
        #expect(held != nil)
        PipelineActor.confined { ticket.cancel() }
        #expect(held == nil)
        PipelineActor.confined {
            ticket.setPriority(.urgent)
            ticket.cancel()
        }
        release()
        #expect(log.all == ["a"])
    }

    @Test("at most the queue's width run at once")
    func width() {
        let wide = WorkQueue(label: "wide", width: 3)
        let state = Locked((running: 0, most: 0))
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchGroup()
        PipelineActor.confined {
            for _ in 0..<12 {
                done.enter()
                let work: @Sendable () -> Void = {
                    state.withLock {
                        $0.running += 1
                        $0.most = max($0.most, $0.running)
                    }
                    _ = gate.arrives()
                    state.withLock { $0.running -= 1 }
                }
                wide.enqueue(priority: .visible, work: work, then: { done.leave() })
            }
            #expect(wide.runningCount == 3)
            #expect(wide.waitingCount == 9)
        }
        for _ in 0..<12 {
            gate.signal()
        }
        #expect(done.wait(timeout: .testDeadline) == .success)
        #expect(state.withLock { $0.most } <= 3)
        busy.signal()
    }

    @Test(
        "however many decodes are under way, other work has threads of its own, and none of them is nice"
    )
    func ownThreads() {
        let count = 24
        let decoders = WorkQueue(label: "decoders", width: count, isNice: true)
        let others = WorkQueue(label: "others", width: 4)
        let own = getpriority(Int32(PRIO_PROCESS.rawValue), 0)
        let nice = Log<Int32>()
        let gate = DispatchSemaphore(value: 0)
        let decoded = DispatchGroup()
        func work(
            on queue: WorkQueue, _ group: DispatchGroup, _ work: @escaping @Sendable () -> Void
        ) {
            PipelineActor.confined {
                for _ in 0..<count {
                    group.enter()
                    queue.enqueue(priority: .visible, work: work, then: { group.leave() })
                }
            }
        }
        func checkOthers() {
            let sorted = DispatchGroup()
            work(on: others, sorted) { nice.add(getpriority(Int32(PRIO_PROCESS.rawValue), 0)) }
            #expect(sorted.wait(timeout: .testDeadline) == .success)
            #expect(nice.all.allSatisfy { $0 <= own })
        }
        work(on: decoders, decoded) { _ = gate.arrives() }
        checkOthers()
        for _ in 0..<count { gate.signal() }
        #expect(decoded.wait(timeout: .testDeadline) == .success)
        // Now threads are free that were made nice.
        checkOthers()
        busy.signal()
    }

    @Test("ten thousand items moved repeatedly stay in order")
    func manyMoves() {
        let tickets = (0..<10_000).map { line(up: "\($0)", .prefetch) }
        PipelineActor.confined {
            for _ in 0..<5 {
                for ticket in tickets {
                    ticket.setPriority(.visible)
                }
                for ticket in tickets.reversed() {
                    ticket.setPriority(.prefetch)
                }
            }
            for ticket in tickets[10...] {
                ticket.cancel()
            }
            #expect(queue.waitingCount == 10)
        }
        release()
        #expect(log.all == (0..<10).map(String.init))
    }
}
