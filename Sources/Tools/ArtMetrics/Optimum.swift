public import Raster

/// The best drawing possible with two colours per cell: the one with the least squared error.
public enum Optimum {
    /// Returns the drawing nearest to `reference` in free colours; its size must be a whole number of cells of `blocks`.
    ///
    /// Every split is tried. Colours are the groups' means, rounded to code values, as a terminal takes them.
    public static func drawing(of reference: Canvas, in blocks: BlockSet) -> Canvas {
        drawing(of: reference, in: blocks, best)
    }

    /// Returns the drawing nearest to `reference` in the colours of `palette`, without dithering.
    ///
    /// Every pair of colours and every split is tried; for large palettes only pairs of colours among the 16 nearest to any part.
    public static func drawing(
        of reference: Canvas, in blocks: BlockSet, palette: [RGB]
    ) -> Canvas {
        let search = PaletteSearch(palette)
        return drawing(of: reference, in: blocks, search.best)
    }

    private static func drawing(
        of reference: Canvas, in blocks: BlockSet,
        _ best: ([SIMD3<Float>]) -> [SIMD3<Float>]
    ) -> Canvas {
        let part = blocks.measuredParts
        var canvas = reference
        for y in stride(from: 0, to: reference.size.height, by: part.height) {
            for x in stride(from: 0, to: reference.size.width, by: part.width) {
                let places = (0..<part.width * part.height).map {
                    (y + $0 / part.width) * reference.size.width + x + $0 % part.width
                }
                for (place, color) in zip(places, best(places.map { reference.pixels[$0] })) {
                    canvas.pixels[place] = color
                }
            }
        }
        return canvas
    }

    /// Returns the best colours for the pixels of one cell.
    static func best(_ pixels: [SIMD3<Float>]) -> [SIMD3<Float>] {
        let count = pixels.count
        let total = pixels.reduce(.zero, +)
        var best = (gain: Float(-1), mask: 0)
        for mask in 0..<(1 << (count - 1)) {
            var sum = SIMD3<Float>.zero
            for index in 0..<count where mask >> index & 1 == 1 { sum += pixels[index] }
            let rest = total - sum
            let lit = mask.nonzeroBitCount
            // A group of n pixels drawn in its mean saves |Σ|²/n of the squares.
            var gain = (rest * rest).sum() / Float(count - lit)
            if lit > 0 { gain += (sum * sum).sum() / Float(lit) }
            if gain > best.gain { best = (gain, mask) }
        }
        let means = [0, 1].map { side in
            let group = pixels.indices.filter { best.mask >> $0 & 1 == side }.map { pixels[$0] }
            let mean = group.reduce(.zero, +) / Float(max(group.count, 1))
            return (mean * 255).rounded(.toNearestOrAwayFromZero) / 255
        }
        return pixels.indices.map { means[best.mask >> $0 & 1] }
    }
}
