import Basics
import Raster

enum TerminalReply: Hashable {
    /// The background colour (OSC 11).
    case background(RGB)
    /// Palette colours by index, 0…15 (OSC 4).
    case palette([Int: RGB])
    /// A cell's width and height in pixels (XTWINOPS 6).
    case cellSize(width: Int, height: Int)
    /// Whether frames can be bracketed to be shown at once (DECRPM 2026).
    case synchronizedOutput(Bool)
    /// Whether 24-bit colours are shown exactly or replaced by the palette's (DECRQSS; the capabilities `RGB` and `Tc`).
    case directColor(Bool)
    /// The number of colours (the capability `colors`).
    case colorCount(Int)
    /// The terminal's name and version (XTVERSION).
    case program(TerminalProgram)
    /// Whether kitty's graphics protocol is understood.
    case kittyGraphics(Bool)
    /// The terminal does not have a picture that was sent.
    case pictureIsLost
    /// The terminal has read everything up to the query (DSR).
    case hasReadOn
    /// The maximum number of colours of sixel pictures (XTSMGRAPHICS).
    case sixelColors(Int)
    /// The primary device attributes, used as a fence, and whether they include sixels.
    case attributes(hasSixels: Bool)

    var isFence: Bool { if case .attributes = self { true } else { false } }

    /// Longer texts cannot be replies to our queries: sixteen colours in one take 400 bytes.
    static let longest = 512

    /// Parses a control sequence (CSI) from its bytes between `[` and `final`; nil if it is not a reply.
    init?(control body: ArraySlice<UInt8>, final: UInt8) {
        let text = String(decoding: body, as: UTF8.self)
        switch final {
        case UInt8(ascii: "c"):
            guard text.hasPrefix("?") else { return nil }
            self = .attributes(
                hasSixels: text.dropFirst().split(separator: ";").dropFirst().contains("4"))
        case UInt8(ascii: "n"):
            guard text == "0" else { return nil }
            self = .hasReadOn
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
            // Set, reset, permanently set; 0 is unknown, 4 is permanently reset.
            self = .synchronizedOutput((1...3).contains(state))
        default: return nil
        }
    }

    /// Parses an operating system command (OSC) from its bytes between `]` and the terminator; nil if it is not a reply.
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

    /// Parses a device control string (DCS) from its bytes between `P` and the terminator; nil if it is not a reply.
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

    /// Parses an application program command (APC) from its bytes between `_` and the terminator; nil if it is not a reply.
    init?(applicationCommand body: ArraySlice<UInt8>) {
        let text = String(decoding: body, as: UTF8.self)
        if text.hasPrefix("Gi=\(TerminalQuery.graphicsID);") {
            self = .kittyGraphics(text.hasSuffix(";OK"))
        } else if text.hasPrefix("Gi="), text.contains(";ENOENT") {
            self = .pictureIsLost
        } else {
            return nil
        }
    }

    /// Parses the attributes after our 24-bit background was set: `48:2::R:G:B`, with or without the empty or numeric field, or
    /// with semicolons; nil if they include no background.
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
        // A boolean, or the bits per channel; -1 and 0 mean none.
        case "RGB", "Tc":
            guard value != "0", !value.hasPrefix("-") else { return nil }
            self = .directColor(true)
        case "colors":
            guard let count = Int(bounded: value) else { return nil }
            self = .colorCount(count)
        default: return nil
        }
    }

    /// Decodes text from hexadecimal digits.
    private static func decoded(_ digits: Substring) -> String {
        let codes = Array(digits.utf8).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return stride(from: 0, to: codes.count - 1, by: 2).reduce(into: "") { text, at in
            text.unicodeScalars.append(Unicode.Scalar(UInt8(codes[at] << 4 | codes[at + 1])))
        }
    }

    /// The prefixes of replies, without the escape character, and the characters they may contain besides digits.
    private static let forms: [(start: String, characters: String)] = [
        ("]11;", colorCharacters), ("]4;", colorCharacters), ("[?", ";$"),
        ("P1$r", ":;m"), ("P0$r", ":;m"), ("P1+r", "=;abcdefABCDEF"), ("P0+r", "=;abcdefABCDEF"),
        ("P>|", printable), ("_Gi=", printable),
    ]
    private static let printable = String(
        String.UnicodeScalarView((0x20...0x7E).compactMap(Unicode.Scalar.init)))
    private static let colorCharacters = "rgba:/;#abcdefABCDEF"

    /// Returns whether a sequence with these first bytes, without its escape character, must be a reply rather than a key.
    static func isBegun(by bytes: [UInt8]) -> Bool {
        (2...longest).contains(bytes.count) && form(of: bytes) != nil
    }

    /// Returns whether a reply with these first bytes may continue with `byte`.
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

    /// Parses one to four digits.
    private static func number(_ text: some StringProtocol) -> Int? {
        // `Int` would accept a sign, too.
        (1...4).contains(text.utf8.count) && text.allSatisfy(\.isWholeNumber) ? Int(text) : nil
    }
}

/// Parses colours in X11 notation: `rgb:R/G/B` with one to four hexadecimal digits each, `rgba:` likewise, and
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

    /// Parses one channel: a fraction of the largest number with as many digits, or, after `#`, the leading digits.
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
