extension PixelBuffer {
    /// Returns whether each pixel is in an area of one colour, where errors from elsewhere would show up as specks;
    /// of `rows` rows the first is looked at.
    ///
    /// Such a pixel is a corner of a square whose four corners have the same colour. The square's side is a 40th of the picture's width, so
    /// that only very slow gradients qualify. Quadrants at 40×20 cells, SSIM in 256 colours of posters, pixel art and logos: 0.866, 0.948 and
    /// 0.965, against 0.832, 0.792 and 0.947 with every cell dithered.
    func flatAreas(every rows: Int) -> [Bool] {
        let width = size.width
        let height = size.height / rows
        let side = max(2, width / 40)
        var isFlat = Array(repeating: false, count: width * height)
        bytes.withUnsafeBytes { bytes in
            func color(_ x: Int, _ y: Int) -> UInt32 {
                bytes.loadUnaligned(
                    fromByteOffset: (y &* rows &* width &+ x) &* 4, as: UInt32.self)
            }
            for y in 0..<height {
                let above = max(y - side, 0)
                let below = min(y + side, height - 1)
                for x in 0..<width {
                    let here = color(x, y)
                    let left = max(x - side, 0)
                    let right = min(x + side, width - 1)
                    let isLeft = color(left, y) == here
                    let isRight = color(right, y) == here
                    func isCorner(to row: Int) -> Bool {
                        color(x, row) == here
                            && ((isLeft && color(left, row) == here)
                                || (isRight && color(right, row) == here))
                    }
                    isFlat[y &* width &+ x] = isCorner(to: above) || isCorner(to: below)
                }
            }
        }
        return isFlat
    }
}
