public import Basics
public import Pipeline
public import Trace

/// Fetches bytes: from memory, disk, file or network.
public protocol Fetching: Sendable {
    /// Fetches a resource; callable from any thread. Equal requests in flight share one transfer.
    ///
    /// `completion` runs exactly once, on the pipeline's queue; after cancelling it receives `cancelled`.
    func fetch(
        _ request: Request, priority: Priority,
        completion: @escaping Completion<Response, FetchError>
    ) -> Subscription

    /// Finds a picture's bytes, or what `derive` returns for them, with one disk access.
    ///
    /// `derive` is called on the queue `halftone.disk`, and only if there is a disk cache; its result is used only while the bytes
    /// themselves may be, for which their server may have to revalidate them. For `completion` see `fetch`.
    @PipelineActor func find<Derived: Sendable>(
        _ request: Request, priority: Priority, flow: Flow,
        derive: @escaping @Sendable (ContentHash) -> Derived?,
        completion: @escaping Completion<Found<Derived>, FetchError>
    ) -> Subscription

    /// Calls `receive` a few times with the part of a picture received so far, whatever it is fetched for; callable from any thread.
    ///
    /// A part that has already arrived is reported at once. The number of reports is bounded, so that reading them all costs about as much
    /// as reading the whole; a receiver of a part is also notified when the picture is complete. `receive` runs on a thread of its own and
    /// must not block; cancelling ends the reports.
    func watch(_ address: Address, receive: @escaping Receiver<Arrival>) -> Subscription

    /// Notes that a file is a copy of a page of the web: what it links to is reached as from there; callable from any thread.
    ///
    /// - Parameter original: the page's address; nil if unknown, which counts as public.
    func note(copy file: Address, of original: Address?)

    /// Notes the header fields that pictures are to be requested with at their own servers, by address; callable from any thread.
    func note(headers: [Address: HeaderFields])

    /// Returns the progress of a watched picture; nil if unknown. Callable from any thread.
    func progress(of address: Address) -> FetchProgress?

    /// The bytes of fetched pictures waiting to be decoded; new transfers wait while there are too many.
    var backlog: Backlog { get }
}
