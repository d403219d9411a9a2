import CImageCodecs

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
        case .avif: ISOBox.isAVIF(start)
        case .jpegXL:
            // A bare codestream, or one in a container.
            start.starts(with: [0xFF, 0x0A])
                || start.starts(with: [0, 0, 0, 0xC, 0x4A, 0x58, 0x4C, 0x20, 0xD, 0xA, 0x87, 0xA])
        // Told by its first tag, wherever that stands.
        case .svg: false
        }
    }

    /// Its media type (IANA's registry).
    var mediaType: String {
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
    public var canPlay: Bool { [.gif, .webp, .png].contains(self) }

    /// Whether files of it can be decoded here; any thread.
    ///
    /// Some formats have libraries that are not installed everywhere. Asking for one of those loads it, which takes milliseconds.
    public var isReadable: Bool { halftone_can_decode(cFormat) }

    /// The media types of all formats that can be decoded here, as far as can be told without loading a library; any thread.
    public static var readableMediaTypes: [String] {
        allCases.filter { halftone_may_decode($0.cFormat) }.map(\.mediaType)
    }

    /// The format as the decoders name it.
    var cFormat: halftone_format {
        switch self {
        case .jpeg: HALFTONE_JPEG
        case .png: HALFTONE_PNG
        case .webp: HALFTONE_WEBP
        case .gif: HALFTONE_GIF
        case .tiff: HALFTONE_TIFF
        case .bmp: HALFTONE_BMP
        case .avif: HALFTONE_AVIF
        case .jpegXL: HALFTONE_JXL
        case .svg: HALFTONE_SVG
        }
    }
}
