import Raster

/// Box drawing characters as ink on a cell, from their names in Unicode.
///
/// A light line is an eighth of the cell's width and a heavy one a quarter, as in DejaVu Sans Mono (0.13 and 0.26); cells are twice as high
/// as wide.
enum BoxDrawing {
    /// The samples of a part in each direction.
    private static let fineness = 4

    /// Returns the share of each part of `grid` that is ink; nil for other characters.
    static func coverage(of glyph: UInt32, in grid: PixelSize) -> [Float]? {
        guard (0x2500...0x257F).contains(glyph), let scalar = Unicode.Scalar(glyph),
            let name = scalar.properties.name
        else { return nil }
        let words = name.split(separator: " ").dropFirst(2)
        return (0..<grid.count).map { part in
            var hits = 0
            for sample in 0..<fineness * fineness {
                let x = part % grid.width * fineness + sample % fineness
                let y = part / grid.width * fineness + sample / fineness
                let isInk = isInk(
                    words, (Double(x) + 0.5) / Double(grid.width * fineness),
                    (Double(y) + 0.5) / Double(grid.height * fineness))
                hits += isInk ? 1 : 0
            }
            return Float(hits) / Float(fineness * fineness)
        }
    }

    private static func isInk(_ words: ArraySlice<Substring>, _ x: Double, _ y: Double) -> Bool {
        if words.contains("DIAGONAL") {
            let (rising, falling) = (abs(x + y - 1) < 0.07, abs(x - y) < 0.07)
            if words.contains("CROSS") { return rising || falling }
            return words.first { ["LEFT", "RIGHT"].contains($0) } == "RIGHT" ? rising : falling
        }
        let weight = words.contains("HEAVY") && !words.contains("LIGHT") ? 0.25 : 0.125
        let dashes = ["DOUBLE": 2.0, "TRIPLE": 3, "QUADRUPLE": 4]
        let dash = words.contains("DASH") ? words.compactMap { dashes[String($0)] }.first : nil
        // "UP LIGHT AND RIGHT HEAVY": each side of AND has its own weight, or shares the only one.
        return words.split(separator: "AND").contains { clause in
            let own = clause.contains("HEAVY") ? 0.25 : clause.contains("LIGHT") ? 0.125 : weight
            let isAcross = abs(x - 0.5) < own / 2 && (dash.map { isDash(y * $0) } ?? true)
            let isAlong = abs(y - 0.5) < own / 4 && (dash.map { isDash(x * $0) } ?? true)
            return clause.contains { word in
                switch word {
                case "VERTICAL": isAcross
                case "UP": isAcross && y <= 0.5
                case "DOWN": isAcross && y >= 0.5
                case "HORIZONTAL": isAlong
                case "LEFT": isAlong && x <= 0.5
                case "RIGHT": isAlong && x >= 0.5
                default: false
                }
            }
        }
    }

    /// Whether a place along dashes of length 1 is in one, rather than in the gap of a quarter behind it.
    private static func isDash(_ place: Double) -> Bool { place - place.rounded(.down) < 0.75 }
}
