import Basics

/// The copy of a web resource in an archive.
struct WebCopy {
    /// The encoding of the bytes in the archive.
    enum Encoding {
        case plain, base64, quotedPrintable
        /// HTTP's chunked transfer coding.
        case chunked
    }

    /// The address as recorded in the archive, usually an absolute URL.
    var location: String
    /// The media type in lower case, without parameters; nil if none is recorded.
    var mediaType: String?
    var charset: String?
    /// The offset of the bytes from the start of the archive.
    var start: Int
    var count: Int
    var encoding: Encoding
    /// The Content-Encoding in lower case; empty if there is none.
    var compression = ""

    /// Returns the content with its encodings removed.
    func decoded(_ bytes: [UInt8], atMost limit: Int) throws(ArchiveError) -> [UInt8] {
        let plain =
            switch encoding {
            case .plain: bytes
            case .base64: Self.base64(bytes)
            case .quotedPrintable: Self.quotedPrintable(bytes)
            case .chunked: Self.joined(bytes)
            }
        switch compression {
        case "identity", "":
            guard plain.count <= limit else { throw .tooLarge(limit: limit) }
            return plain
        // Some archives store decompressed content with its original header.
        case "gzip" where !plain.starts(with: [0x1F, 0x8B]): return plain
        case "gzip", "x-gzip":
            let stream = try ArchiveStream(plain, .compressed)
            guard try stream.next() != nil else { throw .damaged("nothing in it") }
            return try stream.contents(atMost: limit)
        default: throw .damaged("compressed as \(compression), which is not supported")
        }
    }

    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        var (decoded, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
        decoded.reserveCapacity(bytes.count / 4 * 3)
        for byte in bytes {
            let value: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="): return decoded
            default: continue
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return decoded
    }

    /// Decodes quoted-printable (RFC 2045, section 6.7): `=3D`, and `=` at the end of a line that continues.
    private static func quotedPrintable(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            guard byte == UInt8(ascii: "=") else {
                decoded.append(byte)
                continue
            }
            if let value = PercentEncoding.byte(ofDigitsAt: at, in: bytes) {
                decoded.append(value)
                at += 2
            } else {
                if at < bytes.count, bytes[at] == 0x0D { at += 1 }
                if at < bytes.count, bytes[at] == 0x0A { at += 1 }
            }
        }
        return decoded
    }

    /// Joins HTTP chunks (RFC 9112, section 7.1), up to the first malformed one.
    private static func joined(_ bytes: [UInt8]) -> [UInt8] {
        var joined: [UInt8] = []
        var at = 0
        while let feed = bytes[at...].prefix(1024).firstIndex(of: 0x0A) {
            // Some servers pad the size with blanks.
            let digits = bytes[at..<feed].prefix { $0 > 0x20 && $0 != UInt8(ascii: ";") }
            let count = Int(String(decoding: digits, as: UTF8.self), radix: 16)
            if count == 0 { return joined }
            guard let count, (1...bytes.count).contains(count) else { break }
            let end = min(feed + 1 + count, bytes.count)
            joined += bytes[(feed + 1)..<end]
            at = end
            if at < bytes.count, bytes[at] == 0x0D { at += 1 }
            if at < bytes.count, bytes[at] == 0x0A { at += 1 }
        }
        // Some archives join the chunks but keep the original header.
        return joined.isEmpty ? bytes : joined
    }
}
