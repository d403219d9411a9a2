public import Raster

/// The 256 colours of a terminal: sixteen that the user chooses, a cube and greys.
public struct TerminalPalette: Hashable, Sendable {
    /// The colours by index.
    public let colors: [RGB]
    /// The first sixteen colours.
    public let system: SystemColors

    /// Creates a palette of sixteen colours and xterm's other 240.
    public init(system: SystemColors) {
        self.system = system
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        let cube = (0..<216).map { (index: Int) in
            RGB(red: levels[index / 36], green: levels[index / 6 % 6], blue: levels[index % 6])
        }
        let greys = (0..<24).map { (index: Int) in
            let level = UInt8(8 + 10 * index)
            return RGB(red: level, green: level, blue: level)
        }
        colors = system.colors + cube + greys
    }

    /// xterm's defaults.
    public static let xterm = TerminalPalette(system: .xterm)

    /// The sixteen colours that chafa 1.12 assumes for any terminal.
    public static let chafa = TerminalPalette(
        system: SystemColors(
            [
                0x000000, 0x800000, 0x007000, 0x707000, 0x000070, 0x700070, 0x007070, 0xC0C0C0,
                0x404040, 0xFF0000, 0x00FF00, 0xFFFF00, 0x0000FF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
            ].map { RGB($0) }) ?? .xterm)
}

/// Finds the two palette colours that best match the parts of a cell, each part in the nearer one.
struct PaletteSearch {
    private let colors: [SIMD3<Float>]

    /// The number of colours tried for each part of a cell; others never win, but all 256 would make 32,640 pairs.
    private static let nearest = 16

    init(_ palette: [RGB]) {
        colors = palette.map { SIMD3($0) }
    }

    /// Returns the colours of up to eight parts.
    func best(_ parts: [SIMD3<Float>]) -> [SIMD3<Float>] {
        let tried = candidates(for: parts)
        let errors = tried.map { color in
            var errors = SIMD8<Float>.zero
            for (index, part) in parts.enumerated() {
                let difference = part - colors[color]
                errors[index] = (difference * difference).sum()
            }
            return errors
        }
        var best = (error: Float.infinity, one: 0, other: 0)
        for one in errors.indices {
            for other in one..<errors.count {
                let error = pointwiseMin(errors[one], errors[other]).sum()
                if error < best.error { best = (error, one, other) }
            }
        }
        return parts.indices.map { index in
            let isFirst = errors[best.one][index] <= errors[best.other][index]
            return colors[tried[isFirst ? best.one : best.other]]
        }
    }

    private func candidates(for parts: [SIMD3<Float>]) -> [Int] {
        guard colors.count > Self.nearest else { return Array(colors.indices) }
        var tried = Set<Int>()
        for part in Set(parts) {
            let distances = colors.map { color in
                let difference = part - color
                return (difference * difference).sum()
            }
            tried.formUnion(
                colors.indices.sorted { distances[$0] < distances[$1] }.prefix(Self.nearest))
        }
        return tried.sorted()
    }
}
