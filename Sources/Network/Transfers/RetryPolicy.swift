/// When a failed request is retried, and whether that makes sense.
struct RetryPolicy: Sendable {
    /// The longest pause before the second try, in seconds; doubled for each further try.
    var firstPause = 1.0
    /// The maximum pause in seconds, whatever the server requests: a picture is not worth more of the user's time.
    var maxPause = 60.0
    /// A random number from 0 up to, but not including, 1.
    var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// Returns whether a retry may give another status (RFC 9110; for 425 and 429, RFC 8470 and RFC 6585).
    static func isTransient(status: Int) -> Bool {
        [408, 425, 429].contains(status) || (500...599).contains(status)
    }

    /// Returns the seconds until the next try after `tries` failed ones; nil if the server asks for more than the maximum.
    ///
    /// The whole pause is random ("full jitter"), so that requests that failed together are not retried together: in M. Brooker's
    /// comparison this takes the fewest calls ("Exponential Backoff And Jitter", AWS Architecture Blog, 2015). If the server specifies a
    /// time, the try is never earlier, and the random part is added to it.
    func pause(afterTries tries: Int, asked: Double?) -> Double? {
        if let asked { return asked > maxPause ? nil : asked + firstPause * random() }
        let pause = firstPause * Double(1 << min(tries - 1, 20))
        return min(pause, maxPause) * random()
    }

    /// Returns the error for a final response of `status`; it mentions a requested wait that exceeds any pause.
    func failure(status: Int, asked: Double?) -> FetchError {
        guard Self.isTransient(status: status), let asked, asked > maxPause else {
            return .status(status)
        }
        return .busy(status, seconds: Int(asked))
    }

    /// Parses `Retry-After`, either seconds or a date (RFC 9110, section 10.2.3).
    func seconds(ofRetryAfter value: String?, now: Int) -> Double? {
        guard let value else { return nil }
        if let seconds = deltaSeconds(value) { return Double(seconds) }
        return secondsSince1970(ofHTTPDate: value).map { Double(max(0, $0 - now)) }
    }
}
