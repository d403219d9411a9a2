/// A palette as the search of cells asks it: how far the nearest of its colours is, and which one that is.
///
/// Distances are squared, in plain encoded sRGB: with a cell's two colours chosen together this is best by PSNR and after a
/// low-pass, which is what an eye sees from afar. Quadrants in 16 colours, diffused, mean of 20 pictures: sRGB 23.2 dB
/// low-passed and ΔE 7.8; luma and two opponents, lightness twice, 22.6 dB and 7.7; Oklab 20.4 dB and 10.5.
protocol InkPalette {
    func distance(to color: SIMD4<Float>) -> Float
    /// The index of the nearest colour; of equals the first.
    func index(nearest color: SIMD4<Float>) -> UInt8
    /// The index of the colour for an area that is drawn in one.
    func index(ofFlat color: SIMD4<Float>) -> UInt8
    func color(_ index: UInt8) -> SIMD4<Float>
    /// The nearest colour, and how far the next one is.
    func near(_ color: SIMD4<Float>) -> NearColors
}

extension InkPalette {
    func index(ofFlat color: SIMD4<Float>) -> UInt8 { index(nearest: color) }
}

/// What lies around a colour in a palette.
struct NearColors {
    var color: SIMD4<Float>
    /// No other colour is nearer than this.
    var second: Float
}

/// The 8 or 16 colours that a terminal's user may choose: all are tried.
struct SystemPalette: InkPalette {
    private let red: SIMD16<Float>
    private let green: SIMD16<Float>
    private let blue: SIMD16<Float>

    /// Takes the first `count` colours, at most 16.
    init(_ system: SystemColors, count: Int) {
        // A place without a colour is far from every one.
        var red = SIMD16<Float>(repeating: 1e6)
        var green = red
        var blue = red
        for (index, color) in system.colors.prefix(count).enumerated() {
            red[index] = Float(color.red)
            green[index] = Float(color.green)
            blue[index] = Float(color.blue)
        }
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    @inline(__always)
    func distance(to color: SIMD4<Float>) -> Float {
        let all = distances(to: color)
        let eight = all.lowHalf.replacing(with: all.highHalf, where: all.highHalf .< all.lowHalf)
        let four = eight.lowHalf.replacing(
            with: eight.highHalf, where: eight.highHalf .< eight.lowHalf)
        return min(min(four.x, four.y), min(four.z, four.w))
    }

    func index(nearest color: SIMD4<Float>) -> UInt8 { place(ofLeast: distances(to: color)) }

    /// By lightness and tint: by plain distance a coral banner would be grey.
    func index(ofFlat color: SIMD4<Float>) -> UInt8 {
        let red = self.red - color.x
        let green = self.green - color.y
        let blue = self.blue - color.z
        let lightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        let own = 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z
        let more = vividness(color.x - own, color.z - own)
        let redTint = red - lightness - more * (color.x - own)
        let blueTint = blue - lightness - more * (color.z - own)
        let tint = redTint * redTint + blueTint * blueTint
        return place(ofLeast: lightness * lightness + 1.5 * tint)
    }

    /// How much more vivid a flat colour is taken than it is.
    ///
    /// Palettes have greys and very vivid colours, and the green of a leaf would be one of the former. What is as vivid as theirs is
    /// taken as it is.
    private func vividness(_ redTint: Float, _ blueTint: Float) -> Float {
        let length = (redTint * redTint + blueTint * blueTint).squareRoot()
        return min(0.5, max(0, 160 / length - 1))
    }

    private func place(ofLeast distances: SIMD16<Float>) -> UInt8 {
        var best = 0
        for index in 1..<16 where distances[index] < distances[best] { best = index }
        return UInt8(best)
    }

    func near(_ color: SIMD4<Float>) -> NearColors {
        var all = distances(to: color)
        let nearest = index(nearest: color)
        all[Int(nearest)] = .infinity
        var second = all[0]
        for place in 1..<16 { second = min(second, all[place]) }
        return NearColors(color: self.color(nearest), second: second.squareRoot())
    }

    func color(_ index: UInt8) -> SIMD4<Float> {
        SIMD4(red[Int(index)], green[Int(index)], blue[Int(index)], 0)
    }

    @inline(__always)
    private func distances(to color: SIMD4<Float>) -> SIMD16<Float> {
        let red = self.red - color.x
        let green = self.green - color.y
        let blue = self.blue - color.z
        return red * red + green * green + blue * blue
    }
}

/// The colours of xterm's 256 that no theme changes: the cube of 6×6×6, and 24 greys.
///
/// The nearest of the cube is found channel by channel, the nearest of the greys by the channels' mean: exact, without 240
/// trials. A formula for the cube alone misses the greys, which lie 10 apart where the cube's lie 40.
struct XtermPalette: InkPalette {
    @inline(__always)
    func distance(to color: SIMD4<Float>) -> Float {
        min(square(color - inCube(color)), square(color - grey(step(color))))
    }

