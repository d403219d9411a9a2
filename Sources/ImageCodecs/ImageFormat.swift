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
        nil
    }
}
