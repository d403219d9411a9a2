import Raster

/// The ink coverage of printable ASCII glyphs in the eight zones of a cell, for different fonts.
///
/// Our own measurements with FreeType at 160 points, in cells of the font's advance by its ascent and descent; the mean of each zone.
public enum FontCoverage: CaseIterable, Sendable {
    /// DejaVu Sans Mono, the default of most Linux terminals; its cell has 96×187 pixels.
    case dejaVu
    /// Liberation Mono, which is metrically compatible with Courier New; its cell has 96×183 pixels.
    case liberation

    /// Returns the coverage of `glyph`, U+0020…007E, 0…1: the left and right zone of each quarter of the height, from the top.
    public func zones(of glyph: UInt32) -> [Float] {
        let start = Int(glyph - 0x20) * 8
        return table[start..<start + 8].map { Float($0) / 255 }
    }

    /// Returns the coverage relative to the most ink that any glyph has in that zone.
    public func brightZones(of glyph: UInt32) -> [Float] {
        zip(zones(of: glyph), most).map { min($0 / $1, 1) }
    }

    private var table: [UInt8] {
        switch self {
        case .dejaVu: GlyphCoverage.measured
        case .liberation: Self.liberationTable
        }
    }

    private var most: [Float] {
        switch self {
        case .dejaVu: Self.dejaVuMost
        case .liberation: Self.liberationMost
        }
    }

    /// Returns the maximum of both columns for each row, so that left and right stay equal.
    private static func most(_ table: [UInt8]) -> [Float] {
        (0..<4).flatMap { row in
            let columns = [row * 2, row * 2 + 1]
            let most = columns.flatMap { zone in
                stride(from: zone, to: table.count, by: 8).map { table[$0] }
            }
            let value = Float(most.max() ?? 255) / 255
            return [value, value]
        }
    }

    private static let dejaVuMost = most(GlyphCoverage.measured)
    private static let liberationMost = most(liberationTable)

