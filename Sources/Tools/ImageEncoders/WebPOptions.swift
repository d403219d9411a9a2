import CImageEncoders
public import Raster

/// How a WebP is written.
public struct WebPOptions: Hashable, Sendable {
    /// 0…100; the effort instead where nothing is lost.
    public var quality: Double
    /// Whether to keep every pixel as it is.
    public var isLossless: Bool
    /// EXIF's orientation, 1…8; no EXIF if nil.
    ///
    /// The pixels are written as they are.
    public var orientation: Int?

    /// Makes options; the defaults suit photos.
    public init(quality: Double = 80, isLossless: Bool = false, orientation: Int? = nil) {
        self.quality = quality
        self.isLossless = isLossless
        self.orientation = orientation
    }
}

extension ImageEncoder {
    /// A WebP of `pixels`, with their alpha.
    public static func webp(
        _ pixels: PixelBuffer, _ options: WebPOptions = WebPOptions()
    ) throws(EncodeError) -> [UInt8] {
        let plain = try file { file in
            halftone_encode_webp(
                pixels.bytes, Int32(pixels.size.width), Int32(pixels.size.height),
                Float(options.quality), options.isLossless, &file)
        }
        guard let orientation = options.orientation else { return plain }
        var container = WebPContainer(size: pixels.size)
        container.hasAlpha = !pixels.isOpaque
        container.append(WebPContainer.pictureChunks(of: plain))
        container.appendEXIF(orientation: orientation)
        return container.file
    }

    /// An animated WebP: each of `frames` covers the canvas, which is the first one's size, for `delay` seconds.
    public static func webp(
        animating frames: [PixelBuffer], delay: Double = 0.1, _ options: WebPOptions = WebPOptions()
    ) throws(EncodeError) -> [UInt8] {
        guard let first = frames.first else { throw EncodeError("no frames") }
        var container = WebPContainer(size: first.size)
        container.hasAlpha = frames.contains { !$0.isOpaque }
        container.appendAnimation()
        var still = options
        still.orientation = nil
        for frame in frames {
            container.appendFrame(
                try webp(frame, still), size: frame.size, milliseconds: Int(delay * 1000))
        }
        return container.file
    }
}
