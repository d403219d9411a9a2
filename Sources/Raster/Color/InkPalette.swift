/// A palette as the cell search sees it: the distance to its nearest colour, and that colour's index.
///
/// Distances are squared and measured between positions in the palette's own space, which `place(of:)` maps to.
protocol InkPalette {
    /// Returns the position of a colour, given its code values.
    func place(of code: ColorVector) -> ColorVector
    func distance(to place: ColorVector) -> Float
    /// Returns the index of the nearest colour; the first one on a tie.
    func index(nearest place: ColorVector) -> UInt8
    /// Returns the code values of a colour.
    func color(_ index: UInt8) -> ColorVector
    /// Returns the nearest colour's position and the distance of the next one.
    func near(_ place: ColorVector) -> NearColors
}

extension InkPalette {
    /// Returns the index of the colour nearest to `color`.
    func index(of color: RGB) -> UInt8 { index(nearest: place(of: ColorVector(color))) }
}

/// The neighbourhood of a position in a palette.
struct NearColors {
    var color: ColorVector
    /// A lower bound of the distance to any other colour.
    var second: Float
}

/// The 8 or 16 colours that the user can choose; all of them are tried.
///
/// In its space colours are more vivid than they are. Palettes so coarse have nothing near: by plain distance a mid grey is nearly as near to
/// red as to black, and a grey road turns into confetti.
struct SystemPalette: InkPalette {
    private let codes: [ColorVector]
    private var places = ColorLanes<SIMD16<Float>>([])

    /// Uses the first `count` colours, at most 16.
    init(_ system: SystemColors, count: Int) {
        codes = system.colors.prefix(count).map { ColorVector($0) }
        places = ColorLanes(codes.map(place))
    }

    /// Exaggerates dull tints most, or a leaf would be drawn as grey: palettes have greys and very vivid colours.
    @inline(__always)
    func place(of code: ColorVector) -> ColorVector {
        let mean = (code.x + code.y + code.z) * (1 / 3)
        let tint = code - SIMD4(mean, mean, mean, 0)
        let more = min(max(200 / (tint.squared + 1).squareRoot(), 1.3), 1.55)
        return code + (more - 1) * tint
    }

    @inline(__always)
    func distance(to place: ColorVector) -> Float {
        // Halves by hand: `min` costs a fifth of a drawing in octants.
        let all = places.distances(to: place)
        let eight = all.lowHalf.replacing(with: all.highHalf, where: all.highHalf .< all.lowHalf)
        let four = eight.lowHalf.replacing(
            with: eight.highHalf, where: eight.highHalf .< eight.lowHalf)
        return min(min(four.x, four.y), min(four.z, four.w))
    }

    func index(nearest place: ColorVector) -> UInt8 {
        let distances = places.distances(to: place)
        var best = 0
        for index in 1..<16 where distances[index] < distances[best] { best = index }
        return UInt8(best)
    }

    func near(_ place: ColorVector) -> NearColors {
        let nearest = index(nearest: place)
        var all = places.distances(to: place)
        all[Int(nearest)] = .infinity
        return NearColors(color: places[nearest], second: all.min().squareRoot())
    }

    func color(_ index: UInt8) -> ColorVector { codes[Int(index)] }
}

/// As many colours as a vector has lanes, one vector per channel; unused ones are far from every colour.
struct ColorLanes<Lanes: SIMD> where Lanes.Scalar == Float {
    private(set) var red = Lanes(repeating: 1e6)
    private(set) var green = Lanes(repeating: 1e6)
    private(set) var blue = Lanes(repeating: 1e6)

    init(_ colors: some Sequence<ColorVector>) {
        for (place, color) in colors.enumerated() {
            red[place] = color.x
            green[place] = color.y
            blue[place] = color.z
        }
    }

    subscript(index: UInt8) -> ColorVector {
        SIMD4(red[Int(index)], green[Int(index)], blue[Int(index)], 0)
    }

    @inline(__always)
    func distances(to color: ColorVector) -> Lanes {
        let red = red - color.x
        let green = green - color.y
        let blue = blue - color.z
        return red * red + green * green + blue * blue
    }
}

