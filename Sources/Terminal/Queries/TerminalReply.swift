import Basics
import Raster

enum TerminalReply: Hashable {
    /// The background colour (OSC 11).
    case background(RGB)
    /// Palette colours by index, 0…15 (OSC 4).
    case palette([Int: RGB])
    /// A cell's width and height in pixels (XTWINOPS 6).
    case cellSize(width: Int, height: Int)
    /// Whether the terminal has this private mode (DECRQM).
    case mode(Int, isKnown: Bool)
    /// Its window has got the focus, or lost it.
    case focus(Bool)
    /// It has turned dark or light.
    case lightHasChanged
    /// Whether 24-bit colours are shown exactly or replaced by the palette's (DECRQSS; the capabilities `RGB` and `Tc`).
    case directColor(Bool)
    /// The number of colours (the capability `colors`).
    case colorCount(Int)
    /// The terminal's name and version (XTVERSION).
    case program(TerminalProgram)
    /// Whether kitty's graphics protocol is understood.
    case kittyGraphics(Bool)
    /// Whether the terminal has read a picture from shared memory.
    case sharedMemory(Bool)
    /// The terminal does not have a picture that was sent.
    case pictureIsLost
    /// The terminal has read everything up to the query (DSR).
    case hasReadOn
    /// The maximum number of colours of sixel pictures (XTSMGRAPHICS).
    case sixelColors(Int)
    /// The primary device attributes, used as a fence, and whether they include sixels.
    case attributes(hasSixels: Bool)
    /// Whether all terminals around tmux show sixels, which tmux says to a command.
    case clients(showSixels: Bool)

    /// Interprets what tmux knows of the terminals around it: a line of features, separated by commas, for each.
    init(clients features: String) {
        let lines = features.split(separator: "\n")
        self = .clients(
            showSixels: !lines.isEmpty
                && lines.allSatisfy { $0.split(separator: ",").contains("sixel") })
    }

    /// Longer texts cannot be replies to our queries: sixteen colours in one take 400 bytes.
    private static let longest = 512

    /// Interprets a sequence; nil if it is not a reply.
    init?(_ sequence: EscapeSequence) {
        let body = sequence.body
        guard body.utf8.count <= Self.longest else { return nil }
        switch (sequence.introducer, sequence.final) {
        case ("[", let final): self.init(control: body, final: final)
        case ("]", _):
            self.init(command: body.split(separator: ";", omittingEmptySubsequences: false))
        case ("P", _): self.init(deviceControl: body)
        case ("_", _) where body.hasPrefix("Gi=\(TerminalQuery.graphicsID);"):
            self = .kittyGraphics(body.hasSuffix(";OK"))
        case ("_", _) where body.hasPrefix("Gi=\(TerminalQuery.sharedID);"):
            self = .sharedMemory(body.hasSuffix(";OK"))
        case ("_", _) where body.hasPrefix("Gi=") && body.contains(";ENOENT"): self = .pictureIsLost
        default: return nil
        }
    }

    private init?(control body: String, final: Unicode.Scalar) {
        let isPrivate = body.hasPrefix("?")
        let parts = body.dropFirst(isPrivate ? 1 : 0)
            .split(separator: ";", omittingEmptySubsequences: false)
        let numbers = parts.map(Self.number)
        switch (isPrivate, final, numbers.first) {
        case (true, "c", _): self = .attributes(hasSixels: parts.dropFirst().contains("4"))
        case (false, "n", 0?) where body == "0": self = .hasReadOn
        case (true, "S", 1?):
            guard numbers.count == 3, numbers[1] == 0, let count = numbers[2] else { return nil }
            self = .sixelColors(count)
        case (false, "t", 6?):
            guard numbers.count == 3, let height = numbers[1], let width = numbers[2] else {
                return nil
            }
            self = .cellSize(width: width, height: height)
        case (true, "n", 997?): self = .lightHasChanged
        case (false, "I", _) where body.isEmpty: self = .focus(true)
        case (false, "O", _) where body.isEmpty: self = .focus(false)
        case (true, "y", let mode??):
            guard numbers.count == 2, parts[1].hasSuffix("$"),
                let state = Self.number(parts[1].dropLast())
            else { return nil }
            // Set, reset, permanently set; 0 is unknown, 4 is permanently reset.
            self = .mode(mode, isKnown: (1...3).contains(state))
        default: return nil
        }
    }

    private init?(command parts: [Substring]) {
        switch parts.first {
        case "11" where parts.count == 2:
            guard let color = ColorSpecification.color(parts[1]) else { return nil }
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

    private init?(deviceControl text: String) {
        if text.hasPrefix(">|") {
            self = .program(TerminalProgram(text.dropFirst(2)))
        } else if text.hasPrefix("1$r"), text.hasSuffix("m") {
            self.init(rendition: text.dropFirst(3).dropLast())
        } else if text.hasPrefix("1+r") {
            let (name, value) = text.dropFirst(3).halves(at: "=")
            self.init(capability: Self.decoded(name), value: Self.decoded(value ?? ""))
        } else {
            return nil
        }
    }

    /// Parses the attributes after our 24-bit background was set: `48:2::R:G:B`, with or without the empty or numeric field, or
    /// with semicolons; nil if they include no background.
    private init?(rendition: Substring) {
        let numbers = rendition.split { $0 == ":" || $0 == ";" }.map(Self.number)
        guard let place = numbers.firstIndex(of: 48) else { return nil }
        let wanted = TerminalQuery.directColor.channels.map(Int.init)
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
    private static func decoded(_ digits: String) -> String {
        let digits = digits.bytes
        return String(
            utf8: stride(from: 0, to: digits.count, by: 2).compactMap {
                PercentEncoding.byte(ofDigitsAt: $0, in: digits)
            })
    }

    /// How replies begin that may be told from keys before their end, and what most of them contain besides printable text.
    private static let beginnings = [
        "]11;", "]4;", "]5522;", "[?", "P1$r", "P0$r", "P1+r", "P0+r", "P>|", "_Gi=",
    ]
    .map { Array($0.unicodeScalars) }
    private static let characters = Set("0123456789abcdefABCDEFgimr:;/#$=+?|>".unicodeScalars)

    /// Returns whether a sequence that starts with `text`, without its escape character, must be a reply rather than a key.
    static func isBegun(by text: [Unicode.Scalar]) -> Bool {
        (2...longest).contains(text.count)
            && beginnings.contains { zip($0, text).allSatisfy(==) }
    }

    /// Returns whether the reply that starts with `text` may continue with `scalar`.
    static func canContinue(_ text: [Unicode.Scalar], with scalar: Unicode.Scalar) -> Bool {
        text.starts(with: "P>".unicodeScalars) || text.starts(with: "_".unicodeScalars)
            ? (0x20...0x7E).contains(scalar.value) : characters.contains(scalar)
    }

    /// Parses one to four digits.
    private static func number(_ text: some StringProtocol) -> Int? {
        // `Int` would accept a sign, too.
        (1...4).contains(text.utf8.count) && text.allSatisfy(\.isWholeNumber) ? Int(text) : nil
    }
}
