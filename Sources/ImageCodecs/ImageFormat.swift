import Basics
import CImageCodecs
import Markup

/// A picture file's format, recognized by its first bytes.
public enum ImageFormat: String, Sendable, CaseIterable {
    case jpeg = "JPEG"
    case png = "PNG"
    case webp = "WebP"
    case gif = "GIF"
    /// TIFF and BigTIFF.
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
    /// Portable bitmaps, greymaps, pixmaps and anymaps.
    case pnm = "PNM"
    case photoshop = "Photoshop"
    /// A bare codestream or a container.
    case jpeg2000 = "JPEG 2000"
    case qoi = "QOI"
    /// The largest of Windows' icons in a file.
    case icon = "ICO"
    case targa = "TGA"
    /// A frame of a video.
    case video = "Video"
    /// Uncompressed SVG.
    case svg = "SVG"
    /// A document, of which a page is shown.
    case pdf = "PDF"

    /// Recognizes the format of a file that starts with `bytes`; nil if it is not one of these.
    ///
    /// 64 bytes suffice, except for PDF, whose mark may be anywhere in the first 1,024, SVG, which needs the whole first tag, and raw files, whose directories tell them from TIFFs.
    public init?(sniffing bytes: some Collection<UInt8>) {
        let start = FileBytes(Array(bytes.prefix(1024)))
        if let format = Self.allCases.first(where: { $0.row.isStart(start) }) {
            let isRaw =
                format == .tiff && CameraRaw.isOne(bytes as? FileBytes ?? FileBytes(Array(bytes)))
            self = isRaw ? .raw : format
        } else if Document.drawing(bytes) != nil {
            self = .svg
        } else {
            return nil
        }
    }

    /// The decoder, the media type (IANA's registry), and a test for the start of a file.
    private var row: (decoder: halftone_format, mediaType: String, isStart: (FileBytes) -> Bool) {
        switch self {
        case .jpeg: (HALFTONE_JPEG, "image/jpeg", { $0.bigEndian(0, length: 3) == 0xFFD8FF })
        case .png:
            (
                HALFTONE_PNG, "image/png",
                { $0.byte(0) == 0x89 && $0.has("PNG\r\n\u{1A}\n", at: 1) }
            )
        case .webp:
            (HALFTONE_WEBP, "image/webp", { $0.has("RIFF", at: 0) && $0.has("WEBP", at: 8) })
        case .gif:
            (HALFTONE_GIF, "image/gif", { $0.has("GIF87a", at: 0) || $0.has("GIF89a", at: 0) })
        case .tiff:
            (
                HALFTONE_TIFF, "image/tiff",
                { start in
                    ["II*\0", "MM\0*", "II+\0", "MM\0+"].contains { start.has($0, at: 0) }
                }
            )
        case .bmp: (HALFTONE_STILL, "image/bmp", StoredHeader.isBitmap)
        case .avif: (HALFTONE_AVIF, "image/avif", { ISOBox.hasBrand(["avif", "avis"], $0) })
        case .jpegXL: (HALFTONE_JXL, "image/jxl", StoredHeader.isJPEGXL)
        // Files with sequences alone are not; AVIFs, which may also have these brands, come first.
        case .heic:
            (
                HALFTONE_HEIC, "image/heic",
                { ISOBox.hasBrand(["heic", "heix", "heim", "heis", "mif1"], $0) }
            )
        case .raw: (HALFTONE_JPEG, "image/x-dcraw", CameraRaw.isStart)
        case .pnm: (HALFTONE_STILL, "image/x-portable-anymap", StoredHeader.isPortable)
        case .photoshop: (HALFTONE_STILL, "image/vnd.adobe.photoshop", { $0.has("8BPS", at: 0) })
        case .jpeg2000:
            (
                HALFTONE_STILL, "image/jp2",
                {
                    $0.has("jP  \r\n", at: 4) || $0.bigEndian(0, length: 4) == 0xFF4F_FF51
                }
            )
        case .qoi: (HALFTONE_STILL, "image/qoi", { $0.has("qoif", at: 0) })
        case .icon:
            (
                HALFTONE_CONTAINER, "image/vnd.microsoft.icon",
                { $0.bigEndian(0, length: 4) == 0x100 }
            )
        case .targa: (HALFTONE_STILL, "image/x-tga", StoredHeader.isTarga)
        case .video: (HALFTONE_CONTAINER, "video/mp4", StoredHeader.isVideo)
        // Recognized by its first tag, wherever that is.
        case .svg: (HALFTONE_SVG, "image/svg+xml", { _ in false })
        case .pdf:
            (
                HALFTONE_PDF, "application/pdf",
                { start in
                    start.indices.contains { start.has("%PDF-", at: $0) }
                }
            )
        }
    }

    /// The file name extension.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .raw: "dng"
        case .svg: "svg"
        case .pnm: "pnm"
        case .photoshop: "psd"
        case .icon: "ico"
        case .targa: "tga"
        default: mediaType.atLastSlash.name
        }
    }

    /// Whether it is drawn at any size, by a library that cannot be interrupted and reads fonts.
    public var isDrawn: Bool { [.svg, .pdf].contains(self) }

    /// Whether a local file is read where it is decoded, of which its decoder needs only parts.
    public var isReadInPlace: Bool { [.video, .pdf].contains(self) }

    /// Whether animated files can be played; otherwise only the first frame is shown.
    public var canPlay: Bool { [.gif, .webp, .png].contains(self) }

    /// Whether files of this format can be decoded here; readable from any thread.
    ///
    /// Some formats have libraries that are not installed everywhere. Reading this for one of those loads it, which takes milliseconds.
    public var isReadable: Bool { halftone_can_decode(cFormat) }

    /// Whether the library is only loaded for the first such file.
    public var hasLateLibrary: Bool { library != nil }

    /// The file name of the library that is loaded for the first such file; nil if it is not built in.
    private var library: String? { halftone_library_name(cFormat).map { String(cString: $0) } }

    /// Debian's package of that library, named as its policy (8.1) says.
    var package: String? {
        guard let parts = library?.split(separator: ".", maxSplits: 2), parts.count == 3 else {
            return nil
        }
        return "\(parts[0])\(parts[0].last?.isNumber == true ? "-" : "")\(parts[2])"
    }

    /// The media types of all formats that can be decoded here, as far as known without loading a library; readable from any thread.
    public static var readableMediaTypes: [String] {
        // No server should take the trouble of sending the others.
        allCases.filter { !$0.isReadWhileDecoding && halftone_may_decode($0.cFormat) }
            .map(\.mediaType)
    }

    /// Whether the library reads the header, and checks the size, while it decodes.
    var isReadWhileDecoding: Bool {
        [HALFTONE_STILL, HALFTONE_CONTAINER, HALFTONE_PDF].contains(cFormat) && self != .bmp
    }

    /// Whether the whole picture is always held before the first row is complete; others are checked while they are decoded.
    var isHeldWhole: Bool { [.gif, .bmp, .avif, .jpegXL, .svg].contains(self) }

    /// The format's constant in the C decoders.
    var cFormat: halftone_format { row.decoder }

    /// The media type.
    public var mediaType: String { row.mediaType }
}
