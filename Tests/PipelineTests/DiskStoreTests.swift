import Dispatch
import Glibc
import TestSupport
import Testing

@testable import Pipeline

@Suite struct DiskStoreTests {
    @Test("pending writes are limited in bytes: large ones run at once, more are dropped")
    func bounds() {
        let store = DiskStore(folder: "/nonexistent", capacity: 1000)
        let log = Log<String>()
        let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let large = DiskStore.maxHeldBytes * 3 / 4
        PipelineActor.confined {
            store.queue.enqueue(priority: .urgent, work: { gate.wait() }, then: {})
            #expect(store.later(holding: large) { _ in log.add("idle") })
            store.queue.enqueue(priority: .visible, work: { log.add("read") }, then: {})
            #expect(store.later(holding: large) { _ in log.add("at once") })
            #expect(!store.later(holding: large) { _ in log.add("never") })
            #expect(store.later(holding: 0) { _ in log.add("small") })
        }
        gate.signal()
        store.finishWriting(milliseconds: 600_000)
        #expect(log.all == ["at once", "small", "read", "idle"])
        // The bytes have been released.
        PipelineActor.confined {
            #expect(store.later(holding: large) { _ in done.signal() })
        }
        #expect(done.arrives())
    }

    @Test("writes wait until the workers are idle, removals do not") func yielding() {
        let workers = WorkQueue(label: "test", width: 2)
        let store = DiskStore(folder: "/nonexistent", capacity: 1000, yieldingTo: workers)
        let log = Log<String>()
        let (gate, read, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        PipelineActor.confined {
            workers.enqueue(priority: .visible, work: { gate.wait() }, then: { log.add("decoded") })
            #expect(store.later(holding: 1) { _ in log.add("written") })
            #expect(store.later(holding: 0) { _ in log.add("removed") })
            store.queue.enqueue(priority: .idle, work: { read.signal() }, then: {})
        }
        #expect(read.arrives())
        #expect(log.all == ["removed"])
        gate.signal()
        PipelineActor.confined {
            #expect(store.later(holding: 1) { _ in done.signal() })
        }
        #expect(done.arrives())
        #expect(log.all == ["removed", "decoded", "written"])
    }
}
