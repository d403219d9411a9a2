@testable import Raster

/// A reproducible random number generator (with Knuth's constants for 64 bits).
struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // The low bits of such a generator have short periods.
        return state ^ state >> 32
    }

    mutating func color() -> RGB {
        RGB(UInt32.random(in: 0...0xFFFFFF, using: &self))
    }
}

extension PixelBuffer {
    /// Creates an opaque picture from colours by column and row.
    init(_ width: Int, _ height: Int, _ color: (Int, Int) -> RGB) {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let color = color(x, y)
                bytes += [color.red, color.green, color.blue, 255]
            }
        }
        self.init(size: PixelSize(width: width, height: height), bytes: bytes, isOpaque: true)
    }

    /// Creates an opaque picture from rows of `0xRRGGBB`.
    init(rows: [[UInt32]]) {
        self.init(rows.first?.count ?? 0, rows.count) { RGB(rows[$1][$0]) }
    }

    static func random(_ width: Int, _ height: Int, seed: UInt64) -> PixelBuffer {
        var chance = Chance(seed: seed)
        return PixelBuffer(width, height) { _, _ in chance.color() }
    }

    func color(_ x: Int, _ y: Int) -> RGB {
        let start = (y * size.width + x) * 4
        return RGB(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
    }

    func alpha(_ x: Int, _ y: Int) -> UInt8 {
        bytes[(y * size.width + x) * 4 + 3]
    }

    /// Returns the picture with the alpha of each pixel replaced.
    func withAlpha(_ alpha: (Int, Int) -> UInt8) -> PixelBuffer {
        var bytes = self.bytes
        for y in 0..<size.height {
            for x in 0..<size.width {
                bytes[(y * size.width + x) * 4 + 3] = alpha(x, y)
            }
        }
        return PixelBuffer(size: size, bytes: bytes, isOpaque: false)
    }

    /// Returns the picture, which has one pixel for each part of a cell, with each row repeated as often as `style` draws from.
    func rows(for style: RenderStyle) -> PixelBuffer {
        let rows = style.subpixels.height / style.blocks.subpixels.height
        return PixelBuffer(size.width, size.height * rows) { color($0, $1 / rows) }
    }

    var mirrored: PixelBuffer {
        PixelBuffer(size.width, size.height) { color(size.width - 1 - $0, $1) }
    }

    var flipped: PixelBuffer {
        PixelBuffer(size.width, size.height) { color($0, size.height - 1 - $1) }
    }
}
