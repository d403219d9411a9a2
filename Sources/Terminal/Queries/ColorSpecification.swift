import Raster

/// Reads colours as terminals name them: `rgb:R/G/B` with one to four hexadecimal digits each, `rgba:` likewise, and
/// `#RGB` in its four lengths (XParseColor's formats).
enum ColorSpecification {
    /// The colour that `text` names; nil if it names none.
    static func color(_ text: some StringProtocol) -> RGB? {
        if text.hasPrefix("rgb:") {
            return color(channels: text.dropFirst(4), count: 3)
        }
        if text.hasPrefix("rgba:") {
            return color(channels: text.dropFirst(5), count: 4)
        }
        let digits = text.dropFirst()
        guard text.hasPrefix("#"), digits.utf8.count % 3 == 0 else { return nil }
        let length = digits.utf8.count / 3
        let channels = (0..<3).map { digits.dropFirst($0 * length).prefix(length) }
        return color(channels.map { channel($0, isScaled: false) })
    }

    private static func color(channels: some StringProtocol, count: Int) -> RGB? {
        let parts = channels.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == count else { return nil }
        return color(parts.prefix(3).map { channel($0, isScaled: true) })
    }

    private static func color(_ channels: [UInt8?]) -> RGB? {
        guard let red = channels[0], let green = channels[1], let blue = channels[2] else {
            return nil
        }
        return RGB(red: red, green: green, blue: blue)
    }

    /// One channel: its share of the largest number with as many digits, or, after `#`, its leading digits.
    private static func channel(_ digits: some StringProtocol, isScaled: Bool) -> UInt8? {
        let count = digits.utf8.count
        guard (1...4).contains(count), digits.utf8.allSatisfy(isHexadecimal),
            let value = Int(digits, radix: 16)
        else { return nil }
        guard isScaled else {
            return UInt8(count == 1 ? value << 4 : value >> (4 * (count - 2)))
        }
        let largest = 1 << (4 * count) - 1
        return UInt8((value * 255 + largest / 2) / largest)
    }

    /// `Int` takes a sign, too.
    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
    }
}
