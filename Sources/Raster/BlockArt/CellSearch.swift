/// The best match for one cell: a glyph and two colours.
struct CellMatch<Color> {
    /// The glyph's index in its set; 0 is the space, which shows only paper.
    var glyph: Int
    var ink: Color
    var paper: Color
}

/// Finds the glyph and the two colours with the least squared error over a cell, by an exhaustive search of the glyphs.
///
/// If a glyph covers the share wᵢ of part i, the best ink is the mean of the parts weighted by w, and the best paper their mean weighted by
/// 1 − w. With the parts centred on their mean, the error saved compared with a plain cell is |Σ wᵢ·pᵢ|² · k / (Σ w · Σ (1 − w)): one
/// product of the set's matrix with the parts, eight glyphs at a time. For blocks, where w is 0 or 1, this tries every split of the parts
/// into two groups, each drawn in its mean.
///
/// Owns its tables and scratch memory: use one instance per picture, on one thread.
final class CellSearch {
    /// The colours of a cell's parts in row-major order; the search leaves them centred on their mean.
    typealias Parts = UnsafeMutableBufferPointer<ColorVector>
    private typealias Lanes = UnsafeMutablePointer<FloatVector>

    let set: GlyphSet
    private let count: Int
    private let glyphs: Int
    private let lanes: Int
    private let ink: Lanes
    private let area: Lanes
    /// Per glyph: the factor from the squared colour sum under the ink to the error saved.
    private let worth: Lanes
    /// Per glyph: one over the number of parts that are ink, and that are paper.
    private let perInk: Lanes
    private let perPaper: Lanes
    /// Per glyph: the sums of the colours under its ink, and a lower bound of its error.
    private let red: Lanes
    private let green: Lanes
    private let blue: Lanes
    private let bounds: Lanes

    init(_ set: GlyphSet) {
        self.set = set
        count = set.partCount
        glyphs = set.triedCount + (set.hasEighths ? 8 : 0)
        lanes = set.area.count
        let size = set.ink.count + 8 * lanes
        ink = Lanes.allocate(capacity: size)
        ink.initialize(repeating: .zero, count: size)
        area = ink + set.ink.count
        worth = area + lanes
        perInk = worth + lanes
        perPaper = perInk + lanes
        red = perPaper + lanes
        green = red + lanes
        blue = green + lanes
        bounds = blue + lanes
        for index in set.ink.indices { ink[index] = set.ink[index] }
        for lane in 0..<lanes {
            let inked = set.area[lane]
            let bare = Float(count) - inked
            area[lane] = inked
            perInk[lane] = 1 / inked
            perPaper[lane] = 1 / bare
            // Infinite without ink: such a gain is no number, and so never greater than another.
            worth[lane] = Float(count) / (inked * bare)
        }
    }

    deinit { ink.deallocate() }

    /// Returns the share of a cell that a glyph's ink covers.
    func area(of glyph: Int) -> Float { value(area, glyph) / Float(count) }

    func match(_ parts: Parts) -> CellMatch<ColorVector> {
        let mean = centre(parts)
        let glyph = bestGlyph(parts)
        guard glyph > 0 else { return CellMatch(glyph: 0, ink: mean, paper: mean) }
        let sum = sum(under: glyph)
        return CellMatch(
            glyph: glyph, ink: mean + sum * value(perInk, glyph),
            paper: mean - sum * value(perPaper, glyph))
    }

    /// Returns the best match for `parts` in colours of `palette`.
    ///
    /// In a group of weight n, replacing the mean m by a colour c adds n·|m − c|², so the colour nearest to the mean is the best one. A
    /// glyph is only tried if its lower bound allows it to win.
    func match<Palette: InkPalette>(_ parts: Parts, in palette: Palette) -> CellMatch<UInt8> {
        let mean = centre(parts)
        let isPlain = parts.allSatisfy { $0 == .zero }
        let near = palette.near(mean)
        let off = mean - near.color
        var least = off.squared * Float(count)
        var best = 0
        if !isPlain {
            improve(
                by: bestGlyph(parts), mean: mean, palette: palette, leastError: &least, best: &best)
            bound(off, near.second)
            for glyph in 1..<glyphs where value(bounds, glyph) < least {
                improve(
                    by: glyph, mean: mean, palette: palette, leastError: &least, best: &best)
            }
        }
        guard best > 0 else {
            let index = palette.index(nearest: mean)
            return CellMatch(glyph: 0, ink: index, paper: index)
        }
        let sum = sum(under: best)
        return CellMatch(
            glyph: best, ink: palette.index(nearest: mean + sum * value(perInk, best)),
            paper: palette.index(nearest: mean - sum * value(perPaper, best)))
    }

