import Glibc

extension Painting {
    /// Pictures that each bring out one kind of fault.
    static let charts = [hues, greys, zonePlate, wheel]

    /// Every hue, from white through full saturation to black: shows banding.
    private static let hues = Painting(name: "hues", kind: .gradient) { x, y in
        let color = Color(hue: x * 0.999, saturation: 1, brightness: 1)
        return y < 0.5
            ? Color(1, 1, 1, 1).mixed(with: color, y * 2)
            : color.mixed(with: Color(0, 0, 0, 1), y * 2 - 1)
    }

    /// Ramps, steps and a soft disc in grey.
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

    /// Rings that get finer towards the edge, down to two source pixels: shows aliasing.
    private static let zonePlate = Painting(name: "zone-plate", kind: .chart) { x, y in
        let radius = hypot(x - 0.5, y - 0.5)
        let level = 0.5 + 0.5 * cos(.pi * radius * radius * Double(side) * 0.7)
        return Color(level, level, level, 1)
    }

    /// Hue by angle and saturation by radius, on grey.
    private static let wheel = Painting(name: "wheel", kind: .chart) { x, y in
        let radius = hypot(x - 0.5, y - 0.5) / 0.47
        guard radius < 1 else { return Color(0.5, 0.5, 0.5, 1) }
        let turn = atan2(y - 0.5, x - 0.5) / (2 * .pi) + 0.5
        return Color(hue: turn * 0.999, saturation: radius, brightness: 1)
    }
}

/// Capitals of 5×7 dots, for pictures of text.
enum PixelLetters {
    /// The text of the page.
    static let pageLines = [
        "HALFTONE", "PICTURES MADE OF", "CHARACTERS", "EACH CELL HOLDS TWO COLOURS",
        "AND ONE OF MANY SHAPES", "THE QUICK BROWN FOX JUMPS", "OVER THE LAZY DOG WHILE",
        "SPHINX OF QUARTZ JUDGES", "SMALL PRINT IS HARDER TO KEEP LEGIBLE",
        "THAN LARGE PRINT SINCE EVERY LETTER", "HAS HARDLY MORE THAN ONE CELL AND THE",
        "EDGES FALL WHERE THE GRID DOES NOT",
    ]

    /// Returns whether `text`, with one dot per unit from its top left, has ink at (`x`, `y`).
    static func isInk(_ text: String, _ x: Double, _ y: Double) -> Bool {
        guard x >= 0, y >= 0, y < 7 else { return false }
        let (index, column) = (Int(x) / 6, Int(x) % 6)
        guard column < 5, index < text.utf8.count else { return false }
        let letter = Int(Array(text.utf8)[index]) - 65
        guard letters.indices.contains(letter) else { return false }
        return letters[letter][column] >> Int(y) & 1 == 1
    }

    /// Columns from the left; the lowest bit is the top dot.
    private static let letters: [[Int]] = [
        [126, 9, 9, 9, 126], [127, 73, 73, 73, 54], [62, 65, 65, 65, 34], [127, 65, 65, 34, 28],
        [127, 73, 73, 73, 65], [127, 9, 9, 9, 1], [62, 65, 73, 73, 58], [127, 8, 8, 8, 127],
        [0, 65, 127, 65, 0], [48, 64, 64, 65, 63], [127, 8, 20, 34, 65], [127, 64, 64, 64, 64],
        [127, 2, 12, 2, 127], [127, 6, 8, 48, 127], [62, 65, 65, 65, 62], [127, 9, 9, 9, 6],
        [62, 65, 81, 33, 94], [127, 9, 25, 41, 70], [38, 73, 73, 73, 50], [1, 1, 127, 1, 1],
        [63, 64, 64, 64, 63], [31, 32, 64, 32, 31], [63, 64, 56, 64, 63], [99, 20, 8, 20, 99],
        [3, 4, 120, 4, 3], [97, 81, 73, 69, 67],
    ]
}
