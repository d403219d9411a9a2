import CImageCodecs

extension ImageFormat {
    /// Whether files of it can be decoded here; any thread.
    ///
    /// Some formats have libraries that not everybody has. Asking for one of those loads it, which takes milliseconds.
    public var isReadable: Bool {
        switch self {
        case .jpeg, .png, .webp, .gif: true
        case .tiff: halftone_has_tiff()
        case .bmp: halftone_has_bmp()
        case .avif: halftone_has_avif()
        case .jpegXL: halftone_has_jxl()
        case .svg: halftone_has_svg()
        }
    }

    /// Whether files of it can be decoded here, as far as can be told without loading anything.
    private var isAtHand: Bool {
        switch self {
        case .jpeg, .png, .webp, .gif: true
        case .tiff: halftone_expects_tiff()
        case .bmp: halftone_has_bmp()
        case .avif: halftone_expects_avif()
        case .jpegXL: halftone_expects_jxl()
        case .svg: halftone_expects_svg()
        }
    }

    /// The media types of all formats that can be decoded here; any thread.
    public static var readableMediaTypes: [String] {
        allCases.filter(\.isAtHand).map(\.mediaType)
    }
}
