public import Raster

/// What a picture file says about itself before any pixel is decoded.
///
/// Read by bounds-checked code of our own, so that it is safe on any bytes; the beginning of a file is enough for most.
public struct ImageHeader: Hashable, Sendable {
    /// The format.
    public let format: ImageFormat
    /// The upright size, in pixels; each side is 1 at least.
    public let size: PixelSize
    /// How many frames an animation has, as far as the bytes tell; 1 for a still picture.
    public let frameCount: Int
    /// Whether there are further frames.
    public var isAnimated: Bool { frameCount > 1 }
    /// EXIF's orientation, 1…8; 1 where the file has none.
    public var exifOrientation: Int { orientation.rawValue }

    let orientation: Orientation
    /// Whether all of it must be held before the first row can be shown whole: interlaced PNG and GIF, and what its
    /// library decodes at once.
    let isInterlaced: Bool

    /// Reads the header of `bytes`; nil if they are no picture or end before its size.
    public init?(of bytes: [UInt8]) {
        guard let format = ImageFormat(sniffing: bytes) else { return nil }
        let reader = ByteReader(bytes[...])
        let found: StoredHeader? =
            switch format {
            case .jpeg: StoredHeader(jpeg: reader)
            case .png: StoredHeader(png: reader)
            case .webp: StoredHeader(webp: reader)
            case .gif: StoredHeader(gif: reader)
            case .tiff: StoredHeader(tiff: reader)
            case .bmp: StoredHeader(bmp: reader)
            case .avif: StoredHeader(avif: reader)
            case .jpegXL: StoredHeader(jpegXL: reader)
            case .svg: StoredHeader(svg: bytes)
            }
        guard let found, found.width > 0, found.height > 0 else { return nil }
        self.format = format
        orientation = found.orientation
        size = orientation.turned(PixelSize(width: found.width, height: found.height))
        frameCount = max(1, found.frameCount)
        isInterlaced = found.isInterlaced
    }
}

/// A header as its format has it.
struct StoredHeader {
    var width: Int
    var height: Int
    var orientation = Orientation.upright
    var frameCount = 0
    var isInterlaced = false
}
