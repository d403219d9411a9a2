public import Network

/// Where the time of a picture went, in microseconds; zero for what did not happen.
public struct PictureTimings: Hashable, Sendable {
    /// Where its file came from.
    public var origin: Response.Origin
    /// Waiting for its turn, for a connection and for a decoder; reading, where it came from memory or a disk.
    public var queue = 0
    /// To a connection that could be used: looked up, opened, encrypted; zero where one was open.
    public var connect = 0
    /// From the request to the first byte of its answer.
    public var firstByte = 0
    /// From the first byte to the last.
    public var transfer = 0
    /// To decode, and reduce to the size that is kept.
    public var decode = 0
    /// To shrink to the size on the screen and make cells.
    public var draw = 0

    /// Nothing happened.
    public init(origin: Response.Origin = .network) {
        self.origin = origin
    }

    /// With servers, in all.
    public var fetching: Int { connect + firstByte + transfer }

    /// Of a file that was there `elapsed` microseconds after it was asked for.
    init(_ response: Response, elapsed: Int) {
        origin = response.origin
        connect = response.timings.connecting
        firstByte = response.timings.firstByte
        transfer = response.timings.transfer
        queue = max(0, elapsed - fetching)
    }
}
