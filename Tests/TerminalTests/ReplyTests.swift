import Raster
import Testing

@testable import Browser
@testable import Terminal

/// Terminals' replies, well-formed and malformed, and their interpretation.
@Suite struct ReplyTests {
    private func read(_ text: String) -> (replies: [TerminalReply], events: [InputEvent]) {
        var decoder = InputDecoder()
        let events = text.unicodeScalars.flatMap { decoder.character($0, at: 0) } + decoder.pause()
        return (decoder.replies, events)
    }

    static let white = RGB(0xFFFFFF)

    @Test(
        "replies are read in all forms that terminals send",
        arguments: [
            ("\u{1B}]11;rgb:ffff/ffff/ffff\u{7}", [.background(white)]),
            ("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", [.background(white)]),
            ("\u{1B}]11;rgb:1e/1e/2e\u{7}", [.background(RGB(0x1E1E2E))]),
            ("\u{1B}]11;rgb:f/0/8\u{7}", [.background(RGB(0xFF0088))]),
            ("\u{1B}]11;rgba:0000/2b2b/3636/ffff\u{7}", [.background(RGB(0x002B36))]),
            ("\u{1B}]11;#fdf6e3\u{7}", [.background(RGB(0xFDF6E3))]),
            ("\u{1B}]11;#fdfdf6f6e3e3\u{7}", [.background(RGB(0xFDF6E3))]),
            ("\u{1B}]4;9;rgb:ffff/0000/0000\u{7}", [.palette([9: RGB(0xFF0000)])]),
            (
                "\u{1B}]4;0;rgb:00/00/00;15;rgb:ff/ff/ff\u{7}",
                [.palette([0: RGB(0), 15: white])]
            ),
            ("\u{1B}[6;18;9t", [.cellSize(width: 9, height: 18)]),
            ("\u{1B}[?2026;2$y", [.mode(2026, isKnown: true)]),
            ("\u{1B}[?2026;0$y", [.mode(2026, isKnown: false)]),
            ("\u{1B}[I\u{1B}[O", [.focus(true), .focus(false)]),
            ("\u{1B}[?997;1n", [.lightHasChanged]),
            ("\u{1B}_Gi=32;OK\u{1B}\\", [.sharedMemory(true)]),
            ("\u{1B}_Gi=32;ENOENT:gone\u{1B}\\", [.sharedMemory(false)]),
            ("\u{1B}P1$r0;48:2::150:30:75m\u{1B}\\", [.directColor(true)]),
            ("\u{1B}P1$r48:2:150:30:75m\u{1B}\\", [.directColor(true)]),
            ("\u{1B}P1$r0;48:2:1:150:30:75m\u{7}", [.directColor(true)]),
            ("\u{1B}P1$r0;48;2;150;30;75m\u{1B}\\", [.directColor(true)]),
            ("\u{1B}P1$r0;48:5:89m\u{1B}\\", [.directColor(false)]),
            ("\u{1B}P1+r524742=382F382F38\u{1B}\\", [.directColor(true)]),
            ("\u{1B}P1+r5463\u{1B}\\", [.directColor(true)]),
            ("\u{1B}P1+r636f6c6f7273=323536\u{1B}\\", [.colorCount(256)]),
            ("\u{1B}P>|foot(1.13.1)\u{1B}\\", [.program(TerminalProgram("foot(1.13.1)"))]),
            ("\u{1B}[?64;1;2;22c", [.attributes(hasSixels: false)]),
            ("\u{1B}[?6c", [.attributes(hasSixels: false)]),
            ("\u{1B}[?4;6c", [.attributes(hasSixels: false)]),
            ("\u{1B}[?1;2;4c", [.attributes(hasSixels: true)]),
            ("\u{1B}_Gi=31;OK\u{1B}\\", [.kittyGraphics(true)]),
            ("\u{1B}_Gi=31;ENOTSUPPORTED:no\u{1B}\\", [.kittyGraphics(false)]),
            ("\u{1B}[?1;0;1024S", [.sixelColors(1024)]),
        ] as [(String, [TerminalReply])])
    func forms(text: String, expected: [TerminalReply]) {
        let (replies, events) = read(text)
        #expect(replies == expected)
        #expect(events == [])
    }

