/// Whether and when a failed request is tried again.
struct RetryPolicy: Sendable {
    /// Tries after the first.
    var retries: Int
    /// The longest pause before the second try, in seconds; doubled for each further one.
    var firstPause = 1.0
    /// Seconds that no pause exceeds, whatever the server asks for: a picture is not worth more of the user's time.
    var longestPause = 60.0
    /// Chance: from 0 up to 1.
    var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// Whether an answer of that status may be another one next time: RFC 9110 and, for 425 and 429, RFC 8470 and RFC 6585.
    static func isTransient(status: Int) -> Bool {
        [408, 425, 429].contains(status) || (500...599).contains(status)
    }

    /// Seconds until the try after `tries` failed ones; nil if that was the last.
    ///
    /// All of the pause is left to chance ("full jitter"), so that requests that failed together do not come back together: it does
    /// the work with the fewest calls in M. Brooker's comparison, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015. A
    /// server that names a time is never asked before it, and gets its share of chance after it.
    func pause(afterTries tries: Int, retryAfter: String?, now: Int) -> Double? {
        guard tries <= retries else { return nil }
        if let asked = retryAfter.flatMap({ seconds(ofRetryAfter: $0, now: now) }) {
            return min(asked + firstPause * random(), longestPause)
        }
        let pause = firstPause * Double(1 << min(tries - 1, 20))
        return min(pause, longestPause) * random()
    }

    /// Seconds for which a server that answered this way must not be asked at all: too many requests, or unavailable.
    func closing(status: Int, retryAfter: String?, now: Int) -> Double? {
        guard status == 429 || status == 503 else { return nil }
        return retryAfter.flatMap { seconds(ofRetryAfter: $0, now: now) }
            .map { min($0, longestPause) }
    }

    /// What a last answer of `status` means to the user, who is told where the server asked for more than any pause.
    func failure(status: Int, retryAfter: String?, now: Int) -> FetchError {
        guard Self.isTransient(status: status),
            let asked = retryAfter.flatMap({ seconds(ofRetryAfter: $0, now: now) }),
            asked > longestPause
        else { return .status(status) }
        return .busy(status, seconds: Int(asked))
    }

    /// Either seconds or a date: RFC 9110, section 10.2.3.
    private func seconds(ofRetryAfter value: String, now: Int) -> Double? {
        if let seconds = deltaSeconds(value) { return Double(seconds) }
        return secondsSince1970(ofHTTPDate: value).map { Double(max(0, $0 - now)) }
    }
}
