import Basics
import Raster

/// A write position in an output buffer, which must have enough room.
struct ByteCursor {
    private var position: UnsafeMutablePointer<UInt8>
    private let decimals: UnsafePointer<Decimal>

    /// Returns what `body` writes, at most `capacity` bytes.
    @inline(__always)
    static func bytes(atMost capacity: Int, _ body: (inout ByteCursor) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            Decimal.table.withUnsafeBufferPointer { decimals in
                guard let start = buffer.baseAddress, let decimals = decimals.baseAddress else {
                    return
                }
                var cursor = ByteCursor(position: start, decimals: decimals)
                body(&cursor)
                count = cursor.position - start
            }
        }
    }

    @inline(__always) mutating func append(_ byte: UInt8) {
        position.pointee = byte
        position += 1
    }

    @inline(__always) mutating func append(_ first: UInt8, _ second: UInt8) {
        append(first)
        append(second)
    }

    @inline(__always) mutating func replaceLast(by byte: UInt8) { position[-1] = byte }

    /// Writes a number from 0 to 9999.
    mutating func number(_ value: Int) {
        var rest = value
        for unit in [1000, 100, 10] where value >= unit {
            append(UInt8(0x30 + rest / unit))
            rest %= unit
        }
        append(UInt8(0x30 + rest))
    }

    /// Writes a number below 256 and a semicolon.
    @inline(__always) private mutating func decimal(_ value: UInt8) {
        let decimal = decimals[Int(value)]
        UnsafeMutableRawPointer(position).storeBytes(
            of: decimal.digits.littleEndian, as: UInt32.self)
        position += Int(decimal.count)
    }

    /// Writes the parameters for `color` and a semicolon; `ground` is 0 for a foreground and 10 for a background.
    ///
    /// The first sixteen colours have short codes, but terminals brighten the first eight of these in bold.
    @inline(__always) mutating func color(_ color: CellColor, ground: UInt8, isBold: Bool) {
        if let rgb = color.rgb {
            decimal(38 + ground)
            append("2", ";")
            decimal(rgb.red)
            decimal(rgb.green)
            decimal(rgb.blue)
        } else if let index = color.paletteIndex {
            if index < 16, !isBold {
                decimal((index < 8 ? 30 : 90 - 8) + ground + index)
            } else {
                decimal(38 + ground)
                append("5", ";")
                decimal(index)
            }
        } else {
            decimal(39 + ground)
        }
    }

    @inline(__always) mutating func utf8(_ glyph: UInt32) {
        switch glyph {
        case 0..<0x80: append(UInt8(truncatingIfNeeded: glyph))
        case 0x80..<0x800: append(0xC0 | UInt8(truncatingIfNeeded: glyph >> 6), Self.tail(glyph))
        case 0x800..<0x10000:
            append(0xE0 | UInt8(truncatingIfNeeded: glyph >> 12), Self.tail(glyph >> 6))
            append(Self.tail(glyph))
        default:
            append(0xF0 | UInt8(truncatingIfNeeded: glyph >> 18), Self.tail(glyph >> 12))
            append(Self.tail(glyph >> 6), Self.tail(glyph))
        }
    }

    @inline(__always) private static func tail(_ bits: UInt32) -> UInt8 {
        0x80 | UInt8(truncatingIfNeeded: bits & 0x3F)
    }
}

/// A number below 256 as text with a semicolon: a lookup is faster than divisions.
private struct Decimal {
    /// The characters, with the first in the lowest byte.
    var digits: UInt32
    var count: UInt32

    static let table: [Decimal] = (0..<256).map { value in
        let text = "\(value);".bytes
        return Decimal(
            digits: text.reversed().reduce(0) { $0 << 8 | UInt32($1) }, count: UInt32(text.count))
    }
}
