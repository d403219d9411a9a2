import Basics
public import Network
public import Pipeline

/// A fetcher with canned answers, given before `fetch` returns, or when a gate opens.
public final class InstantFetcher: Fetching {
    private let answers: [Address: Result<Response, FetchError>]
    private let gate: Gate?
    private let seen = Locked<[Request]>([])

    /// Creates a fetcher; anything not among `answers` is a 404.
    public init(_ answers: [Address: Result<Response, FetchError>], gate: Gate? = nil) {
        self.answers = answers
        self.gate = gate
    }

    /// Every request so far.
    public var requests: [Request] { seen.withLock { $0 } }

    /// Answers; cancelling before the gate opens answers with `cancelled`.
    public func fetch(
        _ request: Request, priority: Priority,
        completion: @escaping @PipelineActor @Sendable (Result<Response, FetchError>) -> Void
    ) -> Subscription {
        seen.withLock { $0.append(request) }
        let answer = answers[request.address] ?? .failure(.status(404))
        let told = Once(completion)
        if let gate {
            gate.pass { told.tell(answer) }
        } else {
            told.tell(answer)
        }
        return Subscription(onCancel: { told.tell(.failure(.cancelled)) }, onPriority: { _ in })
    }
}

/// A completion that runs once, for the first answer.
private final class Once: Sendable {
    private let completion:
        Locked<(@PipelineActor @Sendable (Result<Response, FetchError>) -> Void)?>

    init(_ completion: @escaping @PipelineActor @Sendable (Result<Response, FetchError>) -> Void) {
        self.completion = Locked(completion)
    }

    func tell(_ result: Result<Response, FetchError>) {
        let completion = completion.withLock { completion in
            defer { completion = nil }
            return completion
        }
        if let completion { PipelineActor.confined { completion(result) } }
    }
}
