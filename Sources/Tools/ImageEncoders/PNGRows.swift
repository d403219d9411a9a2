import Raster

/// Pixels packed into the rows of a PNG.
struct PNGRows {
    var bitDepth: Int32 = 8
    var colorType: Int32
    var bytes: [UInt8]
    /// Red, green, blue and alpha of each entry; empty without a palette.
    var palette: [UInt8] = []

    init(_ pixels: PixelBuffer, _ kind: PNGOptions.Kind) {
        switch kind {
        case .rgba: self.init(colorType: 6, bytes: pixels.bytes)
        case .rgb: self.init(colorType: 2, bytes: pixels.mapPixels { [$0.red, $0.green, $0.blue] })
        case .gray: self.init(colorType: 0, bytes: pixels.mapPixels { [luma($0)] })
        case .grayAlpha: self.init(colorType: 4, bytes: pixels.mapPixels { [luma($0), $0.alpha] })
        case .bilevel: self.init(bitDepth: 1, colorType: 0, bytes: bilevel(pixels))
        case .rgba16:
            self.init(bitDepth: 16, colorType: 6, bytes: pixels.bytes.flatMap { [$0, $0] })
        case .gray16:
            self.init(
                bitDepth: 16, colorType: 0, bytes: pixels.mapPixels { [luma($0), luma($0)] })
        case .palette:
            let indexed = IndexedPixels(pixels)
            self.init(
                colorType: 3, bytes: indexed.indices,
                palette: indexed.palette.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] })
        }
    }

    private init(bitDepth: Int32 = 8, colorType: Int32, bytes: [UInt8], palette: [UInt8] = []) {
        self.bitDepth = bitDepth
        self.colorType = colorType
        self.bytes = bytes
        self.palette = palette
    }
}

extension PixelBuffer {
    fileprivate func mapPixels(_ convert: (RGBA) -> [UInt8]) -> [UInt8] {
        colors.flatMap(convert)
    }
}

/// Returns the luma of a pixel, with the weights of ITU-R BT.601 in 1/256 as in JPEG.
private func luma(_ color: RGBA) -> UInt8 {
    let (red, green) = (77 * Int(color.red), 150 * Int(color.green))
    return UInt8((red + green + 29 * Int(color.blue)) >> 8)
}

/// Packs eight pixels into a byte, the leftmost in the highest bit; white from half brightness on.
private func bilevel(_ pixels: PixelBuffer) -> [UInt8] {
    let grays = pixels.mapPixels { [luma($0)] }
    let width = pixels.size.width
    return (0..<pixels.size.height).flatMap { y in
        stride(from: 0, to: width, by: 8).map { x in
            (x..<min(x + 8, width)).reduce(UInt8(0)) { byte, x in
                grays[y * width + x] < 128 ? byte : byte | 0x80 >> UInt8(x % 8)
            }
        }
    }
}
