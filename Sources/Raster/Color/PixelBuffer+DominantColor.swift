extension PixelBuffer {
    /// The picture's dominant colour: the mean of its weightiest group of similar colours, not that of all.
    ///
    /// Bins of similar colours are joined, the heaviest first. Groups of vivid colours count up to three times their area, as they do to the
    /// eye. Transparent pixels are ignored; a picture without any others yields mid grey. Looks at some 1,024 pixels at most, so the cost is
    /// bounded for any size; meant for pictures that are already shrunk.
    public var dominantColor: RGB {
        var groups: [ColorHistogram.Bin] = []
        for bin in ColorHistogram(self).bins {
            if let group = groups.firstIndex(where: { $0.isShade(of: bin) }) {
                groups[group].sums &+= bin.sums
            } else {
                groups.append(bin)
            }
        }
        return groups.max { $0.score < $1.score }?.color ?? RGB(0x808080)
    }
}

extension ColorHistogram.Bin {
    /// Whether both are shades of one colour: lightness counts half.
    fileprivate func isShade(of other: Self) -> Bool {
        let off = ColorVector(color) - ColorVector(other.color)
        let half = off.brightness / 2
        return (off - SIMD4(half, half, half, 0)).squared < 60 * 60
    }

    /// The area, which counts up to three times if the colour is clear, even if not yet garish.
    fileprivate var score: Float {
        let code = ColorVector(color)
        let span = max(code.x, code.y, code.z) - min(code.x, code.y, code.z)
        return Float(weight) * (1 + 2 * min(span / 128, 1))
    }
}
