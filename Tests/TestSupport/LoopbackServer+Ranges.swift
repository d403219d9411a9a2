extension ServerResponse {
    /// Bytes of which a part may be asked for, as RFC 9110, section 14 has it: a single range of bytes, if `If-Range` names `tag`.
    public static func ranged(
        _ body: [UInt8], type: String?, tag: String, for request: ServerRequest,
        headers: [(name: String, value: String)] = []
    ) -> Self {
        let headers = [("ETag", tag), ("Accept-Ranges", "bytes")] + headers
        let whole = bytes(body, type: type, headers: headers)
        if let condition = request.header("if-range"), condition != tag { return whole }
        guard let range = request.header("range"), range.hasPrefix("bytes=") else { return whole }
        let ends = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]) else { return whole }
        let last = min(Int(ends[1]) ?? body.count - 1, body.count - 1)
        guard first <= last else {
            return status(416, headers: [("Content-Range", "bytes */\(body.count)")])
        }
        return part(
            Array(body[first...last]), range: "bytes \(first)-\(last)/\(body.count)",
            headers: headers)
    }

    /// A 206 that says it is `range`, whatever is asked for.
    public static func part(
        _ body: [UInt8], range: String?, headers: [(name: String, value: String)] = []
    ) -> Self {
        let range = range.map { [("Content-Range", $0)] } ?? []
        var response = bytes(body, type: nil, headers: range + headers)
        response.status = 206
        return response
    }
}
