import Network
import Pipeline

/// The newest generation shown of each file that was ever reloaded; any thread.
///
/// Until a reload has something to show, what is older stays good, so that nothing flashes; from then on nothing older
/// is used, whatever still comes in.
final class Editions: Sendable {
    private let newest = Locked<[Address: CacheGeneration]>([:])

    /// The generation that answers to `request` must have at least, and that jobs for it make.
    func generation(for request: ThumbnailRequest) -> CacheGeneration {
        max(request.generation, newest.withLock { $0[request.address] ?? .any })
    }

    /// The request as it is answered now.
    func begin(_ request: ThumbnailRequest) -> Ask {
        var request = request
        request.generation = generation(for: request)
        return Ask(request: request)
    }

    /// Says that something of `generation` can be shown: what is older is out of date from now on.
    func show(_ generation: CacheGeneration, of address: Address) {
        guard generation > .any else { return }
        newest.withLock { $0[address] = max($0[address] ?? .any, generation) }
    }
}
