/// The block characters, indexed by their pattern of lit sub-pixels.
///
/// Bit `row * columns + column` of a mask stands for the sub-pixel in that row and column.
enum BlockGlyphs {
    private static let space: UInt32 = 0x20

    static let half = " ▀▄█".unicodeScalars.map(\.value)

    /// U+2580…259F in mask order.
    static let quadrant = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars.map(\.value)

    /// U+1FB00…1FB3B in mask order, without the four patterns that are encoded elsewhere.
    static let sextant = sequence(
        from: 0x1FB00, bits: 6, except: [0: space, 21: 0x258C, 42: 0x2590, 63: 0x2588])

    /// U+1CD00…1CDE5 in mask order, without the 26 patterns that are encoded elsewhere.
    ///
    /// Derived from the names in Unicode 16: "BLOCK OCTANT-1235" lists the lit sub-pixels 1…8, which are bits 0…7 here.
    static let octant = sequence(
        from: 0x1CD00, bits: 8,
        except: [
            // Quarters of the height, from U+2580 and Symbols for Legacy Computing.
            0xC0: 0x2582, 0xFC: 0x2586, 0x03: 0x1FB82, 0x3F: 0x1FB85,
            // Single eighths, and the two middle eighths of a side.
            0x01: 0x1CEA8, 0x02: 0x1CEAB, 0x40: 0x1CEA3, 0x80: 0x1CEA0, 0x14: 0x1FBE6,
            0x28: 0x1FBE7,
        ].merging(
            // Each row of quadrants is two rows of octants.
            quadrant.enumerated().map { (0x05 * ($0 & 3) + 0x50 * ($0 >> 2), $1) }
        ) { $1 })

    /// U+2800…28FF, whose bits run down the left column, then the right one, with the bottom row last.
    static let braille: [UInt32] = (0..<256).map { mask in
        let dots: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
        let pattern = dots.indices.reduce(UInt32(0)) { $0 | (mask >> $1 & 1 == 1 ? dots[$1] : 0) }
        return mask == 0 ? space : 0x2800 + pattern
    }

    private static func sequence(
        from first: UInt32, bits: Int, except others: [Int: UInt32]
    ) -> [UInt32] {
        var next = first
        return (0..<(1 << bits)).map { mask in
            if let other = others[mask] { return other }
            defer { next += 1 }
            return next
        }
    }
}
