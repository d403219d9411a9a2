import Glibc

extension Painting {
    /// Pictures with flat colours, thin lines and hard edges.
    static let graphic = [contours, page, diagram, sprites, platform, badge]

    /// The contour lines of a landscape: ink on paper, every fifth line thicker.
    private static let contours = Painting(name: "contours", kind: .lineArt) { x, y in
        func height(_ x: Double, _ y: Double) -> Double {
            24 * Noise.fractal(x * 2.6, y * 2.6, octaves: 3, seed: 90)
        }
        let here = height(x, y)
        let slope = hypot(height(x + 0.001, y) - here, height(x, y + 0.001) - here) / 0.001
        let level = here.rounded()
        let distance = abs(here - level) / max(slope, 4)
        let width = Int(level) % 5 == 0 ? 0.0042 : 0.0018
        return distance < width ? Color(hex: 0x6A3D1E) : Color(hex: 0xFAF6EC)
    }

    /// Lines of capitals in decreasing sizes, black on white.
    private static let page = Painting(name: "page", kind: .text) { x, y in
        var top = 0.05
        for (line, text) in PixelLetters.pageLines.enumerated() {
            let dot = line == 0 ? 0.0165 : line < 3 ? 0.0098 : line < 8 ? 0.0062 : 0.0041
            if PixelLetters.isInk(text, (x - 0.05) / dot, (y - top) / dot) {
                return Color(hex: line == 0 ? 0xA01818 : 0x101010)
            }
            top += dot * 10
        }
        return Color(hex: 0xFFFFFF)
    }

    /// Bars, a curve, a pie and a grid as on a dark screen.
    private static let diagram = Painting(name: "diagram", kind: .text) { x, y in
        let colors: [UInt32] = [0x4FC3F7, 0xFFB74D, 0x81C784, 0xE57373, 0xBA68C8, 0xFFF176]
        let ground = Color(hex: 0x1B2230)
        if y < 0.12 {
            let isInk = PixelLetters.isInk(
                "QUARTERLY FIGURES", (x - 0.05) / 0.008, (y - 0.03) / 0.008)
            return Color(hex: isInk ? 0xF5F5F5 : 0x30415C)
        }
        let radius = hypot(x - 0.76, y - 0.36)
        if radius < 0.18 {
            let turn = atan2(y - 0.36, x - 0.76) / (2 * .pi) + 0.5
            let limits = [0.3, 0.52, 0.67, 0.8, 0.91, 1.01]
            return radius < 0.08 ? ground : Color(hex: colors[limits.firstIndex { turn < $0 } ?? 0])
        }
        if x > 0.06, x < 0.52, y > 0.18, y < 0.58 {
            let curve = 0.38 - 0.14 * sin(x * 17) * (0.4 + x)
            if abs(y - curve) < 0.006 { return Color(hex: 0xFFF176) }
            let isGrid = (y * 12.5).truncatingRemainder(dividingBy: 1) < 0.03
            return isGrid ? Color(hex: 0x3A465C) : Color(hex: 0x222B3C)
        }
        let bar = (x - 0.06) * 16
        if bar > 0, bar < 14, y > 0.64, y < 0.95, bar.truncatingRemainder(dividingBy: 1) > 0.25 {
            let height = 0.06 + 0.24 * Noise.random(Int(bar), 2, seed: 17)
            return 0.95 - y < height ? Color(hex: colors[Int(bar) % 6]) : ground
        }
        return ground
    }

    /// Sixteen mirrored figures of 12×12 large pixels.
    private static let sprites = Painting(name: "sprites", kind: .pixelArt) { x, y in
        let (column, row) = (Int(x * 64), Int(y * 64))
        let (figure, place) = (column / 16 + row / 16 * 4, (column % 16, row % 16))
        let half = place.0 < 8 ? place.0 : 15 - place.0
        guard half > 1, place.1 > 1, place.1 < 14 else { return Color(hex: 0x181425) }
        let value = Noise.random(half + figure * 20, place.1, seed: 33) + 0.07 * Double(half)
        let palettes: [[UInt32]] = [
            [0xE43B44, 0xFEAE34, 0xFFFFFF], [0x3E8948, 0x63C74D, 0xFEE761],
            [0x0099DB, 0x2CE8F5, 0xFFFFFF], [0xB55088, 0xF6757A, 0xEAD4AA],
        ]
        let palette = palettes[figure % 4]
        return Color(hex: value < 0.62 ? 0x181425 : palette[Int(value * 19) % 3])
    }

    /// A scene from an early console: sky, clouds, hills and bricks in 50×50 large pixels.
    private static let platform = Painting(name: "platform", kind: .pixelArt) { x, y in
        let (column, row) = (Int(x * 50), Int(y * 50))
        if row >= 42 {
            let isGap = row % 4 == 1 || (column + (row / 4 % 2) * 4) % 8 == 0
            return Color(hex: isGap ? 0x000000 : row == 42 ? 0xFCBCB0 : 0xC84C0C)
        }
        if row >= 22, row < 26, column % 25 > 8, column % 25 < 21 {
            let isQuestion = (column % 25 - 9) / 4 == 1
            let isEdge = row % 4 == 1 || (column % 25 - 9) % 4 == 3
            return Color(hex: isEdge ? 0x503000 : isQuestion ? 0xFCA044 : 0xC84C0C)
        }
        let hill = 42 - Int(11 * max(0, 1 - abs(Double(column) - 12) / 11))
        if row >= hill { return Color(hex: (column * 7 + row * 5) % 23 == 0 ? 0x005800 : 0x00A800) }
        let isPuff = (0..<3).contains { puff in
            hypot(Double(column - 33 - puff * 4), Double(row - 10 + puff % 2 * 2)) < 3.6
        }
        if isPuff { return Color(hex: row > 10 ? 0xA4E4FC : 0xFCFCFC) }
        return Color(hex: 0x5C94FC)
    }

    /// A round badge with a soft shadow on a transparent background.
    private static let badge = Painting(name: "badge", kind: .logo) { x, y in
        let (u, v) = (x * 2 - 1, y * 2 - 1)
        let radius = hypot(u, v)
        if radius < 0.8 {
            if radius > 0.66 { return Color(hex: 0xF4C430) }
            let angle = atan2(v, u) + .pi / 2
            let fifth = (angle / (2 * .pi) * 5).truncatingRemainder(dividingBy: 1)
            let spread = abs((fifth < 0 ? fifth + 1 : fifth) - 0.5) * 2
            let star = 0.22 + 0.36 * pow(spread, 1.6)
            return Color(hex: radius < star ? 0xFFFFFF : 0x0B3D91)
        }
        let shadow = smoothStep(0.96, 0.74, hypot(u - 0.05, v - 0.07))
        return Color(0.2, 0.2, 0.25, shadow * 0.7)
    }
}
