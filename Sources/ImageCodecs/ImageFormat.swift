import CImageCodecs

/// A picture file's format, recognized by its first bytes.
public enum ImageFormat: String, Sendable, CaseIterable {
    case jpeg = "JPEG"
    case png = "PNG"
    case webp = "WebP"
    case gif = "GIF"
    /// TIFF files up to 4 GB.
    case tiff = "TIFF"
    /// Windows bitmaps.
    case bmp = "BMP"
    /// Still or animated.
    case avif = "AVIF"
    /// A bare codestream or a container.
    case jpegXL = "JPEG XL"
    /// HEIF with HEVC pictures.
    case heic = "HEIC"
    /// A camera's raw file, shown by the JPEGs in it.
    case raw = "camera raw"
    /// Uncompressed SVG.
    case svg = "SVG"

    /// Recognizes the format of a file that starts with `bytes`; nil if it is not one of these.
    ///
    /// 64 bytes suffice, except for SVG, which needs the whole first tag, and raw files, whose directories tell them from TIFFs.
    public init?(sniffing bytes: some Collection<UInt8>) {
        let start = FileBytes(Array(bytes.prefix(64)))
        if let format = Self.allCases.first(where: { $0.row.isStart(start) }) {
            let isRaw =
                format == .tiff && CameraRaw.isOne(bytes as? FileBytes ?? FileBytes(Array(bytes)))
            self = isRaw ? .raw : format
        } else if SVGRoot(bytes) != nil {
            self = .svg
        } else {
            return nil
        }
    }

    /// The decoder, the media type (IANA's registry), and a test for the start of a file.
    private var row: (decoder: halftone_format, mediaType: String, isStart: (FileBytes) -> Bool) {
        switch self {
        case .jpeg: (HALFTONE_JPEG, "image/jpeg", { $0.bigEndian(0, length: 3) == 0xFFD8FF })
        case .png: (HALFTONE_PNG, "image/png", StoredHeader.isPNG)
        case .webp:
            (HALFTONE_WEBP, "image/webp", { $0.has("RIFF", at: 0) && $0.has("WEBP", at: 8) })
        case .gif:
            (HALFTONE_GIF, "image/gif", { $0.has("GIF87a", at: 0) || $0.has("GIF89a", at: 0) })
        case .tiff:
            (HALFTONE_TIFF, "image/tiff", { $0.has("II*\0", at: 0) || $0.has("MM\0*", at: 0) })
        case .bmp: (HALFTONE_BMP, "image/bmp", StoredHeader.isBitmap)
        case .avif: (HALFTONE_AVIF, "image/avif", ISOBox.isAVIF)
        case .jpegXL: (HALFTONE_JXL, "image/jxl", StoredHeader.isJPEGXL)
        case .heic: (HALFTONE_HEIC, "image/heic", ISOBox.isHEIC)
        case .raw: (HALFTONE_JPEG, "image/x-dcraw", CameraRaw.isStart)
        // Recognized by its first tag, wherever that is.
        case .svg: (HALFTONE_SVG, "image/svg+xml", { _ in false })
        }
    }

    /// The file name extension.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .raw: "dng"
        case .svg: "svg"
        default: String(mediaType.dropFirst("image/".count))
        }
    }

    /// Whether animated files can be played; otherwise only the first frame is shown.
    public var canPlay: Bool { [.gif, .webp, .png].contains(self) }

    /// Whether files of this format can be decoded here; readable from any thread.
    ///
    /// Some formats have libraries that are not installed everywhere. Reading this for one of those loads it, which takes milliseconds.
    public var isReadable: Bool { halftone_can_decode(cFormat) }

    /// Whether the library is only loaded for the first such file.
    public var hasLateLibrary: Bool { [.tiff, .avif, .jpegXL, .heic, .svg].contains(self) }

    /// The media types of all formats that can be decoded here, as far as known without loading a library; readable from any thread.
    public static var readableMediaTypes: [String] {
        allCases.filter { halftone_may_decode($0.cFormat) }.map(\.mediaType)
    }

    /// The format's constant in the C decoders.
    var cFormat: halftone_format { row.decoder }

    var mediaType: String { row.mediaType }
}
