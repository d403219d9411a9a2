import CImageEncoders
public import Raster

/// The settings of the WebP encoder.
public struct WebPOptions: Hashable, Sendable {
    /// The quality, 0…100; for lossless files the effort.
    public var quality: Double
    /// Whether to encode losslessly.
    public var isLossless: Bool
    /// The EXIF orientation, 1…8; no EXIF if nil.
    ///
    /// The pixels are written as they are.
    public var orientation: Int?

    /// Creates options; the defaults suit photographs.
    public init(quality: Double = 80, isLossless: Bool = false, orientation: Int? = nil) {
        self.quality = quality
        self.isLossless = isLossless
        self.orientation = orientation
    }
}

extension ImageEncoder {
    /// Encodes a WebP of `pixels`, with alpha.
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

    /// Encodes an animated WebP: each of `frames` covers the canvas, which has the first one's size, for `delay` seconds.
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
