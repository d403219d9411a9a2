import Raster

/// What a terminal answers.
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

    /// Whether a sequence that begins with these bytes, without its escape character, can only be an answer: nobody
    /// types that.
    static func isBegun(by bytes: some Collection<UInt8>) -> Bool {
        (2...longest).contains(bytes.count)
            && ["]11;", "]4;", "[?"].contains {
                bytes.starts(with: $0.utf8.prefix(bytes.count))
            }
    }

    /// One to four digits.
    private static func number(_ text: some StringProtocol) -> Int? {
        guard (1...4).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text)
    }
}
