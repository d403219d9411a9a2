import Raster

/// A colour with straight alpha.
struct RGBA: Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    var alpha: UInt8

    static let clear = RGBA(red: 0, green: 0, blue: 0, alpha: 0)
}

extension PixelBuffer {
    /// The pixels, row by row.
    var colors: [RGBA] {
        stride(from: 0, to: bytes.count, by: 4).map { start in
            RGBA(
                red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2],
                alpha: bytes[start + 3])
        }
    }
}
