/// Where the time of a fetch went, in microseconds; zero for what did not happen.
///
/// Redirects and further tries are summed up, so that the parts make the whole.
public struct FetchTimings: Hashable, Sendable {
    /// Until a server was asked: in line for a connection, and between tries.
    public var queue = 0
    /// To find out the host's address.
    public var lookup = 0
    /// To open the connection; zero where one was open.
    public var connect = 0
    /// To agree on encryption.
    public var handshake = 0
    /// From the request to the first byte of its answer.
    public var firstByte = 0
    /// From the first byte to the last.
    public var transfer = 0

    /// Nothing happened.
    public init() {}

    /// Until there was a connection that could be used: looked up, opened, encrypted.
    public var connecting: Int { lookup + connect + handshake }

    /// With servers, in all.
    public var working: Int { connecting + firstByte + transfer }

    /// All of it.
    public var total: Int { queue + working }
}

extension FetchTimings {
    /// One after the other.
    static func += (left: inout Self, right: Self) {
        left.queue += right.queue
        left.lookup += right.lookup
        left.connect += right.connect
        left.handshake += right.handshake
        left.firstByte += right.firstByte
        left.transfer += right.transfer
    }

    /// For a trace.
    var figures: [(name: StaticString, value: Int)] {
        [
            ("queue", queue), ("lookup", lookup), ("connect", connect), ("handshake", handshake),
            ("first byte", firstByte), ("transfer", transfer),
        ]
    }
}
