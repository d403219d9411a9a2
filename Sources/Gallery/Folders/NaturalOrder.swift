/// The order in which people number things: `2.jpg` before `10.jpg`.
enum NaturalOrder {
    /// Whether `left` comes first: runs of digits count as numbers, letters without their case; equal names are told
    /// apart by their bytes.
    static func precedes(_ left: String, _ right: String) -> Bool {
        switch compare(left, right) {
        case 0: left < right
        case let order: order < 0
        }
    }

    private static func compare(_ left: String, _ right: String) -> Int {
        var (left, right) = (left, right)
        let isPlain = left.withUTF8(isASCII) && right.withUTF8(isASCII)
        if !isPlain { (left, right) = (left.lowercased(), right.lowercased()) }
        return left.withUTF8 { left in
            right.withUTF8 { right in compare(left[...], right[...]) }
        }
    }

    /// Negative if the UTF-8 text `left` comes first, positive if `right` does; ASCII letters count without their case.
    static func compare(
        _ left: Slice<UnsafeBufferPointer<UInt8>>, _ right: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Int {
        var i = left.startIndex
        var j = right.startIndex
        while i < left.endIndex, j < right.endIndex {
            if isDigit(left[i]), isDigit(right[j]) {
                let a = number(in: left, at: &i)
                let b = number(in: right, at: &j)
                if a.count != b.count { return a.count - b.count }
                if let (one, other) = zip(a, b).first(where: { $0 != $1 }) {
                    return Int(one) - Int(other)
                }
            } else {
                let (one, other) = (folded(left[i]), folded(right[j]))
                if one != other { return Int(one) - Int(other) }
                i += 1
                j += 1
            }
        }
        return (left.endIndex - i) - (right.endIndex - j)
    }

    private static func isASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.allSatisfy { $0 < 0x80 }
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// The digits at `index` without leading zeros, of any length; moves behind them.
    private static func number(
        in text: Slice<UnsafeBufferPointer<UInt8>>, at index: inout Int
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        let start = index
        while index < text.endIndex, isDigit(text[index]) { index += 1 }
        return text[start..<index].drop { $0 == 0x30 }
    }
}