    func index(nearest color: SIMD4<Float>) -> UInt8 {
        let cube = inCube(color)
        let step = step(color)
        if square(color - grey(step)) < square(color - cube) { return 232 + UInt8(step) }
        return 16 + 36 * level(cube.x) + 6 * level(cube.y) + level(cube.z)
    }

    /// The second nearest is the nearest of the other kind, or a neighbour of the same kind.
    func near(_ color: SIMD4<Float>) -> NearColors {
        let cube = inCube(color)
        let grey = grey(step(color))
        let (toCube, toGrey) = (square(color - cube), square(color - grey))
        if toGrey < toCube {
            // Other greys differ in the mean alone: (10 − off)² instead of off², in three channels.
            let off = abs((color.x + color.y + color.z) / 3 - grey.x)
            let next = max(toGrey + 3 * 10 * (10 - 2 * off), 0)
            return NearColors(color: grey, second: min(toCube, next).squareRoot())
        }
        // One level further up or down: (gap ∓ off)² instead of off². Beyond 0 and 255 the guess is too near, which does no harm.
        let off = color - cube
        var up = SIMD4<Float>(repeating: 40)
        up.replace(with: 95, where: cube .== 0)
        var down = SIMD4<Float>(repeating: 40)
        down.replace(with: 95, where: cube .== 95)
        var step = up * (up - 2 * off)
        let other = down * (down + 2 * off)
        step.replace(with: other, where: other .< step)
        let second = min(toGrey, max(toCube + min(step.x, step.y, step.z), 0))
        return NearColors(color: cube, second: second.squareRoot())
    }

    func color(_ index: UInt8) -> SIMD4<Float> {
        guard index < 232 else { return grey(Float(index - 232)) }
        let place = index - 16
        return SIMD4(value(place / 36), value(place / 6 % 6), value(place % 6), 0)
    }

    /// The nearest of the levels 0, 95, 135, 175, 215, 255 in each channel: the limits lie half-way between them.
    @inline(__always)
    private func inCube(_ color: SIMD4<Float>) -> SIMD4<Float> {
        var levels = SIMD4<Float>.zero
        levels.replace(with: 95, where: color .> 47.5)
        levels.replace(with: 135, where: color .> 115)
        levels.replace(with: 175, where: color .> 155)
        levels.replace(with: 215, where: color .> 195)
        levels.replace(with: 255, where: color .> 235)
        return levels
    }

    /// The distance to a grey is least at the channels' mean.
    @inline(__always)
    private func step(_ color: SIMD4<Float>) -> Float {
        let mean = (color.x + color.y + color.z) * (1 / 3)
        return min(max(((mean - 8) * 0.1 + 0.5).rounded(.down), 0), 23)
    }

    @inline(__always)
    private func grey(_ step: Float) -> SIMD4<Float> {
        let level = 8 + 10 * step
        return SIMD4(level, level, level, 0)
    }

    private func level(_ value: Float) -> UInt8 { value < 95 ? 0 : UInt8((value - 55) / 40) }

    private func value(_ level: UInt8) -> Float { level == 0 ? 0 : Float(level) * 40 + 55 }

    @inline(__always)
    private func square(_ difference: SIMD4<Float>) -> Float {
        let squares = difference * difference
        return squares.x + squares.y + squares.z
    }
}

extension SIMD4<Float> {
    /// The codes of a colour, as numbers; the last is 0.
    init(_ color: RGB) { self.init(Float(color.red), Float(color.green), Float(color.blue), 0) }
}
