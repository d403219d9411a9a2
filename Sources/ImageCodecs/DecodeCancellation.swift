import CImageCodecs

/// Ends a decode that runs on another thread, mostly within a row.
public final class DecodeCancellation: @unchecked Sendable {
    // @unchecked: the pointer never changes, and what it points to is one atomic flag.
    let flag: OpaquePointer?

    /// Makes one that is not cancelled yet.
    public init() {
        flag = halftone_flag_make()
    }

    deinit {
        halftone_flag_free(flag)
    }

    /// Makes every decode that was given this end with `DecodeError.cancelled`; any thread, any number of times.
    public func cancel() {
        guard let flag else { return }
        halftone_flag_raise(flag)
    }

    /// Whether it has been cancelled; any thread.
    public var isCancelled: Bool { flag.map(halftone_flag_is_raised) ?? false }
}
