import CCurl
import Trace

/// How the time of a fetch was spent, in microseconds; zero for phases that did not happen.
///
/// Redirects and retries are added up, so that the parts make the whole.
public struct FetchTimings: Hashable, Sendable {
    /// Before the request was sent: queueing for a connection, and waiting between retries.
    var queue = 0
    /// Resolving the host name.
    var lookup = 0
    /// Opening the connection; zero if one was already open.
    var connect = 0
    /// Negotiating encryption.
    var handshake = 0
    /// From the established connection to the first byte of the response.
    public var firstByte = 0
    /// From the first to the last byte.
    public var transfer = 0

    /// Creates timings that are all zero.
    public init() {}

    /// Until the connection was usable: name lookup, connecting, encryption.
    public var connecting: Int { lookup + connect + handshake }

    /// Total time spent with servers.
    var working: Int { connecting + firstByte + transfer }

    /// Adds the timings of a subsequent exchange.
    static func += (left: inout Self, right: Self) {
        left.queue += right.queue
        left.lookup += right.lookup
        left.connect += right.connect
        left.handshake += right.handshake
        left.firstByte += right.firstByte
        left.transfer += right.transfer
    }

    /// The timings as figures for a trace span.
    var figures: Figures {
        [
            ("queue", queue), ("lookup", lookup), ("connect", connect), ("handshake", handshake),
            ("first byte", firstByte), ("transfer", transfer),
        ]
    }
}

extension Exchange {
    /// How the time of this exchange was spent; must be read before its handle is returned.
    var timings: FetchTimings {
        FetchTimings(
            isConnected: info(CURLINFO_NUM_CONNECTS) == 0,
            lookup: count(CURLINFO_NAMELOOKUP_TIME_T), connect: count(CURLINFO_CONNECT_TIME_T),
            handshake: count(CURLINFO_APPCONNECT_TIME_T),
            firstByte: count(CURLINFO_STARTTRANSFER_TIME_T), all: count(CURLINFO_TOTAL_TIME_T))
    }

    /// Returns a number from libcurl about the exchange; must be called before its handle is returned.
    func info(_ info: CURLINFO) -> Int {
        var value = 0
        halftone_curl_get_long(handle, info, &value)
        return value
    }

    /// Returns a number of microseconds or bytes, like `info`; negative if it is unknown.
    func count(_ info: CURLINFO) -> Int {
        var value: curl_off_t = -1
        halftone_curl_get_size(handle, info, &value)
        return Int(value)
    }
}

extension FetchTimings {
    /// Converts curl's times: when each step of an exchange ended, in microseconds since its start; zero for steps that did not happen.
    ///
    /// On a reused connection, the time until it could be used counts as queueing. CURLINFO_PRETRANSFER_TIME is useless here: curl reads
    /// that clock after the request was sent, when the server may already be at work.
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
        // Without a response, the whole wait counts.
        firstByte = step(to: firstByteEnd == 0 ? all : firstByteEnd)
        transfer = step(to: all)
    }
}
