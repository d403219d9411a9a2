import Basics
import Glibc

/// Answers a request for a file in `folder`, or lists a folder like nginx's autoindex.
///
/// Symlinks are followed; `..` is rejected. A folder without its trailing slash is redirected.
func serveFile(of folder: String, below prefix: String, _ request: ServerRequest) -> ServerResponse
{
    let name = String(
        decoding: PercentEncoding.decode(request.path.utf8.dropFirst(prefix.utf8.count)),
        as: UTF8.self)
    guard !name.split(separator: "/").contains("..") else { return .status(403) }
    let path = folder + "/" + name
    var status = stat()
    guard stat(path, &status) == 0 else { return .status(404) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
        return readFile(path).map { .bytes($0, type: mediaType(of: name)) } ?? .status(403)
    }
    guard request.path.hasSuffix("/") else { return .redirect(to: request.path + "/", status: 301) }
    if let index = readFile(path + "/index.html") {
        return .bytes(index, type: "text/html")
    }
    return .bytes(Array(listing(of: path, shownAs: request.path).utf8), type: "text/html")
}

/// Returns a listing like nginx's: folders first, names encoded, followed by date and size.
private func listing(of folder: String, shownAs title: String) -> String {
    let entries = entryNames(of: folder).map { name -> (name: String, isFolder: Bool, bytes: Int) in
        var status = stat()
        _ = stat(folder + "/" + name, &status)
        return (name, status.st_mode & S_IFMT == S_IFDIR, Int(status.st_size))
    }
    let sorted = entries.sorted { ($0.isFolder ? 0 : 1, $0.name) < ($1.isFolder ? 0 : 1, $1.name) }
    var page = "<html>\r\n<head><title>Index of \(title)</title></head>\r\n<body>\r\n"
    page += "<h1>Index of \(title)</h1><hr><pre><a href=\"../\">../</a>\r\n"
    for entry in sorted {
        let slash = entry.isFolder ? "/" : ""
        page +=
            "<a href=\"\(PercentEncoding.encode(entry.name.utf8))\(slash)\">\(escaped(entry.name))\(slash)</a>"
        page += "   01-Jan-2026 00:00   \(entry.isFolder ? "-" : String(entry.bytes))\r\n"
    }
    return page + "</pre><hr></body>\r\n</html>\r\n"
}

private func entryNames(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if !name.hasPrefix(".") {
            names.append(name)
        }
    }
    return names
}

private func readFile(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
        let more = bytes.withUnsafeMutableBytes { buffer in
            read(file, buffer.baseAddress.map { $0 + count }, buffer.count - count)
        }
        guard more > 0 else { return nil }
        count += more
    }
    return bytes
}

private func mediaType(of name: String) -> String? {
    switch name.split(separator: ".").last?.lowercased() {
    case "html", "htm": "text/html"
    case "jpg", "jpeg": "image/jpeg"
    case "png": "image/png"
    case "gif": "image/gif"
    case "webp": "image/webp"
    case "css": "text/css"
    case "json": "application/json"
    case "xml", "rss": "text/xml"
    case "txt": "text/plain"
    default: "application/octet-stream"
    }
}

private func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
        switch character {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        default: result.append(character)
        }
    }
}
