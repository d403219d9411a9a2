import CImageCodecs
public import Raster

extension PixelBuffer {
    /// The picture as a PNG file, its alpha left out: written for speed, to be read once; empty if memory is out.
    public var pngFile: [UInt8] {
        // zlib adds five bytes to each 16 KB that it cannot compress.
        let capacity = size.width * size.height * 3 + size.height * 2 + bytes.count / 1000 + 1024
        return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            count = halftone_write_png(
                bytes, Int32(size.width), Int32(size.height), output.baseAddress, capacity)
        }
    }
}
