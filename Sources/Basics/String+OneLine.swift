extension String {
    /// Returns the text as one harmless line, at most `limit` scalars long.
    ///
    /// Text from pages, file names and servers passes through here before it is shown, printed or put into a message: an escape sequence in
    /// a title must not reach the terminal. Characters unfit for a line are dropped (`isUnfitForLine`), and every run of white space,
    /// including line breaks, becomes one space, or none at the ends. Letters keep their marks and joiners, but only up to a limit.
    public func oneLine(limit: Int = 4096) -> String {
        var text = self
        return text.withUTF8 { String(plainLine: $0, limit: limit) }
            ?? String(oneLine: unicodeScalars, limit: limit)
    }

    /// Creates one harmless line from scalars; see `oneLine(limit:)`.
    public init(oneLine scalars: some Sequence<Unicode.Scalar>, limit: Int = 4096) {
        var line = String.UnicodeScalarView()
        var count = 0
        var marks = 0
        var hasGap = false
        for scalar in scalars {
            if scalar.isBlank {
                hasGap = count > 0
                continue
            }
            if scalar.isUnfitForLine { continue }
            marks = scalar.isMark ? marks + 1 : 0
            if marks > Self.maxMarks || marks > 0 && count == 0 { continue }
            guard count + (hasGap ? 2 : 1) <= limit else { break }
            if hasGap {
                line.append(" ")
                count += 1
                hasGap = false
            }
            line.append(scalar.isEscapedByte ? "\u{FFFD}" : scalar)
            count += 1
        }
        self.init(line)
    }

    /// Creates a line from ASCII `bytes`, which most texts are, without decoding characters; nil if they are not ASCII.
    public init?(plainLine bytes: Bytes, limit: Int = .max) {
        var isPlain = true
        self.init(unsafeUninitializedCapacity: bytes.count) { line in
            var count = 0
            var hasGap = false
            for byte in bytes {
                if byte > 0x20, byte < 0x7F {
                    guard count + (hasGap ? 2 : 1) <= limit else { return count }
                    if hasGap {
                        line[count] = 0x20
                        count += 1
                        hasGap = false
                    }
                    line[count] = byte
                    count += 1
                } else if byte >= 0x80 {
                    isPlain = false
                    return 0
                } else if byte == 0x20 || (0x09...0x0D).contains(byte) {
                    hasGap = count > 0
                }
            }
            return count
        }
        if !isPlain { return nil }
    }

    /// The text without characters that are unfit for a line; white space is kept, except for line breaks.
    public var withoutControls: String {
        if isPlain { return self }
        var marks = 0
        return String(
            String.UnicodeScalarView(
                unicodeScalars.compactMap { scalar in
                    marks = scalar.isMark ? marks + 1 : 0
                    let isFit =
                        !scalar.isUnfitForLine && scalar.value != 0x2028 && scalar.value != 0x2029
                        && marks <= Self.maxMarks
                    return isFit ? scalar.isEscapedByte ? "\u{FFFD}" : scalar : nil
                }))
    }

    /// More marks than any script puts on one letter; terminals draw larger stacks over other lines.
    private static let maxMarks = 8
}

extension Unicode.Scalar {
    /// Whether the character is unfit for a line: controls, which drive a terminal, bidirectional controls, which reorder the text around
    /// them, and other invisible characters, except for the joiners that some scripts need.
    public var isUnfitForLine: Bool {
        switch value {
        case 0x20..<0x7F: false
        case 0..<0xA0, 0xAD, 0x061C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180E, 0x200B,
            0x200E...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x2800, 0x3164, 0xFEFF, 0xFFA0,
            0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A,
            0xE0000...0xE00FF, 0xE01F0...0xE0FFF:
            true
        default: false
        }
    }

    /// Whether the character is Unicode White_Space or the braille blank; the standard library's property takes several times as long.
    var isBlank: Bool {
        switch value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
            0x2800, 0x3000:
            true
        default: false
        }
    }
}

extension String {
    /// The text as it is written in XML and HTML, also in attributes between apostrophes.
    public var escapedForMarkup: String {
        let escapes: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", "'": "&#39;"]
        return unicodeScalars.reduce(into: "") { text, scalar in
            let isForbidden = scalar.value < 0x20 || scalar.value & 0xFFFE == 0xFFFE
            text += isForbidden ? " " : escapes[scalar] ?? String(scalar)
        }
    }
}
