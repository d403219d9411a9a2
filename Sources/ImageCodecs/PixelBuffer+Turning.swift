import Raster

extension PixelBuffer {
    /// Copies the RGBA `pixels` of a picture stored at `size`, turned upright.
    ///
    /// - Parameter mayBeClear: Whether alpha must be looked at to know if the picture is opaque.
    init(
        turning pixels: UnsafeRawPointer, size: PixelSize, _ orientation: Orientation,
        mayBeClear: Bool
    ) {
        let upright = orientation.turned(size)
        let count = size.width * size.height
        var alphas: UInt32 = .max
        let bytes = [UInt8](unsafeUninitializedCapacity: count * 4) { target, filled in
            let target = UnsafeMutableRawBufferPointer(target)
            if orientation == .upright {
                target.copyMemory(from: UnsafeRawBufferPointer(start: pixels, count: count * 4))
            } else {
                Self.copy(pixels, upright, orientation.walk(over: size), to: target)
            }
            if mayBeClear {
                alphas = Self.commonBits(of: target)
            }
            filled = count * 4
        }
        let alphaMask = UInt32(bigEndian: 0x0000_00FF)
        self.init(size: upright, bytes: bytes, isOpaque: alphas & alphaMask == alphaMask)
    }

    private static func copy(
        _ pixels: UnsafeRawPointer, _ upright: PixelSize, _ walk: Orientation.Walk,
        to target: UnsafeMutableRawBufferPointer
    ) {
        var offset = 0
        for y in 0..<upright.height {
            var source = walk.start + y * walk.perRow
            for _ in 0..<upright.width {
                // Unaligned: the C library promises no more than bytes.
                let pixel = pixels.loadUnaligned(fromByteOffset: source * 4, as: UInt32.self)
                target.storeBytes(of: pixel, toByteOffset: offset, as: UInt32.self)
                source += walk.perColumn
                offset += 4
            }
        }
    }

    /// The bits that are set in every pixel.
    private static func commonBits(of target: UnsafeMutableRawBufferPointer) -> UInt32 {
        stride(from: 0, to: target.count, by: 4).reduce(UInt32.max) { bits, offset in
            bits & target.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        }
    }
}
