import Basics
import CCurl
import Glibc

/// Transfers from file servers: a folder's address ends with a slash, and its body is the listing.
extension Exchange {
    /// Whether this transfer only looks when a cached file was changed last: libcurl has no such request, but the first byte is cheap.
    var isCheckOfFile: Bool {
        !transfer.task.conditions.isEmpty && !transfer.wantsWhole
            && address.scheme == "sftp"
    }

    /// Sets libcurl's options for sftp, ftp and ftps, after those for all transfers.
    func configureFileServer() {
        let login = options.fileServers.login(for: address, from: nil)
        let isSecure = address.scheme == "sftp"
        // Without a name, libcurl logs into ftp servers as anonymous.
        set(CURLOPT_USERNAME, login?.user ?? (isSecure ? options.user : nil))
        set(CURLOPT_PASSWORD, login?.password)
        set(CURLOPT_FILETIME, 1)
        if isCheckOfFile {
            set(CURLOPT_RANGE, "0-0")
        } else if let part {
            // libssh2 asks for four times as much ahead, past the end of the part, too.
            set(CURLOPT_BUFFERSIZE, min(part.count / 10, 128 << 10))
            if part.start != nil {
                set(CURLOPT_RANGE, part.text)
            } else {
                halftone_curl_set_size(handle, CURLOPT_RESUME_FROM_LARGE, curl_off_t(-part.count))
            }
        }
        set(CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, options.timeout))
        // The server must not send the client to other hosts.
        set(CURLOPT_FTP_SKIP_PASV_IP, 1)
        set(CURLOPT_FTP_FILEMETHOD, halftone_curl_single_folder)
        if address.scheme == "ftps" { set(CURLOPT_USE_SSL, halftone_curl_all_encrypted) }
        let ways = CURLSSH_AUTH_AGENT | CURLSSH_AUTH_PUBLICKEY
        set(
            CURLOPT_SSH_AUTH_TYPES,
            Int(login?.password == nil ? ways : ways | CURLSSH_AUTH_PASSWORD))
        let keys = ["ed25519", "ecdsa", "rsa"].map { options.sshFolder + "/id_" + $0 }
        // libcurl itself would also look for keys in the working folder.
        set(CURLOPT_SSH_PRIVATE_KEYFILE, keys.first { access($0.cPath, R_OK) == 0 } ?? keys[0])
        set(CURLOPT_SSH_KNOWNHOSTS, options.sshFolder + "/known_hosts")
        halftone_curl_set_pointer(
            handle, CURLOPT_SSH_KEYDATA, Unmanaged.passUnretained(self).toOpaque())
        halftone_curl_set_key_check(handle, CURLOPT_SSH_KEYFUNCTION) { _, _, _, match, context in
            if match == CURLKHMATCH_OK { return Int32(CURLKHSTAT_FINE.rawValue) }
            Exchange.of(context)?.keyFault = match
            return Int32(CURLKHSTAT_REJECT.rawValue)
        }
    }

    /// The length of the file; nil if the server has not told it.
    var lengthOfFile: Int? {
        let length = count(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        return length < 0 ? nil : min(length, 1 << 48)
    }

    /// Notes when the file was changed last, and of which part the body is, as HTTP's header fields do; must be called before the handle is
    /// returned.
    func noteFileFacts() {
        if let part, body.count == part.count {
            headers.append(("content-range", "bytes \(part.text)/*"))
        }
        let time = info(CURLINFO_FILETIME)
        let changed = time > 0 ? utcText(time, "%Y%m%d %H:%M:%S") : nil
        if let changed { headers.append(("last-modified", changed)) }
        guard isCheckOfFile else { return }
        if transfer.task.conditions.contains(where: { $0.value == changed }) {
            status = 304
        } else {
            progress = .refused
        }
    }

    /// Whether the address may be a folder's that lacks its slash, where web servers redirect.
    func mayLackSlash(_ code: CURLcode) -> Bool {
        address.isOnFileServer && !address.text.hasSuffix("/")
            && transfer.request.purpose == .page
            && [CURLE_SSH, CURLE_REMOTE_FILE_NOT_FOUND, CURLE_FTP_COULDNT_RETR_FILE].contains(code)
    }

    /// What is wrong with the server's key, and how to trust it if it is right.
    var keyAdvice: String {
        let host = address.host
        let port = address.port.dropFirst()
        let scan =
            "ssh-keyscan -t ed25519 \(port.isEmpty ? "" : "-p \(port) ")\(host) >> ~/.ssh/known_hosts"
        guard keyFault == CURLKHMATCH_MISMATCH else {
            return "the key of \(host) is not in ~/.ssh/known_hosts; to trust it: \(scan)"
        }
        let name = port.isEmpty ? host : "'[\(host)]:\(port)'"
        return "the key of \(host) is not the one in ~/.ssh/known_hosts; "
            + "if its owner has changed it: ssh-keygen -R \(name) && \(scan)"
    }
}
