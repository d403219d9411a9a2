import Raster

/// Finds the two colours of a palette that come nearest to the parts of a cell, each part in the nearer one.
struct PaletteSearch {
    private let colors: [SIMD3<Float>]

    /// Colours tried for each part of a cell; further ones never win, but with all of 256 there are 32,640 pairs.
    private static let nearest = 16

    init(_ palette: [RGB]) {
        colors = palette.map { SIMD3($0) }
    }

    /// The colours that up to eight parts get.
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