    @inline(__always)
    private func improve<Palette: InkPalette>(
        by glyph: Int, mean: ColorVector, palette: Palette, leastError least: inout Float,
        best: inout Int
    ) {
        guard glyph > 0 else { return }
        let sum = sum(under: glyph)
        let covered = value(area, glyph)
        var error =
            covered * palette.distance(to: mean + sum * value(perInk, glyph))
            - sum.squared * value(worth, glyph)
        guard error < least else { return }
        error +=
            (Float(count) - covered)
            * palette.distance(to: mean - sum * value(perPaper, glyph))
        guard error < least else { return }
        least = error
        best = glyph
    }

    /// Returns the glyph that saves the most error with mean colours; 0 if none saves any.
    ///
    /// Also stores the colour sums of all glyphs.
    @inline(__always)
    private func bestGlyph(_ parts: Parts) -> Int {
        var best = FloatVector.zero
        var found = SIMD8<Int32>.zero
        var ink = ink
        for lane in 0..<lanes {
            var red = FloatVector.zero
            var green = FloatVector.zero
            var blue = FloatVector.zero
            if lane &* 8 == set.triedCount {
                for eighths in 1...7 {
                    let sum = parts[count &+ eighths &- 1]
                    red[eighths] = sum.x
                    green[eighths] = sum.y
                    blue[eighths] = sum.z
                }
            } else {
                for part in 0..<count {
                    let share = ink[part]
                    let color = parts[part]
                    red += share * color.x
                    green += share * color.y
                    blue += share * color.z
                }
                ink += count
            }
            self.red[lane] = red
            self.green[lane] = green
            self.blue[lane] = blue
            let gain = (red * red + green * green + blue * blue) * worth[lane]
            let isBetter = gain .> best
            best.replace(with: gain, where: isBetter)
            found.replace(with: Int32(truncatingIfNeeded: lane), where: isBetter)
        }
        let glyphs = found &* 8 &+ SIMD8(0, 1, 2, 3, 4, 5, 6, 7)
        var four = (gain: best.lowHalf, glyph: glyphs.lowHalf)
        let isHigher = best.highHalf .> four.gain
        four.gain.replace(with: best.highHalf, where: isHigher)
        four.glyph.replace(with: glyphs.highHalf, where: isHigher)
        var glyph = 0
        var most = Float.zero
        for place in 0..<4 where four.gain[place] > most {
            glyph = Int(four.glyph[place])
            most = four.gain[place]
        }
        return glyph
    }

    /// Computes a lower bound of each glyph's error.
    ///
    /// A group whose mean is at distance r from the cell's mean either keeps the cell's nearest colour, or gets one whose distance is at
    /// least that of the second nearest minus r.
    @inline(__always)
    private func bound(_ off: ColorVector, _ second: Float) {
        let distance = off.squared
        for lane in 0..<lanes {
            let red = red[lane]
            let green = green[lane]
            let blue = blue[lane]
            let length = red * red + green * green + blue * blue
            let along = 2 * (red * off.x + green * off.y + blue * off.z)
            let moved = length.squareRoot()
            let ink = perInk[lane]
            let paper = perPaper[lane]
            var inkError = distance + (along + length * ink) * ink
            var paperError = distance + (length * paper - along) * paper
            lower(&inkError, to: second - moved * ink)
            lower(&paperError, to: second - moved * paper)
            bounds[lane] =
                area[lane] * inkError - length * worth[lane]
                + (Float(count) - area[lane]) * paperError
        }
    }

    /// Lowers `error` to the square of `distance` if that is less; negative distances count as 0.
    @inline(__always)
    private func lower(_ error: inout FloatVector, to distance: FloatVector) {
        var other = distance * distance
        other.replace(with: 0, where: distance .< 0)
        error.replace(with: other, where: other .< error)
    }

    /// Subtracts the mean of all parts from each of them, and returns it.
    @inline(__always)
    private func centre(_ parts: Parts) -> ColorVector {
        var sum = ColorVector.zero
        for part in 0..<count { sum += parts[part] }
        let mean = sum / Float(count)
        for part in 0..<count { parts[part] -= mean }
        return mean
    }

    @inline(__always)
    private func sum(under glyph: Int) -> ColorVector {
        SIMD4(value(red, glyph), value(green, glyph), value(blue, glyph), 0)
    }

    @inline(__always)
    private func value(_ lanes: Lanes, _ glyph: Int) -> Float {
        UnsafeRawPointer(lanes).load(fromByteOffset: glyph &* 4, as: Float.self)
    }
}