    @Test(
        "malformed replies are neither replies nor keys",
        arguments: [
            "]11;rgb:ffff/ffff", "]11;rgb:fffff/0/0", "]11;rgb:gg/00/00", "]11;rgb:+f/00/00",
            "]11;rgb://", "]11;", "]11", "]11;red", "]11;#ffff", "]11;#", "]11;rgba:1/2/3",
            "]11;rgb:ff/ff/ff;rgb:0/0/0", "]4;16;rgb:0/0/0", "]4;-1;rgb:0/0/0", "]4;0", "]4;;",
            "]4;99999999999999999999;rgb:0/0/0", "]4;0;rgb:0/0/0;1", "]10;rgb:0/0/0",
            "P1$r0m", "P1$r48:2m", "P1$r48:2:1:2:3m", "P1$rm", "P0$r", "P1$r48:2:150:30:75", "P1+r",
            "P0+r524742", "P1+r524742=30", "P1+r524742=2D31", "P1+r636F6C6F7273=", "P1+r=", "P1+r5",
            "P1+r636F6C6F7273=3939393939393939393939393939393939393939", "P", "P+q524742",
            "P>|" + String(repeating: "x", count: 600), "_Gi=33;OK", "_G", "_", "_OK",
            "]11;rgb:ffff/ffff/ffff" + String(repeating: "f", count: 600),
        ])
    func malformed(body: String) {
        let (replies, events) = read("\u{1B}\(body)\u{7}j")
        #expect(replies.allSatisfy { $0 == .palette([0: RGB(0)]) }, "\(replies)")
        #expect(events == [.key(.character("j"))])
    }

    @Test(
        "malformed control sequences are neither replies nor keys",
        arguments: [
            "[6;18t", "[6;;9t", "[6;18;9;1t", "[6;123456;9t", "[4;18;9t", "[?2026$y", "[c",
            "[?1;3S", "[?1;0;12345S", "[?2;0;800S",
        ])
    func malformedControls(body: String) {
        let (replies, events) = read("\u{1B}\(body)j")
        #expect(replies == [])
        #expect(events == [.key(.character("j"))])
    }

    /// Replies to all queries at once, with both terminators.
    static let batch =
        "\u{1B}]11;rgb:fafa/fafa/fafa\u{7}"
        + (0..<16).map { "\u{1B}]4;\($0);rgb:\($0 % 8)0/12/34\u{1B}\\" }.joined()
        + "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?2026;1$y\u{1B}[?62;22c"

    @Test("a batch of replies is read completely wherever it is split, and no byte is a key")
    func cut() {
        let scalars = Array(Self.batch.unicodeScalars)
        let whole = read(Self.batch).replies
        #expect(whole.count == 21)
        for place in scalars.indices {
            var decoder = InputDecoder()
            var events = scalars[..<place].flatMap { decoder.character($0, at: 0) }
            // While replies are expected, a lone escape character is held back, as in `CursesInput`.
            if !decoder.tokenizer.hasLoneEscape { events += decoder.pause() }
            events += scalars[place...].flatMap { decoder.character($0, at: 0.1) }
            #expect(events == [] && decoder.replies == whole, "\(place)")
        }
    }

