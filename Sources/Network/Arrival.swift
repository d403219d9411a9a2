/// What has come of a body while the rest is on its way.
public struct Arrival: Sendable {
    /// Whether all is there and on its way to whoever fetches it; it holds no bytes then.
    public var isWhole = false
    /// The bytes from the beginning.
    public var bytes: [UInt8]
    /// The length of the whole, in bytes; nil where the server has not told.
    public var total: Int?

    /// Makes one.
    public init(bytes: [UInt8], total: Int?) {
        self.bytes = bytes
        self.total = total
    }
}

/// How much of a body has come.
public struct FetchProgress: Hashable, Sendable {
    /// Bytes that are there.
    public var received: Int
    /// The length of the whole; nil where the server has not told.
    public var total: Int?

    /// Makes one.
    public init(received: Int, total: Int?) {
        self.received = received
        self.total = total
    }
}
