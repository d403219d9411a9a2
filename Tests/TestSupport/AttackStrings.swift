/// Strings that an attacker may supply as a title, name or value, to control, reorder or flood the terminal that prints them.
public enum AttackStrings {
    /// More than 500 byte strings, each between `before` and `behind`; not all of them are valid UTF-8.
    public static let all: [[UInt8]] = (controls + sequences + invisible + floods + broken).map {
        Array("before".utf8) + $0 + Array("behind".utf8)
    }

    /// The ones that are valid UTF-8.
    public static let texts: [String] = all.compactMap { String(validating: $0, as: UTF8.self) }

    /// Returns a description of the first thing in `output` that must not be sent to a terminal; nil if there is none.
    ///
    /// Based on Unicode's own properties, not on the program's tables. Line feeds are allowed, and colour sequences if `allowingStyles`.
    public static func harm(in output: [UInt8], allowingStyles: Bool = false) -> String? {
        guard let text = String(validating: output, as: UTF8.self) else { return "invalid UTF-8" }
        var marks = 0
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if allowingStyles, scalar == "\u{1B}", rest.first == "[" {
                let end = rest.dropFirst().drop { "0123456789;".unicodeScalars.contains($0) }
                if end.first == "m" {
                    rest = end.dropFirst()
                    continue
                }
            }
            marks = isMark(scalar) ? marks + 1 : 0
            if marks > 8 { return "a flood of \(name(scalar))" }
            if scalar != "\n", isHarmful(scalar) { return name(scalar) }
        }
        return nil
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: break
        }
        // Scripts use the joiners; variation selectors follow a glyph like a mark.
        let isOfScript =
            properties.isJoinControl || properties.isVariationSelector || scalar == "\u{34F}"
        return properties.isBidiControl || scalar == "\u{2800}"
            || properties.isDefaultIgnorableCodePoint && !isOfScript
            || (0xFFF9...0xFFFB).contains(scalar.value)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: scalar.properties.isJoinControl
        }
    }

    private static func name(_ scalar: Unicode.Scalar) -> String {
        "U+" + String(scalar.value, radix: 16, uppercase: true)
    }

    private static func utf8(_ scalars: some Sequence<UInt32>) -> [UInt8] {
        scalars.compactMap(Unicode.Scalar.init).flatMap { Array(String($0).utf8) }
    }

    /// C0, DEL, C1, and the other line separators.
    private static let controls: [[UInt8]] =
        (Array(0...0x1F) + Array(0x7F...0x9F) + [0x2028, 0x2029]).map { utf8([$0]) }

    /// Control sequences, in 7-bit and 8-bit form, with each terminator or none.
    private static let sequences: [[UInt8]] = {
        let parameters = [
            "31m", "2J", "H", "10;20H", "6n", "5n", "c", ">c", ">0q", "?1049h", "?1000h", "?25l",
            "?2004l", "!p", "3;99r", "8;1;1t", "14t", "21t", "4h", "20h", "999S", "999L", "1 q",
            "5m", "8m", "?5h", "?7l", "?47h", "?1003h",
            "?2026h", "?1;2c", ">4;2m", ">1u", "18t", "22;0t", "999b", "999P", "3J", "6;1R", "i",
            "4i",
        ]
        let strings = [
            "]0;title", "]2;title", "]4;1;?", "]8;;http://evil.example/", "]9;note", "]10;?",
            "]11;#000",
            "]50;font", "]52;c;cm0gLXJm", "]104", "]133;A", "]777;notify;a;b",
            "]1337;File=inline=1:AAAA", "P$qm", "P+q544e", "Pq#0;2;0;0;0~", "Ptmux;\u{1B}\u{1B}[2J",
            "_Gi=31,s=1,v=1,a=q;AAAA", "^private", "Xstring", "_screen",
        ]
        let short = [
            "c", "7", "8", "D", "E", "M", "N", "O", "Z", "=", ">", "#8", "(0", ")0", "%G", "n", "~",
        ]
        let endings: [[UInt8]] = [[7], [0x1B, 0x5C], [0xC2, 0x9C], []]
        let plain =
            (parameters.map { "\u{1B}[" + $0 } + parameters.map { "\u{9B}" + $0 }
            + short.map { "\u{1B}" + $0 }).map { Array($0.utf8) }
        return plain
            + strings.flatMap { string in
                let (first, rest) = (string.utf8.first ?? 0, Array(string.utf8.dropFirst()))
                let openings: [[UInt8]] = [[0x1B, first], [0xC2, first + 0x40]]
                return openings.flatMap { opening in endings.map { opening + rest + $0 } }
            }
    }()

    /// Bidirectional controls and invisible characters.
    private static let invisible: [[UInt8]] = {
        let ranges: [ClosedRange<UInt32>] = [
            0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x115F...0x1160, 0x17B4...0x17B5,
            0x180B...0x180F,
            0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x2800...0x2800, 0x3164...0x3164,
            0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3,
            0x1D173...0x1D17A, 0xE0001...0xE0001, 0xE0020...0xE0030, 0xE0100...0xE0105,
        ]
        return ranges.flatMap { $0.map { utf8([$0]) } } + [
            // Displayed as "exe.gpj"; and an isolate that is never closed.
            utf8([0x202E]) + Array("gpj.exe".utf8), utf8([0x2067, 0x2067, 0x2067]),
        ]
    }()

    /// More combining marks than any letter has.
    private static let floods: [[UInt8]] = {
        let marks: [UInt32] = [
            0x300, 0x334, 0x489, 0x5B0, 0x64B, 0xE47, 0xF71, 0x1AB0, 0x200C, 0x200D, 0x20DD, 0x302A,
            0xFE0F, 0xFE20, 0xE0100,
        ]
        return marks.flatMap { mark in
            [9, 40, 300].map { utf8(Array(repeating: mark, count: $0)) }
        }
    }()

    /// Invalid UTF-8.
    private static let broken: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC0, 0x9B], [0xC1, 0xBF], [0xC2], [0xE0, 0x80, 0x9B],
        [0xE2, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x9B],
        [0xF0, 0x9F],
        [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8], [0xFC], [0xFE], [0xFF],
        [0x9B, 0x32, 0x4A], [0x9D, 0x30, 0x3B, 0x78, 0x07], [0x90, 0x71], [0x9F, 0x47, 0x9C],
    ]
}
