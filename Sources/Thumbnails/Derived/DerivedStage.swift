import Network
import Pipeline

/// Between fetching and decoding: a picture that an earlier run has reduced needs neither.
///
/// | what is kept of the address | what happens |
/// | --- | --- |
/// | fresh, and what was made of it | that is shown; nothing large is read |
/// | stale, and what was made of it | its server is asked whether it is still that; if so, that is shown |
/// | anything else | the file is fetched, decoded and kept |
///
/// All methods on the coordinator's queue.
final class DerivedStage: Sendable {
    /// Where a reduced picture comes from.
    enum Source: Sendable {
        /// It is there.
        case picture(ReducedPicture)
        /// It is to be made from this file.
        case file(PictureFile)
    }

    typealias Receive = @Sendable (Result<Source, ThumbnailError>) -> Void

    private let fetchStage: FetchStage
    private let fetcher: any Fetching
    /// Nil where nothing is kept on disk.
    private let store: DerivedStore?

    init(fetchStage: FetchStage, fetcher: any Fetching, store: DerivedStore?) {
        self.fetchStage = fetchStage
        self.fetcher = fetcher
        self.store = store
    }

    /// Finds the source of what `job` is to make; `receive` is called once, unless the job ends before.
    func find(
        _ ask: Ask, _ reduction: Reduction, for job: Job<ReducedPicture, ThumbnailError>,
        receive: @escaping Receive
    ) {
        guard let store else {
            return fetch(ask, for: job, receive: receive)
        }
        let asked = Stopwatch()
        let request = Request(
            ask.address, for: .picture, referer: ask.request.referer, generation: ask.edition)
        let identification = fetcher.identify(request, priority: job.priority) { [self] result in
            guard !job.isEnded else { return }
            guard case .success(let identity?) = result else {
                return fetch(ask, for: job, receive: receive)
            }
            store.read(identity.hash, reduction, for: ask, since: asked, job: job) {
                [self] picture in
                if let picture, identity.isFresh {
                    receive(.success(.picture(picture)))
                } else {
                    fetch(
                        ask, knowing: picture.map { (identity.hash, $0) }, for: job,
                        receive: receive)
                }
            }
        }
        job.depend(on: identification)
    }

    private func fetch(
        _ ask: Ask, knowing known: (hash: ContentHash, picture: ReducedPicture)? = nil,
        for job: Job<ReducedPicture, ThumbnailError>, receive: @escaping Receive
    ) {
        let fetch = fetchStage.subscribe(ask, knowing: known?.hash, priority: job.priority) {
            result in
            receive(
                result.map { file in
                    if let known, file.isKnown { .picture(known.picture) } else { .file(file) }
                })
        }
        job.depend(on: fetch)
    }
}
