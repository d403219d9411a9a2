import Raster

/// A picture as indices into a palette of at most 256 colours.
struct IndexedPixels {
    let palette: [RGBA]
    let indices: [UInt8]

    /// Keeps the colours if there are at most 256, otherwise quantizes them to 255 and a transparent one.
    init(_ pixels: PixelBuffer) {
        let colors = pixels.colors
        if let exact = Self.exact(colors) {
            self = exact
        } else {
            self.init(cutting: colors)
        }
    }

    private init(palette: [RGBA], indices: [UInt8]) {
        self.palette = palette
        self.indices = indices
    }

    /// Indexes the exact colours; returns nil if there are more than 256.
    private static func exact(_ colors: [RGBA]) -> IndexedPixels? {
        var known: [RGBA: UInt8] = [:]
        var palette: [RGBA] = []
        var indices: [UInt8] = []
        indices.reserveCapacity(colors.count)
        for color in colors {
            if let index = known[color] {
                indices.append(index)
            } else if palette.count < 256 {
                known[color] = UInt8(palette.count)
                indices.append(UInt8(palette.count))
                palette.append(color)
            } else {
                return nil
            }
        }
        return IndexedPixels(palette: palette, indices: indices)
    }

    /// Quantizes the colours; the last index is used for transparent pixels (alpha under 128).
    private init(cutting colors: [RGBA]) {
        let cut = MedianCut(colors.filter { $0.alpha >= 128 }, count: 255)
        let clearIndex = UInt8(cut.palette.count)
        palette = cut.palette + [.clear]
        indices = colors.map { $0.alpha < 128 ? clearIndex : cut.index(of: $0) }
    }
}

/// A colour with straight alpha.
struct RGBA: Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    var alpha: UInt8

    static let clear = RGBA(red: 0, green: 0, blue: 0, alpha: 0)
}

extension PixelBuffer {
    /// The pixels in row-major order.
    var colors: [RGBA] {
        stride(from: 0, to: bytes.count, by: 4).map { start in
            RGBA(
                red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2],
                alpha: bytes[start + 3])
        }
    }
}
