import Raster

extension ScreenEmulator {
    /// Handles Select Graphic Rendition, with both notations for colours: `38;2;r;g;b` and `38:2::r:g:b`.
    func setStyle(_ parameters: [[Int]]) {
        var rest = (parameters.isEmpty ? [[0]] : parameters)[...]
        while let parameter = rest.popFirst() {
            let code = parameter.first ?? 0
            if code == 38 || code == 48 {
                let color =
                    parameter.count > 1 ? Self.color(parts: parameter) : Self.color(from: &rest)
                setColor(color, isForeground: code == 38)
            } else {
                setAttribute(code)
            }
        }
    }

    private func setColor(_ color: CellColor?, isForeground: Bool) {
        guard let color else { return }
        if isForeground {
            pen.foreground = color
        } else {
            pen.background = color
        }
    }

    private func setAttribute(_ code: Int) {
        switch code {
        case 0: pen = .blank
        case 1: pen.style.insert(.bold)
        case 2: pen.style.insert(.dim)
        case 4: pen.style.insert(.underline)
        case 7: pen.style.insert(.reverse)
        case 22: pen.style.subtract([.bold, .dim])
        case 24: pen.style.remove(.underline)
        case 27: pen.style.remove(.reverse)
        case 30...37: pen.foreground = CellColor(palette: UInt8(code - 30))
        case 39: pen.foreground = .standard
        case 40...47: pen.background = CellColor(palette: UInt8(code - 40))
        case 49: pen.background = .standard
        case 90...97: pen.foreground = CellColor(palette: UInt8(code - 90 + 8))
        case 100...107: pen.background = CellColor(palette: UInt8(code - 100 + 8))
        // Italic, blinking, hidden, struck out and other fonts are not represented in a cell.
        case 3, 5, 8...12, 23, 25, 28, 29: break
        default: unrecognised.append("SGR \(code)")
        }
    }

    private static func color(parts: [Int]) -> CellColor? {
        switch (parts[1], parts.count) {
        case (5, 3...): CellColor(palette: UInt8(clamping: parts[2]))
        case (2, 3...): color(Array(parts.suffix(3)))
        default: nil
        }
    }

    private static func color(from rest: inout ArraySlice<[Int]>) -> CellColor? {
        let kind = rest.popFirst()?.first
        let count = kind == 2 ? 3 : 1
        let values = rest.prefix(count).map { $0.first ?? 0 }
        rest = rest.dropFirst(count)
        return kind == 2
            ? color(values) : values.first.map { CellColor(palette: UInt8(clamping: $0)) }
    }

    private static func color(_ values: [Int]) -> CellColor? {
        guard values.count == 3 else { return nil }
        return CellColor(
            RGB(
                red: UInt8(clamping: values[0]), green: UInt8(clamping: values[1]),
                blue: UInt8(clamping: values[2])))
    }
}
