/// Block art in 16 or 8 colours: dithered first, then each cell drawn in the best pair of the palette's colours.
struct PaletteArt {
    private let palette: Palette
    /// `distances[a * count + b]`: the squared distance of colours a and b.
    private let distances: [Int]

    init(_ palette: Palette) {
        self.palette = palette
        let colors = palette.colors.map { OpponentColor($0) }
        distances = colors.flatMap { one in colors.map { one.squaredDistance(to: $0) } }
    }

    func cells(_ plan: CellPlan) -> CellGrid {
        let composer = CellComposer(plan.blocks)
        let indices = ErrorDiffusion(palette: palette).indices(of: plan.pixels)
        var grid = CellGrid(size: plan.size)
        for y in 0..<plan.size.rows {
            var left: Cell?
            for x in 0..<plan.size.columns {
                let wanted = plan.values(indices, x, y)
                let (lit, unlit) = bestPair(for: wanted)
                let cell = composer.cell(
                    mask(wanted, lit, unlit), lit: CellColor(palette: UInt8(lit)),
                    unlit: CellColor(palette: UInt8(unlit)), after: left)
                grid[x, y] = cell
                left = cell
            }
        }
        return grid
    }

    /// The two of the wanted colours that stand in best for all of them; the same twice if there is only one.
    private func bestPair(for wanted: [UInt8]) -> (Int, Int) {
        let present = Set(wanted).sorted().map { Int($0) }
        guard present.count > 2 else { return (present[0], present[present.count - 1]) }
        var best = (error: Int.max, pair: (present[0], present[0]))
        for (place, one) in present.enumerated() {
            for other in present[(place + 1)...] {
                let error = wanted.reduce(0) { $0 + min(distance($1, one), distance($1, other)) }
                if error < best.error { best = (error, (one, other)) }
            }
        }
        return best.pair
    }

    private func mask(_ wanted: [UInt8], _ lit: Int, _ unlit: Int) -> Int {
        wanted.indices.reduce(0) {
            $0 | (distance(wanted[$1], lit) < distance(wanted[$1], unlit) ? 1 << $1 : 0)
        }
    }

    private func distance(_ one: UInt8, _ other: Int) -> Int {
        distances[Int(one) * palette.colors.count + other]
    }
}

extension CellPlan {
    /// What `all`, one value a pixel, holds for the sub-pixels of a cell.
    func values(_ all: [UInt8], _ x: Int, _ y: Int) -> [UInt8] {
        (0..<(subpixels.width * subpixels.height)).map { index in
            let row = y * subpixels.height + index / subpixels.width
            return all[row * pixels.size.width + x * subpixels.width + index % subpixels.width]
        }
    }
}
