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

    /// A plain picture.
    public init(filledWith color: RGB, alpha: UInt8 = 255, size: PixelSize) {
        let pixel = [color.red, color.green, color.blue, alpha]
        let bytes = [UInt8](unsafeUninitializedCapacity: size.width * size.height * 4) {
            buffer, count in
            for index in buffer.indices {
                buffer.initializeElement(at: index, to: pixel[index & 3])
            }
            count = buffer.count
        }
        self.init(size: size, bytes: bytes, isOpaque: alpha == 255)
    }

    /// The part `region` of the picture at another size, averaged in linear light, and as codes where that keeps thin dark
    /// things on light ground (`Surroundings`).
    ///
    /// Shrinking weighs every pixel by the share of it that is covered (a box filter, exact to the fraction); enlarging interpolates
    /// linearly; each axis by itself. Colours are weighted by their alpha, so a transparent pixel's colour never shows. The costs are one
    /// pass over the region. Sizes below one pixel are taken as one.
    ///
    /// Measured for shrinking against Lanczos with three lobes, both in linear light, 19 pictures on the grid of octants at
    /// 40×20 cells, PSNR / SSIM / mean CIEDE2000: 26.25 / 0.793 / 3.93, against 25.73 / 0.751 / 4.50 at twice the CPU; the
    /// mean with a mild sharpening (0.25) has 25.98 / 0.786 / 4.13.
    public func resampled(_ region: UnitRect = .whole, to size: PixelSize) -> PixelBuffer {
        let target = PixelSize(width: max(size.width, 1), height: max(size.height, 1))
        guard self.size.width > 0, self.size.height > 0 else {
            return PixelBuffer(filledWith: RGB(0), alpha: 0, size: target)
        }
        if region == .whole && target == self.size { return self }
        var resampler = Resampler(source: self, region: region, target: target)
        return resampler.run()
    }

    /// The picture over a plain background, opaque.
    ///
    /// Blended as light: here alpha is mostly how much of a shrunk pixel the picture covers, and covering and shrinking
    /// then give what they give the other way round (a logo's edges within 60 dB, against 32 blended as codes).
    public func composited(over background: RGB) -> PixelBuffer {
        composited(over: [background.red, background.green, background.blue, 255], step: 0)
    }

    /// The picture on another of the same size, which must be opaque; blended as light.
    public func composited(over ground: PixelBuffer) -> PixelBuffer {
        precondition(size == ground.size, "one picture covers the other")
        return composited(over: ground.bytes, step: 4)
    }

    /// - Parameter step: How far the ground's next pixel is from the one before, in bytes.
    private func composited(over ground: [UInt8], step: Int) -> PixelBuffer {
        guard !isOpaque else { return self }
        var bytes = self.bytes
        LinearLight.withTables { light, codes in
            ground.withUnsafeBufferPointer { ground in
                bytes.withUnsafeMutableBufferPointer { bytes in
                    var below = 0
                    for start in stride(from: 0, to: bytes.count, by: 4) {
                        defer { below &+= step }
                        let alpha = UInt32(bytes[start &+ 3])
                        guard alpha < 255 else { continue }
                        bytes[start &+ 3] = 255
                        for channel in 0..<3 {
                            let top = UInt32(light[Int(bytes[start &+ channel])])
                            let bottom = UInt32(light[Int(ground[below &+ channel])])
                            let mixed = top &* alpha &+ bottom &* (255 &- alpha)
                            bytes[start &+ channel] = codes[Int((mixed &+ 127) / 255)]
                        }
                    }
                }
            }
        }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: true)
    }
}
