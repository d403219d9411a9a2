import Raster

extension ScreenEmulator {
    /// The parser's state within a sequence.
    struct Parser {
        enum State {
            case ground
            case escape
            case charset
            case control
            /// OSC, DCS and similar strings, until ST or BEL.
            case string
        }

        var state = State.ground
        /// The bytes of the current sequence.
        var sequence: [UInt8] = []
        /// The bytes of the current UTF-8 character, and its length.
        var character: [UInt8] = []
        var characterLength = 0
    }

    func consume(_ byte: UInt8) {
        switch parser.state {
        case .ground: ground(byte)
        case .escape: escape(byte)
        case .charset:
            usesLineDrawing = parser.sequence == [UInt8(ascii: "(")] && byte == UInt8(ascii: "0")
            parser.state = .ground
        case .control: control(byte)
        case .string: string(byte)
        }
    }

    private func ground(_ byte: UInt8) {
        switch byte {
        case 0x1B: start(.escape)
        case 0x08:
            cursorX = max(0, cursorX - 1)
            isWrapPending = false
        case 0x09: cursorX = min(size.columns - 1, (cursorX / 8 + 1) * 8)
        case 0x0A, 0x0B, 0x0C: lineFeed()
        case 0x0D:
            cursorX = 0
            isWrapPending = false
        case 0..<0x20, 0x7F: break
        case 0x20..<0x7F: put(lineDrawing(byte))
        default: utf8(byte)
        }
    }

    private func start(_ state: Parser.State) {
        parser.state = state
        parser.sequence = []
    }

    private func utf8(_ byte: UInt8) {
        if byte >= 0xC0 {
            parser.character = [byte]
            parser.characterLength = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
            return
        }
        parser.character.append(byte)
        if parser.character.count == parser.characterLength {
            for scalar in String(decoding: parser.character, as: UTF8.self).unicodeScalars {
                put(scalar.value)
            }
        }
    }

    private func lineDrawing(_ byte: UInt8) -> UInt32 {
        let table = Array("◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·".unicodeScalars)
        guard usesLineDrawing, byte >= 0x60, Int(byte) - 0x60 < table.count else {
            return UInt32(byte)
        }
        return table[Int(byte) - 0x60].value
    }

    private func escape(_ byte: UInt8) {
        parser.state = .ground
        switch byte {
        case UInt8(ascii: "["): start(.control)
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
            UInt8(ascii: "X"):
            start(.string)
            parser.sequence = [byte]
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"):
            start(.charset)
            parser.sequence = [byte]
        case UInt8(ascii: "7"): saveCursor()
        case UInt8(ascii: "8"): restoreCursor()
        case UInt8(ascii: "D"): lineFeed()
        case UInt8(ascii: "E"):
            cursorX = 0
            lineFeed()
        case UInt8(ascii: "M"): reverseLineFeed()
        case UInt8(ascii: "c"): reset()
        // The keypad mode, and a stray string terminator.
        case UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "\\"): break
        default: unrecognised.append("ESC \(Unicode.Scalar(byte))")
        }
    }

    private func string(_ byte: UInt8) {
        let isTmux = parser.sequence.starts(with: "Ptmux;".utf8)
        // Within tmux's passthrough strings escape characters are doubled.
        let escapes = parser.sequence.reversed().prefix { $0 == 0x1B }.count
        let isEnd = byte == UInt8(ascii: "\\") && (isTmux ? escapes % 2 == 1 : escapes > 0)
        let isTerminated = byte == 0x07 && !isTmux || isEnd
        guard isTerminated else {
            parser.sequence.append(byte)
            return
        }
        parser.state = .ground
        if parser.sequence.last == 0x1B {
            parser.sequence.removeLast()
        }
        if isTmux { return passThrough(parser.sequence.dropFirst(6)) }
        let text = String(decoding: parser.sequence, as: UTF8.self)
        answer(command: text)
        show(graphics: parser.sequence)
        if text.hasPrefix("]0;") || text.hasPrefix("]2;") {
            title = String(text.dropFirst(3))
        } else if text.hasPrefix("]52;") {
            clipboard =
                text.split(separator: ";", omittingEmptySubsequences: false).last.map(String.init)
                ?? ""
        }
    }

    private func control(_ byte: UInt8) {
        switch byte {
        case 0x1B: start(.escape)
        case 0x20...0x3F: parser.sequence.append(byte)
        case 0x40...0x7E:
            parser.state = .ground
            perform(ControlSequence(parser.sequence, final: byte))
        // Control characters act within sequences, too.
        default: ground(byte)
        }
    }
}

/// A parsed control sequence (CSI).
struct ControlSequence {
    /// The private marker (`?`, `>`, `<`, `=`), if any.
    var marker: Character?
    /// The parameters, with the colon-separated parts of each.
    var parameters: [[Int]]
    /// The intermediate bytes between parameters and final byte.
    var intermediates: String
    /// The final byte.
    var final: Character
    /// The whole sequence, for messages.
    var text: String

    init(_ bytes: [UInt8], final: UInt8) {
        self.final = Character(Unicode.Scalar(final))
        text = "CSI " + String(decoding: bytes, as: UTF8.self) + String(self.final)
        var body = bytes[...]
        if let first = body.first, (0x3C...0x3F).contains(first) {
            marker = Character(Unicode.Scalar(first))
            body = body.dropFirst()
        }
        let digits = body.prefix { $0 >= 0x30 }
        intermediates = String(decoding: body.dropFirst(digits.count), as: UTF8.self)
        parameters = digits.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map {
                $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
                    Int(String(decoding: $0, as: UTF8.self)) ?? 0
                }
            }
    }

    /// Returns the parameter at `index`, or `fallback` if it is missing or 0.
    func number(_ index: Int, or fallback: Int = 1) -> Int {
        guard parameters.indices.contains(index), let value = parameters[index].first, value > 0
        else { return fallback }
        return value
    }
}