/// The part of xterm's 256 colours that no theme changes: the 6×6×6 cube and 24 greys.
///
/// The nearest cube colour is found channel by channel, the nearest grey from the mean of the channels; this is exact, without 240 trials.
/// A formula for the cube alone misses the greys, which lie 10 apart where the cube's levels lie 40 apart.
struct XtermPalette: InkPalette {
    @inline(__always)
    func place(of code: ColorVector) -> ColorVector { code }

    @inline(__always)
    func distance(to color: ColorVector) -> Float {
        min(square(color - inCube(color)), square(color - grey(step(color))))
    }

    func index(nearest color: ColorVector) -> UInt8 {
        let cube = inCube(color)
        let step = step(color)
        if square(color - grey(step)) < square(color - cube) { return 232 + UInt8(step) }
        return 16 + 36 * level(cube.x) + 6 * level(cube.y) + level(cube.z)
    }

    /// The second nearest colour is the nearest of the other kind, or a neighbour of the same kind.
    func near(_ color: ColorVector) -> NearColors {
        let cube = inCube(color)
        let grey = grey(step(color))
        let toCube = square(color - cube)
        let toGrey = square(color - grey)
        if toGrey < toCube {
            // Greys differ only in the mean: (10 − off)² instead of off², in three channels.
            let off = abs((color.x + color.y + color.z) / 3 - grey.x)
            let next = max(toGrey + 3 * 10 * (10 - 2 * off), 0)
            return NearColors(color: grey, second: min(toCube, next).squareRoot())
        }
        // One level up or down: (gap ∓ off)² instead of off². Beyond 0 and 255 this is an underestimate, which is harmless.
        let off = color - cube
        var up = ColorVector(repeating: 40)
        up.replace(with: 95, where: cube .== 0)
        var down = ColorVector(repeating: 40)
        down.replace(with: 95, where: cube .== 95)
        var step = up * (up - 2 * off)
        let other = down * (down + 2 * off)
        step.replace(with: other, where: other .< step)
        let second = min(toGrey, max(toCube + min(step.x, step.y, step.z), 0))
        return NearColors(color: cube, second: second.squareRoot())
    }

    func color(_ index: UInt8) -> ColorVector {
        guard index < 232 else { return grey(Float(index - 232)) }
        let place = index - 16
        return SIMD4(value(place / 36), value(place / 6 % 6), value(place % 6), 0)
    }

    /// Returns the nearest of the levels 0, 95, 135, 175, 215, 255 in each channel; the thresholds lie half-way between them.
    @inline(__always)
    private func inCube(_ color: ColorVector) -> ColorVector {
        var levels = ColorVector.zero
        levels.replace(with: 95, where: color .> 47.5)
        levels.replace(with: 135, where: color .> 115)
        levels.replace(with: 175, where: color .> 155)
        levels.replace(with: 215, where: color .> 195)
        levels.replace(with: 255, where: color .> 235)
        return levels
    }

    /// Returns the step of the nearest grey, which is the one nearest to the mean of the channels.
    @inline(__always)
    private func step(_ color: ColorVector) -> Float {
        let mean = (color.x + color.y + color.z) * (1 / 3)
        // From 2²³ on all numbers are whole; `rounded` is a call of a function on old processors.
        return min(max((mean - 8) * 0.1, 0), 23) + 0x1p23 - 0x1p23
    }

    @inline(__always)
    private func grey(_ step: Float) -> ColorVector {
        let level = 8 + 10 * step
        return SIMD4(level, level, level, 0)
    }

    private func level(_ value: Float) -> UInt8 { value < 95 ? 0 : UInt8((value - 55) / 40) }

    private func value(_ level: UInt8) -> Float { level == 0 ? 0 : Float(level) * 40 + 55 }

    @inline(__always)
    private func square(_ difference: ColorVector) -> Float {
        let squares = difference * difference
        return squares.x + squares.y + squares.z
    }
}

extension ColorVector {
    /// Creates a vector of the colour's code values; the last element is 0.
    init(_ color: RGB) { self.init(Float(color.red), Float(color.green), Float(color.blue), 0) }
}
