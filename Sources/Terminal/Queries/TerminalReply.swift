import Raster

enum TerminalReply: Hashable {
    /// The colour behind text (OSC 11).
    case background(RGB)
    /// Colours of the palette by number, 0…15 (OSC 4).
    case palette([Int: RGB])
    /// A cell's height and width in pixels (XTWINOPS 6).
    case cellSize(width: Int, height: Int)
    /// Whether frames can be bracketed so that they are shown whole (DECRPM 2026).
    case synchronizedOutput(Bool)
    /// The primary device attributes: the fence.
    case attributes

    /// Longer texts are no answer to what was asked: sixteen colours in one take 400 bytes.
    static let longest = 512

    /// Reads a control sequence (CSI): its bytes between `[` and `final`; nil if it is no answer.
    init?(control body: ArraySlice<UInt8>, final: UInt8) {
        let text = String(decoding: body, as: UTF8.self)
        switch final {
        case UInt8(ascii: "c"):
            guard text.hasPrefix("?") else { return nil }
            self = .attributes
        case UInt8(ascii: "t"):
            let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map(
                Self.number)
            guard numbers.count == 3, numbers[0] == 6, let height = numbers[1],
                let width = numbers[2]
            else { return nil }
            self = .cellSize(width: width, height: height)
        case UInt8(ascii: "y"):
            guard text.hasPrefix("?2026;"), text.hasSuffix("$"),
                let state = Self.number(text.dropFirst(6).dropLast())
            else { return nil }
            // Set, reset, always set; 0 is unknown, 4 is never set.
            self = .synchronizedOutput((1...3).contains(state))
        default: return nil
        }
    }

    /// Reads an operating system command (OSC): its bytes between `]` and the terminator; nil if it is no answer.
    init?(command body: ArraySlice<UInt8>) {
        guard body.count <= Self.longest else { return nil }
        let parts = String(decoding: body, as: UTF8.self)
            .split(separator: ";", omittingEmptySubsequences: false)
        switch parts.first {
        case "11":
            guard parts.count == 2, let color = ColorSpecification.color(parts[1]) else {
                return nil
            }
            self = .background(color)
        case "4":
            var colors: [Int: RGB] = [:]
            for start in stride(from: 1, to: parts.count - 1, by: 2) {
                guard let index = Self.number(parts[start]), index < 16,
                    let color = ColorSpecification.color(parts[start + 1])
                else { return nil }
                colors[index] = color
            }
            guard !colors.isEmpty else { return nil }
            self = .palette(colors)
        default: return nil
        }
    }

    /// How answers begin, without the escape character, and what they hold besides digits.
    private static let forms: [(start: String, characters: String)] = [
        ("]11;", colorCharacters), ("]4;", colorCharacters), ("[?", ";$"),
    ]
    private static let colorCharacters = "rgba:/;#abcdefABCDEF"

    /// Whether a sequence that begins with these bytes, without its escape character, can only be an answer and no key.
    static func isBegun(by bytes: [UInt8]) -> Bool {
        (2...longest).contains(bytes.count) && form(of: bytes) != nil
    }

    /// Whether the answer that begins with these bytes may go on with `byte`.
    static func canHold(_ byte: UInt8, after bytes: [UInt8]) -> Bool {
        guard let form = form(of: bytes) else { return false }
        return (0x30...0x39).contains(byte) || form.characters.utf8.contains(byte)
            || bytes.count < form.start.utf8.count
                && form.start.utf8.dropFirst(bytes.count).first == byte
    }

    private static func form(of bytes: [UInt8]) -> (start: String, characters: String)? {
        forms.first {
            bytes.prefix($0.start.utf8.count).elementsEqual($0.start.utf8.prefix(bytes.count))
        }
    }

    /// One to four digits.
    private static func number(_ text: some StringProtocol) -> Int? {
        // `Int` takes a sign, too.
        (1...4).contains(text.utf8.count) && text.allSatisfy(\.isWholeNumber) ? Int(text) : nil
    }
}

/// Reads colours as terminals name them: `rgb:R/G/B` with one to four hexadecimal digits each, `rgba:` likewise, and
/// `#RGB` in its four lengths (XParseColor's formats).
enum ColorSpecification {
    static func color(_ text: some StringProtocol) -> RGB? {
        for (prefix, count) in [("rgb:", 3), ("rgba:", 4)] where text.hasPrefix(prefix) {
            let channels = text.dropFirst(prefix.count)
                .split(separator: "/", omittingEmptySubsequences: false)
            return channels.count == count
                ? color(channels.map { channel($0, isScaled: true) }) : nil
        }
        let digits = text.dropFirst()
        guard text.hasPrefix("#"), digits.utf8.count % 3 == 0 else { return nil }
        let length = digits.utf8.count / 3
        let channels = (0..<3).map { digits.dropFirst($0 * length).prefix(length) }
        return color(channels.map { channel($0, isScaled: false) })
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
        guard (1...4).contains(count), digits.allSatisfy(\.isHexDigit),
            let value = Int(digits, radix: 16)
        else { return nil }
        guard isScaled else { return UInt8(count == 1 ? value << 4 : value >> (4 * (count - 2))) }
        let largest = 1 << (4 * count) - 1
        return UInt8((value * 255 + largest / 2) / largest)
    }
}
