import Basics
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
    /// Whether a 24-bit colour is shown as it is, or one of a palette instead (DECRQSS; the capabilities `RGB` and `Tc`).
    case directColor(Bool)
    /// How many colours there are (the capability `colors`).
    case colorCount(Int)
    /// Its name and version (XTVERSION).
    case program(TerminalProgram)
    /// Whether kitty's graphics protocol was understood.
    case kittyGraphics(Bool)
    /// It no longer has the picture of that id.
    case pictureIsLost(UInt32)
    /// How many colours a picture in sixels may have (XTSMGRAPHICS).
    case sixelColors(Int)
    /// The primary device attributes, the fence: whether they name sixels.
    case attributes(hasSixels: Bool)

    var isFence: Bool { if case .attributes = self { true } else { false } }

    /// Longer texts are no answer to what was asked: sixteen colours in one take 400 bytes.
    static let longest = 512

    /// Reads a control sequence (CSI): its bytes between `[` and `final`; nil if it is no answer.
    init?(control body: ArraySlice<UInt8>, final: UInt8) {
        let text = String(decoding: body, as: UTF8.self)
        switch final {
        case UInt8(ascii: "c"):
            guard text.hasPrefix("?") else { return nil }
            self = .attributes(
                hasSixels: text.dropFirst().split(separator: ";").dropFirst().contains("4"))
        case UInt8(ascii: "S"):
            let numbers = text.dropFirst().split(separator: ";").map(Self.number)
            guard text.hasPrefix("?1;0;"), numbers.count == 3, let count = numbers[2] else {
                return nil
            }
            self = .sixelColors(count)
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

    /// Reads a device control string (DCS): its bytes between `P` and the terminator; nil if it is no answer.
    init?(deviceControl body: ArraySlice<UInt8>) {
        guard body.count <= Self.longest else { return nil }
        let text = String(decoding: body, as: UTF8.self)
        if text.hasPrefix(">|") {
            self = .program(TerminalProgram(text.dropFirst(2)))
        } else if text.hasPrefix("1$r"), text.hasSuffix("m") {
            self.init(rendition: text.dropFirst(3).dropLast())
        } else if text.hasPrefix("1+r") {
            let parts = text.dropFirst(3).split(separator: "=", maxSplits: 1)
            self.init(
                capability: Self.decoded(parts.first ?? ""),
                value: Self.decoded(parts.dropFirst().first ?? ""))
        } else {
            return nil
        }
    }

    /// Reads an application program command (APC): its bytes between `_` and the terminator; nil if it is no answer.
    init?(applicationCommand body: ArraySlice<UInt8>) {
        let text = String(decoding: body, as: UTF8.self)
        if text.hasPrefix("Gi=\(TerminalQuery.graphicsID);") {
            self = .kittyGraphics(text.hasSuffix(";OK"))
        } else if text.hasPrefix("Gi="), text.contains(";ENOENT"),
            let id = UInt32(text.dropFirst(3).prefix(while: \.isNumber))
        {
            self = .pictureIsLost(id)
        } else {
            return nil
        }
    }

    /// The attributes after our 24-bit background was set: `48:2::R:G:B`, with or without the empty part or a number there, or
    /// with semicolons; nil if there is nothing about a background.
    private init?(rendition: Substring) {
        let numbers = rendition.split { $0 == ":" || $0 == ";" }.map(Self.number)
        guard let place = numbers.firstIndex(of: 48) else { return nil }
        let color = TerminalQuery.directColor
        let wanted = [color.red, color.green, color.blue].map { Int($0) }
        let kind = numbers.dropFirst(place + 1).first
        let isDirect =
            kind == 2 && numbers.indices.contains { numbers[$0...].starts(with: wanted) }
        guard isDirect || kind == 5 else { return nil }
        self = .directColor(isDirect)
    }

    private init?(capability name: String, value: String) {
        switch name {
        // Boolean, or the bits of each channel; -1 and 0 are none.
        case "RGB", "Tc":
            guard value != "0", !value.hasPrefix("-") else { return nil }
            self = .directColor(true)
        case "colors":
            guard let count = Int(bounded: value) else { return nil }
            self = .colorCount(count)
        default: return nil
        }
    }

    /// The text that hexadecimal digits stand for.
    private static func decoded(_ digits: Substring) -> String {
        let codes = Array(digits.utf8).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return stride(from: 0, to: codes.count - 1, by: 2).reduce(into: "") { text, at in
            text.unicodeScalars.append(Unicode.Scalar(UInt8(codes[at] << 4 | codes[at + 1])))
        }
    }

    /// How answers begin, without the escape character, and what they hold besides digits.
    private static let forms: [(start: String, characters: String)] = [
        ("]11;", colorCharacters), ("]4;", colorCharacters), ("[?", ";$"),
        ("P1$r", ":;m"), ("P0$r", ":;m"), ("P1+r", "=;abcdefABCDEF"), ("P0+r", "=;abcdefABCDEF"),
        ("P>|", printable), ("_Gi=", printable),
    ]
    private static let printable = String(
        String.UnicodeScalarView((0x20...0x7E).compactMap(Unicode.Scalar.init)))
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
