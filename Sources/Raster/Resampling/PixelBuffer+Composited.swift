extension PixelBuffer {
    /// The picture over a plain background, opaque.
    ///
    /// Blended in encoded sRGB, as browsers do, so that a logo looks as its page shows it.
    public func composited(over background: RGB) -> PixelBuffer {
        guard !isOpaque else { return self }
        var bytes = self.bytes
        bytes.withUnsafeMutableBufferPointer { bytes in
            for start in stride(from: 0, to: bytes.count, by: 4) {
                let alpha = UInt32(bytes[start &+ 3])
                bytes[start] = blend(bytes[start], background.red, alpha)
                bytes[start &+ 1] = blend(bytes[start &+ 1], background.green, alpha)
                bytes[start &+ 2] = blend(bytes[start &+ 2], background.blue, alpha)
                bytes[start &+ 3] = 255
            }
        }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: true)
    }
}

private func blend(_ top: UInt8, _ bottom: UInt8, _ alpha: UInt32) -> UInt8 {
    UInt8(
        truncatingIfNeeded: (UInt32(top) &* alpha &+ UInt32(bottom) &* (255 &- alpha) &+ 127) / 255)
}
