import CImageCodecs
public import Raster

extension PixelBuffer {
    /// The picture as a PNG file without alpha, encoded for speed since it is read only once; empty if memory runs out.
    public var pngFile: [UInt8] {
        // zlib adds five bytes per 16 KB of incompressible data.
        let capacity = size.count * 3 + size.height * 2 + bytes.count / 1000 + 1024
        return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            count = halftone_write_png(
                bytes, Int32(size.width), Int32(size.height), output.baseAddress, capacity)
        }
    }

    /// Copies the RGBA `pixels` of a picture stored at `size`, turned upright.
    ///
    /// - Parameter mayBeClear: Whether alpha must be examined to find out if the picture is opaque.
    init(
        turning pixels: UnsafeRawPointer, size: PixelSize, _ orientation: Turn, mayBeClear: Bool
    ) {
        let count = size.count
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
