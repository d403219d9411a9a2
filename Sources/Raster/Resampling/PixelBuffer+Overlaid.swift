extension PixelBuffer {
    /// The picture on another of the same size, which must be opaque; mixed in linear light.
    public func composited(over ground: PixelBuffer) -> PixelBuffer {
        precondition(size == ground.size, "one picture covers the other")
        guard !isOpaque else { return self }
        var bytes = self.bytes
        let light = LinearLight.fromByte
        let codes = LinearLight.toByte
        for start in stride(from: 0, to: bytes.count, by: 4) {
            let alpha = UInt32(bytes[start + 3])
            guard alpha < 255 else { continue }
            bytes[start + 3] = 255
            for channel in start..<start + 3 {
                let top = UInt32(light[Int(bytes[channel])])
                let bottom = UInt32(light[Int(ground.bytes[channel])])
                let mixed = top * alpha + bottom * (255 - alpha)
                bytes[channel] = codes[Int((mixed + 127) / 255)]
            }
        }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: true)
    }
}
