/// Capital letters and figures of straight strokes, for posters.
///
/// Each letter is a list of strokes, each stroke a row of corners (column 0…4, row 0…6, from the top left).
struct Lettering {
    private static let strokes: [Character: String] = [
        "A": "0602204246 0444", "B": "000636454433033342413000", "C": "4130100105163645",
        "D": "00062644422000",
        "E": "40000646 0333", "F": "400006 0333", "G": "41301001051636454323",
        "H": "0006 4046 0343",
        "I": "2026", "J": "4045361605", "K": "0006 4003 0346", "L": "000646",
        "M": "0600234046", "N": "06004640", "O": "103041453616050110", "P": "06003041423303",
        "Q": "103041453616050110 2446", "R": "06003041423303 2346", "S": "413010010213334445361605",
        "T": "0040 2026",
        "U": "000516364540", "V": "002640", "W": "0006244640", "X": "0046 4006",
        "Y": "002340 2326", "Z": "00400646", "0": "103041453616050110", "1": "012026",
        "2": "01103041420646", "3": "004022324345361605", "4": "300444 3036",
        "5": "400002324345361605",
        "6": "40200205163645443303", "7": "004016", "8": "103041423313020110 1304051636454433",
        "9": "06264441301001021343",
    ]

    /// The outline of `text`, `height` high, its first letter's top left at `origin`, drawn `weight` thick.
    static func path(
        _ text: String, at origin: Point, height: Double, weight: Double, spacing: Double = 1.7
    ) -> Path {
        var result = Path()
        let unit = height / 6
        for (index, letter) in text.enumerated() {
            let left = origin + Point(Double(index) * (4 + spacing) * unit, 0)
            for stroke in (strokes[letter] ?? "").split(separator: " ") {
                let digits = stroke.compactMap(\.wholeNumberValue)
                let corners = stride(from: 0, to: digits.count - 1, by: 2).map {
                    left + Point(Double(digits[$0]), Double(digits[$0 + 1])) * unit
                }
                result.add(Path(contours: [corners]).stroked(weight))
            }
        }
        return result
    }

    /// How wide `text` is at `height`.
    static func width(_ text: String, height: Double, spacing: Double = 1.7) -> Double {
        (Double(text.count) * (4 + spacing) - spacing) * height / 6
    }
}

extension Canvas {
    /// Writes `text` across the middle at `y`, as wide as `width` or as high as `height` allow.
    mutating func title(
        _ text: String, y: Double, width: Double, height: Double, _ ink: Ink, bold: Double = 0.17
    ) {
        let fitting = min(height, height * width / Lettering.width(text, height: height))
        let left = (right - Lettering.width(text, height: fitting)) / 2
        fill(Lettering.path(text, at: Point(left, y), height: fitting, weight: fitting * bold), ink)
    }
}
