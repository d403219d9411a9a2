import Dispatch
import Gallery
import Pipeline

/// Works arrangements of many pictures out beside the main thread: sorting a million titles takes seconds.
final class Arranger: Sendable {
    /// Up to this many pictures take about 5 ms to sort, less than a frame: those are arranged at once.
    private static let small = 4_000

    private let queue = DispatchQueue(
        label: "halftone.arranging", qos: .utility, attributes: .concurrent)
    private let main: any MainScheduling

    /// Makes an arranger that answers on the main thread.
    init(main: any MainScheduling) {
        self.main = main
    }

    /// Arranges `pictures`: at once if they are few, and then `done` is called before this returns; else soon.
    ///
    /// `isWanted` is asked before the work begins; a reader types faster than a million titles are filtered.
    @MainActor func arrange(
        _ order: PictureOrder, _ pictures: PictureList, narrowing previous: Arrangement,
        if isWanted: @escaping @Sendable () -> Bool,
        done: @escaping @MainActor @Sendable (Arrangement) -> Void
    ) {
        guard pictures.count > Self.small, !order.isPageOrder else {
            return done(Arrangement(order, of: pictures, narrowing: previous))
        }
        queue.async { [main] in
            guard isWanted() else { return }
            let arrangement = Arrangement(order, of: pictures, narrowing: previous)
            main.post { done(arrangement) }
        }
    }
}
