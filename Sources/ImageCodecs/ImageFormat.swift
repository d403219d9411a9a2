/// A picture file's format, told by its first bytes.
public enum ImageFormat: String, Sendable, CaseIterable {
    /// JPEG (JFIF, EXIF).
    case jpeg = "JPEG"
    /// PNG.
    case png = "PNG"
    /// WebP.
    case webp = "WebP"
    /// GIF.
    case gif = "GIF"

    /// The format of a file that starts with `bytes` (32 are enough); nil if it is none of these.
    public init?(sniffing bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(12))
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: "RIFF".utf8), start.dropFirst(8).elementsEqual("WEBP".utf8) {
            self = .webp
        } else if start.starts(with: "GIF87a".utf8) || start.starts(with: "GIF89a".utf8) {
            self = .gif
        } else {
            return nil
        }
    }
}
