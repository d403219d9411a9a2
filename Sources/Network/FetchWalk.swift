import Pipeline
import Trace

/// One job on its way through the tiers.
struct FetchWalk: Sendable {
    let request: Request
    let job: Job<Response, FetchError>
    let span: Span
    let key: String

    init(request: Request, job: Job<Response, FetchError>, span: Span) {
        self.request = request
        self.job = job
        self.span = span
        key = HTTPCache.key(of: request)
    }
}