    /// Coverage in 255ths of a zone's area.
    private static let liberationTable: [UInt8] = [
        0, 0, 0, 0, 0, 0, 0, 0, 15, 15, 35, 36, 22, 22, 0, 0,
        51, 51, 32, 32, 0, 0, 0, 0, 17, 17, 75, 78, 76, 72, 0, 0,
        51, 54, 92, 90, 87, 109, 4, 5, 55, 24, 113, 79, 56, 124, 0, 0,
        32, 30, 103, 59, 107, 123, 0, 0, 25, 25, 16, 16, 0, 0, 0, 0,
        14, 34, 77, 1, 77, 1, 16, 35, 35, 14, 1, 76, 1, 77, 36, 16,
        38, 39, 33, 32, 0, 0, 0, 0, 3, 3, 73, 72, 19, 18, 0, 0,
        0, 0, 0, 0, 50, 5, 37, 0, 0, 0, 18, 18, 15, 15, 0, 0,
        0, 0, 0, 0, 25, 25, 0, 0, 0, 45, 24, 50, 73, 0, 0, 0,
        43, 42, 97, 96, 85, 85, 0, 0, 18, 25, 42, 67, 56, 102, 0, 0,
        44, 46, 21, 83, 107, 57, 0, 0, 44, 46, 34, 93, 69, 94, 0, 0,
        1, 42, 57, 83, 60, 103, 0, 0, 52, 44, 89, 61, 64, 90, 0, 0,
        36, 46, 103, 68, 83, 90, 0, 0, 49, 57, 7, 67, 63, 9, 0, 0,
        41, 41, 92, 92, 90, 90, 0, 0, 45, 42, 88, 98, 71, 89, 0, 0,
        0, 0, 25, 24, 25, 25, 0, 0, 0, 0, 25, 24, 33, 23, 37, 0,
        0, 3, 79, 50, 26, 55, 0, 0, 0, 0, 50, 49, 51, 50, 0, 0,
        3, 0, 50, 79, 55, 26, 0, 0, 48, 46, 28, 81, 43, 10, 0, 0,
        43, 50, 107, 120, 104, 86, 36, 34, 22, 23, 73, 73, 103, 103, 0, 0,
        58, 44, 107, 99, 103, 97, 0, 0, 42, 47, 84, 17, 89, 70, 0, 0,
        58, 36, 79, 83, 103, 84, 0, 0, 58, 51, 107, 44, 103, 56, 0, 0,
        54, 51, 104, 48, 74, 0, 0, 0, 43, 47, 84, 72, 89, 96, 0, 0,
        29, 29, 110, 110, 74, 74, 0, 0, 49, 49, 40, 39, 72, 71, 0, 0,
        14, 49, 0, 79, 65, 81, 0, 0, 29, 34, 127, 60, 76, 88, 0, 0,
        29, 0, 79, 0, 95, 54, 0, 0, 42, 41, 129, 126, 68, 69, 0, 0,
        42, 26, 125, 87, 67, 122, 0, 0, 44, 44, 84, 84, 92, 90, 0, 0,
        58, 46, 103, 98, 79, 3, 0, 0, 44, 44, 84, 84, 92, 92, 3, 68,
        58, 48, 108, 97, 74, 82, 0, 0, 46, 47, 82, 63, 73, 98, 0, 0,
        63, 62, 40, 39, 37, 36, 0, 0, 29, 29, 79, 79, 93, 92, 0, 0,
        31, 30, 79, 79, 63, 62, 0, 0, 29, 28, 107, 106, 109, 108, 0, 0,
        31, 31, 72, 72, 77, 77, 0, 0, 31, 31, 73, 72, 36, 36, 0, 0,
        51, 63, 24, 61, 117, 60, 0, 0, 48, 34, 75, 0, 75, 0, 51, 34,
        45, 0, 50, 24, 0, 73, 0, 0, 34, 48, 0, 75, 0, 75, 34, 51,
        21, 21, 61, 62, 11, 11, 0, 0, 0, 0, 0, 0, 0, 0, 44, 44,
        16, 17, 0, 0, 0, 0, 0, 0, 0, 0, 75, 97, 105, 104, 0, 0,
        46, 0, 101, 88, 97, 89, 0, 0, 0, 0, 83, 56, 86, 60, 0, 0,
        0, 46, 88, 101, 91, 96, 0, 0, 0, 0, 105, 104, 94, 63, 0, 0,
        37, 54, 104, 45, 70, 0, 0, 0, 0, 0, 88, 97, 86, 101, 47, 60,
        46, 0, 100, 88, 70, 70, 0, 0, 9, 18, 51, 50, 62, 89, 0, 0,
        0, 27, 36, 74, 0, 75, 56, 37, 46, 0, 93, 63, 82, 76, 0, 0,
        43, 30, 24, 50, 65, 85, 0, 0, 0, 0, 125, 113, 98, 98, 0, 0,
        0, 0, 94, 88, 70, 70, 0, 0, 0, 0, 85, 86, 87, 86, 0, 0,
        0, 0, 96, 88, 102, 90, 49, 0, 0, 0, 88, 96, 91, 102, 0, 49,
        0, 0, 89, 52, 70, 0, 0, 0, 0, 0, 94, 58, 55, 99, 0, 0,
        25, 0, 99, 35, 72, 44, 0, 0, 0, 0, 70, 70, 90, 95, 0, 0,
        0, 0, 76, 76, 66, 65, 0, 0, 0, 0, 90, 90, 109, 109, 0, 0,
        0, 0, 69, 69, 71, 72, 0, 0, 0, 0, 72, 71, 61, 62, 59, 4,
        0, 0, 50, 92, 103, 48, 0, 0, 18, 55, 64, 19, 66, 19, 20, 56,
        21, 21, 35, 34, 35, 34, 23, 22, 55, 18, 19, 63, 19, 65, 56, 20,
        0, 0, 51, 52, 0, 0, 0, 0,
    ]
}
