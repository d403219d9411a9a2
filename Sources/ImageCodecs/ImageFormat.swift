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
    /// TIFF, up to 4 GB.
    case tiff = "TIFF"
    /// Windows' bitmaps.
    case bmp = "BMP"
    /// AVIF, still or moving.
    case avif = "AVIF"
    /// JPEG XL, bare or in a container.
    case jpegXL = "JPEG XL"
    /// SVG, not compressed.
    case svg = "SVG"

    /// The format of a file that starts with `bytes`; nil if it is none of these.
    ///
    /// 64 bytes are enough, but for SVG, of which the first tag must be there.
    public init?(sniffing bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(64))
        if let format = Self.allCases.first(where: { $0.isStart(start) }) {
            self = format
        } else if SVGRoot(bytes) != nil {
            self = .svg
        } else {
            return nil
        }
    }

    private func isStart(_ start: [UInt8]) -> Bool {
        switch self {
        case .jpeg: start.starts(with: [0xFF, 0xD8, 0xFF])
        case .png: start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        case .webp:
            start.starts(with: "RIFF".utf8) && start.dropFirst(8).starts(with: "WEBP".utf8)
        case .gif: start.starts(with: "GIF87a".utf8) || start.starts(with: "GIF89a".utf8)
        case .tiff:
            start.starts(with: [0x49, 0x49, 0x2A, 0]) || start.starts(with: [0x4D, 0x4D, 0, 0x2A])
        case .bmp: StoredHeader.isBitmap(start)
        case .avif: StoredHeader.isAVIF(start)
        case .jpegXL: StoredHeader.isJPEGXL(start)
        // Told by its first tag, wherever that stands.
        case .svg: false
        }
    }

    /// Its media type (IANA's registry).
    public var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .webp: "image/webp"
        case .gif: "image/gif"
        case .tiff: "image/tiff"
        case .bmp: "image/bmp"
        case .avif: "image/avif"
        case .jpegXL: "image/jxl"
        case .svg: "image/svg+xml"
        }
    }

    /// Whether the frames of a moving file can be played; of the others the first is shown.
    public var canPlay: Bool {
        switch self {
        case .gif, .webp, .png: true
        case .jpeg, .tiff, .bmp, .avif, .jpegXL, .svg: false
        }
    }
}
