import CImageCodecs
public import Raster

extension PixelBuffer {
    /// The picture as a PNG file without alpha, encoded for speed since it is read only once; empty if memory runs out.
    public var pngFile: [UInt8] {
        // zlib adds five bytes per 16 KB of incompressible data.
        let capacity = size.width * size.height * 3 + size.height * 2 + bytes.count / 1000 + 1024
        return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            count = halftone_write_png(
                bytes, Int32(size.width), Int32(size.height), output.baseAddress, capacity)
        }
    }
}
