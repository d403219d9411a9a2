import Dispatch
import Network
import Pipeline
import Raster
import TestSupport
import Testing
import Thumbnails
import Trace

@Suite struct CancellingTests {
    @Test("a cancelled request is notified once, and its transfer ends")
    func cancels() throws {
        let studio = Studio(isOpen: false)
        let address = try studio.picture("1.jpg")
        let (subscription, answer) = studio.load(.tile(address))
        studio.settle()
        subscription.cancel()
        subscription.cancel()
        #expect(try answer.wait().failure == .cancelled)
        studio.settle()
        #expect(studio.fetcher.cancelled == [address])
        #expect(studio.pipeline.transfersInFlight == 0)
        studio.fetcher.open()
        studio.settle()
        #expect(answer.count == 1)
        #expect(studio.pipeline.cached(.tile(address)) == nil)
    }

    @Test("a request cancelled before the pipeline starts it is still notified once")
    func cancelsAtOnce() throws {
        let studio = Studio(isOpen: false)
        let addresses = try (0..<100).map { try studio.picture("\($0).jpg") }
        let answers = addresses.map { address in
            let (subscription, answer) = studio.load(.tile(address))
            subscription.cancel()
            return answer
        }
        for answer in answers {
            #expect(try answer.wait().failure == .cancelled)
        }
        studio.settle()
        #expect(studio.fetcher.waiting.isEmpty)
        #expect(studio.pipeline.transfersInFlight == 0)
        #expect(answers.allSatisfy { $0.count == 1 })
    }

    @Test("a transfer continues while any request needs it")
    func othersStay() throws {
        let studio = Studio(isOpen: false)
        let address = try studio.picture("1.jpg")
        let grid = studio.load(.tile(address))
        let list = studio.load(.tile(address, columns: 10, rows: 5))
        studio.settle()
        grid.subscription.cancel()
        #expect(try grid.answer.wait().failure == .cancelled)
        studio.settle()
        #expect(studio.fetcher.cancelled.isEmpty)
        studio.fetcher.open()
        #expect(try list.answer.thumbnail().cells.size.columns == 10)
    }

    @Test("a cancelled picture requested again is fetched again")
    func wantedAgain() throws {
        let studio = Studio(isOpen: false)
        let address = try studio.picture("1.jpg")
        for _ in 0..<3 {
            let (subscription, answer) = studio.load(.tile(address))
            studio.settle()
            subscription.cancel()
            #expect(try answer.wait().failure == .cancelled)
            // Until the cancellation has propagated, a new request may still join the old transfer.
            studio.settle()
        }
        studio.fetcher.open()
        #expect(try studio.load(.tile(address)).answer.thumbnail().cells.size.columns == 24)
        #expect(studio.fetcher.requests.count == 4)
    }

    @Test("the transfer has its most urgent subscriber's priority")
    func priorities() throws {
        let studio = Studio(isOpen: false)
        let address = try studio.picture("1.jpg")
        let ahead = studio.load(.tile(address), priority: .prefetch)
        studio.settle()
        #expect(studio.fetcher.waiting.map(\.priority) == [.prefetch])
        let shown = studio.load(.tile(address, columns: 12), priority: .urgent)
        studio.settle()
        #expect(studio.fetcher.waiting.map(\.priority) == [.urgent])
        shown.subscription.cancel()
        studio.settle()
        #expect(studio.fetcher.waiting.map(\.priority) == [.prefetch])
        ahead.subscription.setPriority(.visible)
        studio.settle()
        #expect(studio.fetcher.waiting.map(\.priority) == [.visible])
        studio.fetcher.open()
        _ = try ahead.answer.thumbnail()
    }

    @Test("concurrent loads, cancellations and priority changes each notify exactly once")
    func storm() throws {
        let studio = Studio()
        let addresses = try (0..<20).map {
            try studio.picture("\($0).jpg", size: PixelSize(width: 30, height: 20))
        }
        let answers = (0..<600).map { _ in Answer() }
        DispatchQueue.concurrentPerform(iterations: answers.count) { number in
            let subscription = studio.pipeline.load(
                .tile(
                    addresses[number % 20], columns: 8 + number % 3,
                    generation: number % 50 == 0 ? .next() : .any),
                priority: Priority(Priority.Level.allCases[number % 4]), flow: .none
            ) { answers[number].give($0) }
            if number.isMultiple(of: 2) {
                subscription.setPriority(.urgent)
            }
            if number.isMultiple(of: 3) {
                subscription.cancel()
            }
        }
        for answer in answers {
            let failure = try answer.wait().failure
            #expect(failure == nil || failure == .cancelled)
        }
        studio.settle()
        #expect(answers.allSatisfy { $0.count == 1 })
        #expect(studio.pipeline.transfersInFlight == 0)
    }
}

extension Result {
    var failure: Failure? {
        switch self {
        case .success: nil
        case .failure(let error): error
        }
    }
}
