import Raster

extension Turn {
    /// Creates the turn that brings a picture with EXIF orientation `number` upright (EXIF 2.32, 4.6.4); nil unless it is 1…8.
    init?(orientation number: Int) {
        guard (1...8).contains(number) else { return nil }
        self.init(
            quarters: [0, 0, 2, 2, 3, 1, 1, 3][number - 1],
            isMirrored: [2, 4, 5, 7].contains(number))
    }

    /// Reads the orientation of an EXIF block; nil if it has none or is broken.
    init?(exif block: ByteReader) {
        guard let number = TagDirectory(exif: block)?.number(of: 0x0112) else { return nil }
        self.init(orientation: number)
    }
}

extension PixelBuffer {
    /// Copies the RGBA `pixels` of a picture stored at `size`, turned upright.
    ///
    /// - Parameter mayBeClear: Whether alpha must be examined to find out if the picture is opaque.
    init(
        turning pixels: UnsafeRawPointer, size: PixelSize, _ orientation: Turn, mayBeClear: Bool
    ) {
        let count = size.width * size.height
        // The AND of all pixels.
        var alphas: UInt32 = .max
        let bytes = [UInt8](unsafeUninitializedCapacity: count * 4) { target, filled in
            let target = UnsafeMutableRawBufferPointer(target)
            orientation.copy(pixels, of: size, to: target)
            if mayBeClear {
                alphas = stride(from: 0, to: target.count, by: 4).reduce(UInt32.max) {
                    bits, offset in
                    bits & target.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                }
            }
            filled = count * 4
        }
        let alphaMask = UInt32(bigEndian: 0x0000_00FF)
        self.init(
            size: orientation.turned(size), bytes: bytes, isOpaque: alphas & alphaMask == alphaMask)
    }
}
