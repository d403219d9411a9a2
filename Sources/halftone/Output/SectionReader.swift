import Dispatch
import Gallery
import Network
import Pipeline

/// Follows one section's pages in the background; whoever prints takes them one by one, in order.
///
/// Sections load side by side; each holds back once it is two pages ahead of its reader.
final class SectionReader: Sendable {
    /// One page's new pictures, or why there are none; nil ends the section.
    typealias Step = Result<Page, PageError>

    /// The section.
    let source: Source

    private struct State {
        var trail = PageTrail()
        var next: Address?
        /// The page that named the next one; nil for the first, which the user named.
        var referer: Address?
        var remaining: Int
        var ready: [Step] = []
        var isLoading = false
    }

    private let pages: any PageLoading
    private let state: Locked<State>
    private let arrived = DispatchSemaphore(value: 0)
    /// Pages read ahead of the printer: enough to hide the network, few enough to bound memory.
    private static let ahead = 2

    /// Makes a reader of at most `pageLimit` pages (nil: all).
    init(source: Source, pages: any PageLoading, pageLimit: Int?) {
        self.source = source
        self.pages = pages
        state = Locked(State(next: source.address, remaining: pageLimit ?? .max))
    }

    /// Loads the next page unless one is loading, enough are ready, or the end is reached.
    ///
    /// Any thread.
    func advance() {
        let step: (address: Address, referer: Address?)? = state.withLock { state in
            guard !state.isLoading, state.ready.count < Self.ahead, state.remaining > 0,
                let address = state.next
            else { return nil }
            state.isLoading = true
            state.remaining -= 1
            return (address, state.referer)
        }
        guard let step else { return }
        _ = pages.load(step.address, referer: step.referer, generation: .any) { [self] result in
            receive(result, of: step.address)
            advance()
        }
    }

    private func receive(_ result: Result<Page, PageError>, of address: Address) {
        state.withLock { state in
            state.isLoading = false
            state.ready.append(
                result.map { page in
                    let (new, next) = state.trail.admit(page, requested: address)
                    state.next = next
                    state.referer = page.address
                    var page = page
                    page.pictures = new
                    return page
                }.mapError { error in
                    state.next = nil
                    return error
                })
        }
        arrived.signal()
    }

    /// The next page with what is new on it; nil after the last.
    ///
    /// Blocks until it is there.
    func next() -> Step? {
        while true {
            advance()
            let (step, isOver): (Step?, Bool) = state.withLock { state in
                if !state.ready.isEmpty {
                    return (state.ready.removeFirst(), false)
                }
                return (nil, !state.isLoading)
            }
            if step != nil || isOver {
                return step
            }
            arrived.wait()
        }
    }
}
