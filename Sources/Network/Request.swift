import Basics
import Synchronization

/// A request for a resource, with the minimum recency of the response.
///
/// Equal requests in flight share one transfer.
public struct Request: Hashable, Sendable {
    /// The intended use of the bytes; decides the `Accept` header, and begins the key in the cache.
    public enum Purpose: String, Sendable {
        /// A page, feed or listing.
        case page
        /// A picture.
        case picture
        /// Machine-readable data that a page offers, often at its own address.
        case data
    }

    /// The address on a server or of a local file.
    public var address: Address
    /// The intended use of the bytes.
    public var purpose: Purpose
    /// The page that links here, sent as `Referer` if the options say so.
    public var referer: Address?
    /// The cache does not answer with responses fetched for an earlier generation.
    public var generation: CacheGeneration
    /// The part that is wanted; nil for the whole.
    public var part: Part?

    /// Creates a request.
    public init(
        _ address: Address, for purpose: Purpose, referer: Address? = nil,
        generation: CacheGeneration = .any, part: Part? = nil
    ) {
        self.address = address
        self.purpose = purpose
        self.referer = referer
        self.generation = generation
        self.part = part
    }

    /// The request for the bytes that hold what is wanted.
    ///
    /// For a page of a document those of all of it, which a server has already sent as a page of a gallery, as it has a picture that is its
    /// own page.
    var whole: Request {
        guard address.page != nil || purpose == .picture && referer == address else { return self }
        var whole = self
        whole.address = address.page(nil)
        if !address.isFile { whole.purpose = .page }
        return whole
    }
}

/// How recent a response must be: an ever-growing number within this run of the program.
///
/// A response fetched or revalidated for one generation serves requests of that and of earlier ones. A reload takes the next generation for
/// all its requests, so that they share transfers and each resource is fetched once.
public struct CacheGeneration: Hashable, Comparable, Sendable {
    /// Any response that HTTP's freshness rules allow.
    public static let any = CacheGeneration(number: 0)

    private static let last = Atomic<Int>(0)

    private let number: Int

    /// Returns a generation later than all before it; callable from any thread.
    public static func next() -> CacheGeneration {
        CacheGeneration(number: last.next())
    }

    /// Earlier generations come first.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
