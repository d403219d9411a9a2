extension PixelBuffer {
    /// The picture over a plain background, opaque.
    ///
    /// Blended as light: here alpha is mostly how much of a shrunk pixel the picture covers, and covering and shrinking
    /// then give what they give the other way round (a logo's edges within 60 dB, against 32 blended as codes).
    public func composited(over background: RGB) -> PixelBuffer {
        guard !isOpaque else { return self }
        var bytes = self.bytes
        LinearLight.fromByte.withUnsafeBufferPointer { light in
            LinearLight.toByte.withUnsafeBufferPointer { codes in
                let ground = [background.red, background.green, background.blue].map {
                    UInt32(light[Int($0)])
                }
                bytes.withUnsafeMutableBufferPointer { bytes in
                    for start in stride(from: 0, to: bytes.count, by: 4) {
                        let alpha = UInt32(bytes[start &+ 3])
                        bytes[start &+ 3] = 255
                        guard alpha < 255 else { continue }
                        for channel in 0..<3 {
                            let top = UInt32(light[Int(bytes[start &+ channel])])
                            let mixed = top &* alpha &+ ground[channel] &* (255 &- alpha)
                            bytes[start &+ channel] = codes[Int((mixed &+ 127) / 255)]
                        }
                    }
                }
            }
        }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: true)
    }
}
