import CCurl

extension Exchange {
    /// Where the time of this exchange went; to be asked before its handle is given back.
    var timings: FetchTimings {
        var connections = 0
        halftone_curl_get_long(handle, CURLINFO_NUM_CONNECTS, &connections)
        let steps = FetchTimings.Ends(
            lookup: end(CURLINFO_NAMELOOKUP_TIME_T), connect: end(CURLINFO_CONNECT_TIME_T),
            handshake: end(CURLINFO_APPCONNECT_TIME_T), sending: end(CURLINFO_PRETRANSFER_TIME_T),
            firstByte: end(CURLINFO_STARTTRANSFER_TIME_T), all: end(CURLINFO_TOTAL_TIME_T))
        return FetchTimings(steps, isConnected: connections == 0)
    }

    private func end(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        guard halftone_curl_get_size(handle, info, &value) == CURLE_OK else { return 0 }
        return max(0, Int(value))
    }
}

extension FetchTimings {
    /// When each step of an exchange had ended, in microseconds since it began; zero for those that did not happen.
    struct Ends {
        var lookup = 0
        var connect = 0
        var handshake = 0
        var sending = 0
        var firstByte = 0
        var all = 0
    }

    /// Makes each step the length of its own; where there was a connection, its part is what was waited for it.
    init(_ ends: Ends, isConnected: Bool) {
        var reached = 0
        func step(to end: Int) -> Int {
            let end = min(end, ends.all)
            defer { reached = max(reached, end) }
            return max(0, end - reached)
        }
        if isConnected {
            queue = step(to: max(ends.lookup, ends.sending))
        } else {
            lookup = step(to: ends.lookup)
            connect = step(to: ends.connect)
            handshake = step(to: ends.handshake)
        }
        // What never answered has waited until its end.
        firstByte = step(to: ends.firstByte == 0 ? ends.all : ends.firstByte)
        transfer = step(to: ends.all)
    }
}
