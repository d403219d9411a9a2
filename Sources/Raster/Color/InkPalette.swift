/// A palette as the search of cells asks it: how far the nearest of its colours is, and which one that is.
///
/// Distances are squared, and between places in a space of the palette's own, to which `place` leads.
protocol InkPalette {
    /// Where a colour lies that is to have so much more light than its codes.
    func place(of code: SIMD4<Float>, owed light: SIMD4<Float>) -> SIMD4<Float>
    func distance(to place: SIMD4<Float>) -> Float
    /// The index of the nearest colour; of equals the first.
    func index(nearest place: SIMD4<Float>) -> UInt8
    /// The index of the colour for an area that is drawn in one, by its codes.
    func index(ofFlat code: SIMD4<Float>) -> UInt8
    /// The codes of a colour.
    func color(_ index: UInt8) -> SIMD4<Float>
    /// The nearest colour's place, and how far the next one is.
    func near(_ place: SIMD4<Float>) -> NearColors
}

extension InkPalette {
    func index(ofFlat code: SIMD4<Float>) -> UInt8 { index(nearest: code) }
}

/// What lies around a place in a palette.
struct NearColors {
    var color: SIMD4<Float>
    /// No other colour is nearer than this.
    var second: Float
}

/// The 8 or 16 colours that a terminal's user may choose: all are tried, on a `LightScale`.
struct SystemPalette: InkPalette {
    private let codes: Colors
    private let places: Colors
    private let scale: LightScale

    /// Takes the first `count` colours, at most 16.
    init(_ system: SystemColors, count: Int, scale: LightScale) {
        let colors = system.colors.prefix(count).map { SIMD4<Float>($0) }
        codes = Colors(colors)
        places = Colors(colors.map { scale.place(of: $0, owed: .zero) })
        self.scale = scale
    }

    @inline(__always)
    func place(of code: SIMD4<Float>, owed light: SIMD4<Float>) -> SIMD4<Float> {
        scale.place(of: code, owed: light)
    }

    @inline(__always)
    func distance(to place: SIMD4<Float>) -> Float {
        let all = places.distances(to: place)
        let eight = all.lowHalf.replacing(with: all.highHalf, where: all.highHalf .< all.lowHalf)
        let four = eight.lowHalf.replacing(
            with: eight.highHalf, where: eight.highHalf .< eight.lowHalf)
        return min(min(four.x, four.y), min(four.z, four.w))
    }

    func index(nearest place: SIMD4<Float>) -> UInt8 {
        Colors.place(ofLeast: places.distances(to: place))
    }

    /// By lightness and tint, where that is at most twice as far off: by plain distance a coral banner would be grey.
    func index(ofFlat color: SIMD4<Float>) -> UInt8 {
        let red = codes.red - color.x
        let green = codes.green - color.y
        let blue = codes.blue - color.z
        let lightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        let own = 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z
        let more = vividness(color.x - own, color.z - own)
        let redTint = red - lightness - more * (color.x - own)
        let blueTint = blue - lightness - more * (color.z - own)
        let tint = redTint * redTint + blueTint * blueTint
        let alike = Colors.place(ofLeast: lightness * lightness + 1.5 * tint)
        let distances = codes.distances(to: color)
        let nearest = Colors.place(ofLeast: distances)
        return distances[Int(alike)] > 2.1 * distances[Int(nearest)] ? nearest : alike
    }

    /// How much more vivid a flat colour is taken than it is.
    ///
    /// Palettes have greys and very vivid colours, and the green of a leaf would be one of the former. What is as vivid as theirs is
    /// taken as it is.
    private func vividness(_ redTint: Float, _ blueTint: Float) -> Float {
        let length = (redTint * redTint + blueTint * blueTint).squareRoot()
        return min(0.5, max(0, 160 / length - 1))
    }

    func near(_ place: SIMD4<Float>) -> NearColors {
        var all = places.distances(to: place)
        let nearest = Colors.place(ofLeast: all)
        all[Int(nearest)] = .infinity
        var second = all[0]
        for place in 1..<16 { second = min(second, all[place]) }
        return NearColors(color: places[nearest], second: second.squareRoot())
    }

    func color(_ index: UInt8) -> SIMD4<Float> { codes[index] }

    /// Sixteen colours by channel.
    private struct Colors {
        // A place without a colour is far from every one.
        var red = SIMD16<Float>(repeating: 1e6)
        var green = SIMD16<Float>(repeating: 1e6)
        var blue = SIMD16<Float>(repeating: 1e6)

        init(_ colors: [SIMD4<Float>]) {
            for (index, color) in colors.enumerated() {
                red[index] = color.x
                green[index] = color.y
                blue[index] = color.z
            }
        }

        subscript(index: UInt8) -> SIMD4<Float> {
            SIMD4(red[Int(index)], green[Int(index)], blue[Int(index)], 0)
        }

        @inline(__always)
        func distances(to color: SIMD4<Float>) -> SIMD16<Float> {
            let red = self.red - color.x
            let green = self.green - color.y
            let blue = self.blue - color.z
            return red * red + green * green + blue * blue
        }

        static func place(ofLeast distances: SIMD16<Float>) -> UInt8 {
            var best = 0
            for index in 1..<16 where distances[index] < distances[best] { best = index }
            return UInt8(best)
        }
    }
}

/// The colours of xterm's 256 that no theme changes: the cube of 6×6×6, and 24 greys.
///
/// The nearest of the cube is found channel by channel, the nearest of the greys by the channels' mean: exact, without 240
/// trials. A formula for the cube alone misses the greys, which lie 10 apart where the cube's lie 40.
struct XtermPalette: InkPalette {
    private let curve = LightCurve()

    @inline(__always)
    func place(of code: SIMD4<Float>, owed light: SIMD4<Float>) -> SIMD4<Float> {
        curve.code(curve.light(code) + light)
    }

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
