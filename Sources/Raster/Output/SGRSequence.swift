/// One "select graphic rendition" escape sequence in the making; empty until the first code.
struct SGRSequence {
    private var isOpen = false

    mutating func append(_ code: Int, to bytes: inout [UInt8]) {
        if isOpen {
            bytes.append(UInt8(ascii: ";"))
        } else {
            bytes.append(0x1B)
            bytes.append(UInt8(ascii: "["))
            isOpen = true
        }
        bytes.append(decimal: code)
    }

    /// Appends a colour; `base` is 30 for the foreground, 40 for the background.
    mutating func append(_ color: CellColor, base: Int, to bytes: inout [UInt8]) {
        if let rgb = color.rgb {
            append(base + 8, to: &bytes)
            append(2, to: &bytes)
            append(Int(rgb.red), to: &bytes)
            append(Int(rgb.green), to: &bytes)
            append(Int(rgb.blue), to: &bytes)
        } else if let index = color.paletteIndex {
            append(palette: Int(index), base: base, to: &bytes)
        } else {
            append(base + 9, to: &bytes)
        }
    }

    /// The first 16 in the short form that every terminal knows: 30…37, and 90…97 for the bright ones.
    private mutating func append(palette index: Int, base: Int, to bytes: inout [UInt8]) {
        switch index {
        case 0..<8: append(base + index, to: &bytes)
        case 8..<16: append(base + 60 + index - 8, to: &bytes)
        default:
            append(base + 8, to: &bytes)
            append(5, to: &bytes)
            append(index, to: &bytes)
        }
    }

    func end(in bytes: inout [UInt8]) {
        if isOpen { bytes.append(UInt8(ascii: "m")) }
    }
}

extension [UInt8] {
    /// Appends 0…255 in decimal.
    fileprivate mutating func append(decimal value: Int) {
        let zero = Int(UInt8(ascii: "0"))
        if value >= 100 { append(UInt8(zero + value / 100)) }
        if value >= 10 { append(UInt8(zero + value / 10 % 10)) }
        append(UInt8(zero + value % 10))
    }

    /// Appends a Unicode scalar in UTF-8; what is none as U+FFFD, a control character as a space.
    mutating func append(scalar value: UInt32) {
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        if scalar.columns == nil {
            append(0x20)
        } else {
            append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}
