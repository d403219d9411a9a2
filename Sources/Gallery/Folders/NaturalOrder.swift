/// The order in which people number things: `2.jpg` before `10.jpg`.
enum NaturalOrder {
    /// Whether `left` comes first: runs of digits count as numbers, letters without their case; equal names are told apart by their bytes.
    static func precedes(_ left: String, _ right: String) -> Bool {
        let first = Array(left.lowercased().utf8)
        let second = Array(right.lowercased().utf8)
        var i = 0
        var j = 0
        while i < first.count, j < second.count {
            if isDigit(first[i]), isDigit(second[j]) {
                let a = number(in: first, at: &i)
                let b = number(in: second, at: &j)
                if a.count != b.count { return a.count < b.count }
                if a != b { return a.lexicographicallyPrecedes(b) }
            } else {
                if first[i] != second[j] { return first[i] < second[j] }
                i += 1
                j += 1
            }
        }
        let rest = (first.count - i, second.count - j)
        return rest.0 != rest.1 ? rest.0 < rest.1 : left < right
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// The digits at `index` without leading zeros, of any length; moves behind them.
    private static func number(in bytes: [UInt8], at index: inout Int) -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, isDigit(bytes[index]) { index += 1 }
        return bytes[start..<index].drop { $0 == 0x30 }
    }
}
