import Raster

/// Parses colours in X11 notation: `rgb:R/G/B` with one to four hexadecimal digits each, `rgba:` likewise, and
/// `#RGB` in its four lengths.
enum ColorSpecification {
    static func color(_ text: some StringProtocol) -> RGB? {
        let forms = [("#", 3), ("rgb:", 3), ("rgba:", 4)]
        guard let (prefix, count) = forms.first(where: { text.hasPrefix($0.0) }) else { return nil }
        let digits = text.dropFirst(prefix.count)
        let length = max(1, digits.count / 3)
        let channels =
            prefix == "#"
            ? stride(from: 0, to: digits.count, by: length).map {
                digits.dropFirst($0).prefix(length)
            }
            : digits.split(separator: "/", omittingEmptySubsequences: false)
        let values = channels.compactMap { channel($0) }
        guard channels.count == count, values.count == count else { return nil }
        return RGB(red: values[0], green: values[1], blue: values[2])
    }

    /// Parses one channel, a fraction of the largest number with as many digits.
    private static func channel(_ digits: some StringProtocol) -> UInt8? {
        let count = digits.utf8.count
        guard (1...4).contains(count), digits.allSatisfy(\.isHexDigit),
            let value = Int(digits, radix: 16)
        else { return nil }
        let largest = 1 << (4 * count) - 1
        return UInt8((value * 255 + largest / 2) / largest)
    }
}
