import CCurl

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
    /// From when there was a connection to the first byte of the answer.
    public var firstByte = 0
    /// From the first byte to the last.
    public var transfer = 0

    /// All zero.
    public init() {}

    /// Until there was a connection that could be used: looked up, opened, encrypted.
    public var connecting: Int { lookup + connect + handshake }

    /// With servers, in all.
    public var working: Int { connecting + firstByte + transfer }

    /// All of it.
    public var total: Int { queue + working }
}

extension FetchTimings {
    /// Adds up what happened one after the other.
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

extension Exchange {
    /// Where the time of this exchange went; to be asked before its handle is given back.
    var timings: FetchTimings {
        FetchTimings(
            isConnected: info(CURLINFO_NUM_CONNECTS) == 0, lookup: end(CURLINFO_NAMELOOKUP_TIME_T),
            connect: end(CURLINFO_CONNECT_TIME_T), handshake: end(CURLINFO_APPCONNECT_TIME_T),
            firstByte: end(CURLINFO_STARTTRANSFER_TIME_T), all: end(CURLINFO_TOTAL_TIME_T))
    }

    /// A number that libcurl tells of the exchange, as long as its handle has not been given back.
    func info(_ info: CURLINFO) -> Int {
        var value = 0
        halftone_curl_get_long(handle, info, &value)
        return value
    }

    private func end(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        guard halftone_curl_get_size(handle, info, &value) == CURLE_OK else { return 0 }
        return max(0, Int(value))
    }
}

extension FetchTimings {
    /// Takes curl's times: when each step of an exchange had ended, in microseconds since it began; zero for those that did not happen.
    ///
    /// On a connection that was open already, the time until it could be used is queueing. CURLINFO_PRETRANSFER_TIME is of no use: curl
    /// reads that clock after the request has been sent, when the server may be at work already.
    init(
        isConnected: Bool, lookup lookupEnd: Int = 0, connect connectEnd: Int = 0,
        handshake handshakeEnd: Int = 0, firstByte firstByteEnd: Int = 0, all: Int
    ) {
        var reached = 0
        func step(to end: Int) -> Int {
            let end = min(end, all)
            defer { reached = max(reached, end) }
            return max(0, end - reached)
        }
        if isConnected {
            queue = step(to: lookupEnd)
        } else {
            lookup = step(to: lookupEnd)
            connect = step(to: connectEnd)
            handshake = step(to: handshakeEnd)
        }
        // What never answered has waited until its end.
        firstByte = step(to: firstByteEnd == 0 ? all : firstByteEnd)
        transfer = step(to: all)
    }
}
