/// Pixels in sRGB with straight (not premultiplied) alpha, 4 bytes each: red, green, blue, alpha.
public struct PixelBuffer: Hashable, Sendable {
    /// The extent, in pixels.
    public let size: PixelSize
    /// `size.height` rows of `size.width` pixels of 4 bytes, without padding.
    public var bytes: [UInt8]
    /// Whether every alpha is 255, so that compositing can be left out.
    public let isOpaque: Bool

    /// Wraps `bytes`, which must hold exactly `size.width * size.height * 4` of them.
    public init(size: PixelSize, bytes: [UInt8], isOpaque: Bool) {
        precondition(
            bytes.count == size.width * size.height * 4, "4 bytes a pixel, rows without padding")
        self.size = size
        self.bytes = bytes
        self.isOpaque = isOpaque
    }
}
