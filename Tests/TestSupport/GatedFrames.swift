import Basics
import Network
public import Pipeline
public import Thumbnails

/// A player whose frames wait until the test releases them; frame 0 is full of 0s, frame 1 of 1s.
public final class GatedFrames: FramePlaying {
    private struct Waiting {
        var id: Int
        var number: Int
        var request: ThumbnailRequest
        var complete: @PipelineActor @Sendable (Result<PlayedFrame?, ThumbnailError>) -> Void
    }

    private struct State {
        var films: [Address: (delays: [Int], plays: Int?)] = [:]
        var waiting: [Waiting] = []
        var askedCount = 0
    }
    private let state = Locked(State())

    func animate(_ address: Address, delays: [Int], plays: Int?) {
        state.withLock { $0.films[address] = (delays, plays) }
    }

    /// The numbers of the frames requested but not answered.
    public var waiting: [Int] { state.withLock { $0.waiting.map(\.number) } }
    /// The number of frames ever requested.
    public var askedCount: Int { state.withLock(\.askedCount) }

    /// Records the request.
    public func frame(
        _ number: Int, for request: ThumbnailRequest,
        completion:
            @escaping @PipelineActor @Sendable (Result<PlayedFrame?, ThumbnailError>) -> Void
    ) -> Subscription {
        let id = state.withLock { state in
            state.askedCount += 1
            let id = state.askedCount
            state.waiting.append(
                Waiting(id: id, number: number, request: request, complete: completion))
            return id
        }
        return Subscription(
            onCancel: {
                for frame in self.take({ $0.id == id }) {
                    PipelineActor.confined { frame.complete(.failure(.cancelled)) }
                }
            },
            onPriority: { _ in })
    }

    /// Answers every pending request.
    public func release() {
        for frame in take({ _ in true }) {
            PipelineActor.confined { frame.complete(.success(drawn(frame))) }
        }
    }

    private func take(_ isWanted: (Waiting) -> Bool) -> [Waiting] {
        state.withLock { state in
            let taken = state.waiting.filter(isWanted)
            state.waiting.removeAll(where: isWanted)
            return taken
        }
    }

    private func drawn(_ frame: Waiting) -> PlayedFrame? {
        guard let film = state.withLock({ $0.films[frame.request.address] }),
            film.plays.map({ frame.number < $0 * film.delays.count }) ?? true
        else { return nil }
        let place = frame.number % film.delays.count
        return PlayedFrame(
            thumbnail: GatedThumbnails.thumbnail(
                for: frame.request, frameCount: film.delays.count, glyph: 0x30 + UInt32(place)),
            milliseconds: film.delays[place],
            beginsAgain: film.plays == nil && place == 0 && frame.number > 0)
    }
}