    @Test("keys between replies are keys, in order")
    func interleaved() {
        let (replies, events) = read(
            "j\u{1B}]11;rgb:0/0/0\u{7}5\u{1B}[?2026;2$yl\u{1B}[A\u{1B}[?1c\u{1B}[<0;3;4M")
        #expect(
            replies == [
                .background(RGB(0)), .mode(2026, isKnown: true), .attributes(hasSixels: false),
            ])
        #expect(
            events == [
                .key(.character("j")), .key(.character("5")), .key(.character("l")), .key(.up),
                .click(x: 2, y: 3),
            ])
    }

    @Test("a reply cut off by another sequence, or cancelled, does not swallow what follows")
    func cutOff() {
        #expect(read("\u{1B}]11;rgb:ff\u{1B}[Aj").events == [.key(.up), .key(.character("j"))])
        #expect(read("\u{1B}]11;rgb:ff\u{18}j").events == [.key(.character("j"))])
        #expect(read("\u{1B}[?64;1\u{1A}j").events == [.key(.character("j"))])
        #expect(read("\u{1B}]11;rgb:ff\u{1B}]11;rgb:0/0/0\u{7}").replies == [.background(RGB(0))])
    }

    @Test(
        "keys typed after a reply that never ends are recovered",
        arguments: [
            ("]11;rgb:0/0", "jl", [.key(.character("j")), .key(.character("l"))]),
            ("]11;rgb:0/0", "5", []), ("]11;rgb:0/0", "", []), ("]4;3;rg", "\r", [.key(.enter)]),
            ("]11;rgb:0/0", "é\t", [.key(.character("é")), .key(.tab)]),
            ("]11;rgb:0/0", "\u{1B}", [.key(.escape)]),
            ("]11;rgb:0/0", "j\u{1B}[A", [.key(.character("j")), .key(.up)]),
            ("]11;rgb:0/0", String(repeating: "q", count: 33), []),
        ] as [(String, String, [InputEvent])])
    func unended(answer: String, typed: String, expected: [InputEvent]) {
        var decoder = InputDecoder()
        var events = "\u{1B}\(answer)\(typed)".unicodeScalars.flatMap {
            decoder.character($0, at: 0)
        }
        events += decoder.giveUp()
        #expect(events == expected)
        #expect(decoder.replies == [] && !decoder.isWaiting)
    }

    @Test("keys do not keep an unterminated reply open")
    func doubt() {
        var decoder = InputDecoder()
        for scalar in "\u{1B}]11;rgb:0/0".unicodeScalars { _ = decoder.character(scalar, at: 1) }
        #expect(decoder.tokenizer.waitingSince == 1 && !decoder.tokenizer.isInDoubt)
        _ = decoder.character("j", at: 2)
        _ = decoder.character("j", at: 3)
        #expect(decoder.tokenizer.waitingSince == 2 && decoder.tokenizer.isInDoubt)
    }

    @Test(
        "an endless megabyte is held in a few kilobytes, and no byte of it is a key",
        arguments: [
            ("]11;", 1_000_000), ("]", 20_000), ("P", 20_000), ("[", 20_000), ("[?", 20_000),
        ])
    func endless(start: String, count: Int) {
        var decoder = InputDecoder()
        var events: [InputEvent] = []
        for scalar in "\u{1B}\(start)".unicodeScalars { events += decoder.character(scalar, at: 0) }
        for index in 0..<count {
            events += decoder.character(Unicode.Scalar(0x30 + UInt8(index % 10)), at: 0)
        }
        #expect(events == [] && decoder.replies == [])
        #expect(decoder.tokenizer.partial?.count ?? 0 <= 4096)
        #expect(decoder.tokenizer.isInReply == false)
        #expect(decoder.giveUp() == [])
        #expect(decoder.character("j", at: 0) == [.key(.character("j"))])
    }

    @Test("random bytes yield only valid replies")
    func rubbish() {
        var decoder = InputDecoder()
        var state: UInt32 = 7
        for _ in 0..<200_000 {
            state = state &* 1_664_525 &+ 1_013_904_223
            let alphabet = Array(
                "\u{1B}\u{1B}]]11;4rgb:/ff0#?62026$ytc[\u{7}\\\u{18}é".unicodeScalars)
            _ = decoder.character(alphabet[Int(state >> 16) % alphabet.count], at: 0)
            if state >> 28 == 0 { _ = decoder.pause() }
        }
        for reply in decoder.replies {
            if case .palette(let colors) = reply {
                #expect(colors.keys.allSatisfy { (0..<16).contains($0) })
            }
        }
    }
}
