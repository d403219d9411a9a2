import Pipeline
import Testing

@Suite struct MailboxTests {
    @Test("work runs in posting order, and only the first item wakes the main thread")
    @MainActor func order() {
        let wakes = Log<Int>()
        let log = Log<Int>()
        let mailbox = Mailbox { wakes.add(1) }
        mailbox.post { log.add(1) }
        mailbox.post {
            log.add(2)
            mailbox.post { log.add(3) }
        }
        #expect(wakes.all.count == 1)
        mailbox.drain()
        // Work posted while draining waits for the next turn, and wakes the thread.
        #expect(log.all == [1, 2])
        #expect(wakes.all.count == 2)
        mailbox.drain()
        #expect(log.all == [1, 2, 3])
        mailbox.drain()
        #expect(log.all == [1, 2, 3])
    }
}
