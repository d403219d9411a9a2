/// Capital letters and figures of straight strokes, for posters.
///
/// Each letter is a list of strokes, each stroke a row of corners (column 0…4, row 0…6, from the top left).
struct Lettering {
    private static let strokes: [Character: String] = [
        "A": "0602246 0444", "B": "000640 003040 4346 0333 000030414233 3344454606", "C": "4010010516460",
        "D": "000626440420 0020", "E": "40000646 0333", "F": "400006 0333", "G": "41300105164544 4424",
        "H": "0006 4046 0343", "I": "2026", "J": "4045361605", "K": "0006 4003 0346", "L": "000646",
        "M": "0600234046", "N": "06004640", "O": "1001051636454130 1030", "P": "0600304142330333 0333",
        "Q": "100105163645413010 2446", "R": "06003041423303 2346", "S": "4130100102134344453616 0516",
        "T": "0040 2026", "U": "0005163645 4540", "V": "002640", "W": "0006234640", "X": "0046 4006",
        "Y": "002340 2326", "Z": "00400646", "0": "100105163645413010", "1": "0120 2026", "2": "0110304142 4206 0646",
        "3": "004023 23344516 1605", "4": "30044434 3036", "5": "40000323344536 3606", "6": "4020020516364543 4303",
        "7": "004016", "8": "103041321201 0110 1203 03051636454332", "9": "4313020110304144 442616", "-": "0343", ".": "2526",
    ]

    /// The outline of `text`, `height` high, its first letter's top left at `origin`, drawn `weight` thick.
    static func path(_ text: String, at origin: Point, height: Double, weight: Double, spacing: Double = 1.7) -> Path {
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
    mutating func title(_ text: String, y: Double, width: Double, height: Double, _ ink: Ink, bold: Double = 0.17) {
        let fitting = min(height, height * width / Lettering.width(text, height: height))
        let left = (right - Lettering.width(text, height: fitting)) / 2
        fill(Lettering.path(text, at: Point(left, y), height: fitting, weight: fitting * bold), ink)
    }
}
