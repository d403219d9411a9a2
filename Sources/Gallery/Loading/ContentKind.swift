import Archives
import Basics
import Markup
import Network

/// The kind of a response, determined by its content type and first bytes, never by its name.
enum ContentKind: Equatable {
    case html
    case picture
    /// RSS or Atom.
    case feed
    /// Data: a server's directory listing, a JSON feed, an API response.
    case json
    /// An nginx directory listing in XML.
    case fileList
    /// A file server's listing of a folder, in lines.
    case lines
    /// A document of several pages (PDF).
    case document
    /// An archive.
    case archive
    /// Anything else, described by its media type or the look of its bytes.
    case other(String)

    /// Classifies a response by its media type and first kilobyte.
    init(of response: Response) {
        let head = Array(response.body.prefix(1024))
        let text = String(utf8: head).lowercased()
        let type = response.mediaType
        if response.address.isOnFileServer, response.address.isFolder {
            self = .lines
        } else if Self.isDocument(head) {
            self = .document
        } else if Self.isPicture(head) {
            self = .picture
        } else if response.isPart || Archive.isOne(head) {
            self = .archive
        } else if ["application/rss+xml", "application/atom+xml"].contains(type)
            || Self.feedRoot?.match(text) != nil
        {
            self = .feed
        } else if type?.hasSuffix("xml") ?? true, text.hasPrefix("<"), text.includes("<list>"),
            ["<file ", "<directory "].contains(where: text.includes)
        {
            self = .fileList
        } else if Self.isJSON(head, type) {
            self = .json
        } else if Self.isHTML(text, type) {
            self = .html
        } else if let type, type.hasPrefix("image/") {
            // The decoder may support a format that is not recognised here.
            self = .picture
        } else {
            self = .other(type ?? (Self.isText(head) ? "text" : "binary data"))
        }
    }

    /// Whether the bytes contain no control characters other than tabs and line breaks.
    static func isText(_ head: [UInt8]) -> Bool {
        head.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
    }

    /// Whether the first bytes are those of a PDF.
    static func isDocument(_ head: [UInt8]) -> Bool {
        // The mark may be anywhere in the first kilobyte (PDF 1.7, H.3), where a page may mention it.
        head.first != "<" && head.prefix(1024).firstRange(of: "%PDF-".utf8) != nil
    }

    /// Whether the first bytes are those of JPEG, PNG, GIF, WebP, TIFF, BMP, AVIF, HEIC, JPEG XL, SVG or a raw file.
    static func isPicture(_ head: [UInt8]) -> Bool {
        // Each character is a byte.
        let marks = [
            "GIF87a", "GIF89a", "II*\0", "MM\0*", "II+\0", "MM\0+", "\0\0\0\u{C}JXL ",
            "FUJIFILMCCD-RAW", "IIU\0",
            "IIRO", "IIRS", "MMOR", "\u{FF}\u{D8}\u{FF}", "\u{FF}\n", "\u{89}PNG\r\n\u{1A}\n",
        ]
        if marks.contains(where: { head.starts(with: $0.unicodeScalars.map { UInt8($0.value) }) }) {
            return true
        }
        guard head.count >= 12 else { return false }
        if Document.drawing(head) != nil { return true }
        // Two letters prove little; the four reserved bytes after a bitmap's file size are zero.
        if head.starts(with: "BM".utf8) { return head[6..<10].allSatisfy { $0 == 0 } }
        if head.starts(with: "RIFF".utf8) { return head[8..<12].elementsEqual("WEBP".utf8) }
        let brands = ["avif", "avis", "heic", "heix", "heim", "heis", "mif1", "crx "]
        return head[4..<8].elementsEqual("ftyp".utf8)
            && brands.contains { head[8..<12].elementsEqual($0.utf8) }
    }

    private static func isJSON(_ head: [UInt8], _ type: String?) -> Bool {
        guard let type, type != "text/plain" else {
            let first = head.withoutMark.first { $0 > 0x20 }
            return first == "{" || first == "["
        }
        return type == "application/json" || type == "text/json" || type.hasSuffix("+json")
    }

    /// Whether the response is HTML: without a content type any HTML tag suffices; with another one the text must start like a page.
    private static func isHTML(_ text: String, _ type: String?) -> Bool {
        ["text/html", "application/xhtml+xml"].contains(type) || page?.match(text) != nil
            || [nil, "application/octet-stream"].contains(type)
                && tag?.match(text.filter { $0 != "\0" }) != nil
    }

    /// Whatever the server calls it.
    private static let feedRoot = try? Pattern(
        #"(?s)[\s\x{FEFF}]*(?:<[?!][^<]*)*<(?:\w+:)?(?:rss|feed|rdf)[\s>].*"#)
    private static let page = try? Pattern(#"(?s)[\s\x{FEFF}\0]*<(?:!doctype )?html.*"#)
    private static let tag = try? Pattern(
        "(?s).*?<(?:!doctype html|html|head|body|title|img|a |div|meta|figure|ul|p>|h1).*")
}
