/// An error that can say "nobody wanted it any more", which is never shown as a failure.
public protocol CancellableError: Error, Sendable {
    /// The case that means cancelled.
    static var cancelled: Self { get }
}
