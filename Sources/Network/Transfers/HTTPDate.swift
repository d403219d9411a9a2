import CCurl
import Glibc

/// The time an HTTP date names, in seconds since 1970; nil if it is none.
///
/// The corresponding C function is `curl_getdate`, which reads the three forms of RFC 9110, section 5.6.7.
func secondsSince1970(ofHTTPDate text: String) -> Int? {
    let seconds = curl_getdate(text, nil)
    return seconds >= 0 ? Int(seconds) : nil
}

/// Now, in seconds since 1970, by the clock that people set.
func currentSeconds() -> Int { time(nil) }
