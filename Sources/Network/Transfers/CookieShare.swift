import CCurl

/// The cookies of a Netscape cookie file, shared by the handles they are attached to; the file is read once and never written.
///
/// What servers set meanwhile is kept in memory with them. Confined to the transfer thread, so libcurl needs no locks.
final class CookieShare {
    private let share: UnsafeMutableRawPointer
    private let file: String
    private var isRead = false

    /// Nil if libcurl has no memory.
    init?(file: String) {
        guard let share = curl_share_init() else { return nil }
        self.share = share
        self.file = file
        halftone_curl_share_cookies(share)
    }

    deinit { curl_share_cleanup(share) }

    /// Makes a handle send the cookies that match its host; the first one makes libcurl read the file.
    func attach(to handle: UnsafeMutableRawPointer) {
        halftone_curl_set_pointer(handle, CURLOPT_SHARE, share)
        if !isRead {
            isRead = true
            halftone_curl_set_text(handle, CURLOPT_COOKIEFILE, file)
        }
    }
}
