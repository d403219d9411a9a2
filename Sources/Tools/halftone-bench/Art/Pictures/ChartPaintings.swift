import Glibc

extension Painting {
    /// Pictures that bring out one fault each.
    static let charts = [hues, greys, zonePlate, wheel]

    /// Every hue, from white over full to black: banding.
    private static let hues = Painting(name: "hues", kind: .gradient) { x, y in
        let color = Color(hue: x * 0.999, saturation: 1, brightness: 1)
        return y < 0.5
            ? Color(1, 1, 1, 1).mixed(with: color, y * 2)
            : color.mixed(with: Color(0, 0, 0, 1), y * 2 - 1)
    }

    /// Ramps, steps and a soft disc of greys.
    private static let greys = Painting(name: "greys", kind: .gradient) { x, y in
        let level: Double =
            if y < 0.25 {
                x
            } else if y < 0.4 {
                (x * 12).rounded(.down) / 11
            } else {
                max(0, 1 - hypot(x - 0.5, (y - 0.7)) / 0.5)
            }
        return Color(level, level, level, 1)
    }

    /// Rings that get finer outwards, down to two source pixels: aliasing.
    private static let zonePlate = Painting(name: "zone-plate", kind: .chart) { x, y in
        let radius = hypot(x - 0.5, y - 0.5)
        let level = 0.5 + 0.5 * cos(.pi * radius * radius * Double(side) * 0.7)
        return Color(level, level, level, 1)
    }

    /// Hues around, saturation outwards, on grey.
    private static let wheel = Painting(name: "wheel", kind: .chart) { x, y in
        let radius = hypot(x - 0.5, y - 0.5) / 0.47
        guard radius < 1 else { return Color(0.5, 0.5, 0.5, 1) }
        let turn = atan2(y - 0.5, x - 0.5) / (2 * .pi) + 0.5
        return Color(hue: turn * 0.999, saturation: radius, brightness: 1)
    }
}
