import Testing

@testable import Browser
@testable import Terminal

extension InputDecoder {
    /// What comes after a pause long enough to tell the Escape key.
    mutating func pause() -> [InputEvent] { tokenizer.hasLoneEscape ? giveUp() : [] }
}

/// Keys, mouse reports and noise, one character at a time.
@Suite struct InputDecoderTests {
    private func events(_ text: String, at time: Double = 0) -> [InputEvent] {
        var decoder = InputDecoder()
        return text.unicodeScalars.flatMap { decoder.character($0, at: time) } + decoder.pause()
    }

    @Test("keys are decoded without a library's help")
    func keys() {
        #expect(events("é") == [.key(.character("é"))])
        #expect(events("\r\n") == [.key(.enter), .key(.enter)])
        #expect(events("\u{7F}\u{8}") == [.key(.backspace), .key(.backspace)])
        #expect(events("\u{4}\t") == [.key(.control("d")), .key(.tab)])
        #expect(events("\u{1B}[A\u{1B}OB") == [.key(.up), .key(.down)])
        #expect(
            events("\u{1B}[5~\u{1B}[6~\u{1B}[3~") == [
                .key(.pageUp), .key(.pageDown), .key(.delete),
            ])
        #expect(
            events("\u{1B}[15~\u{1B}[17~\u{1B}[24~") == [
                .key(.function(5)), .key(.function(6)), .key(.function(12)),
            ])
        #expect(
            events("\u{1B}[1;2A\u{1B}[1;3C\u{1B}[1;5D\u{1B}[3;2~\u{1B}[15;6~\u{1B}[1;9B") == [
                .key(.modified(.shift, .up)), .key(.alt(.right)), .key(.modified(.control, .left)),
                .key(.modified(.shift, .delete)),
                .key(.modified([.shift, .control], .function(5))), .key(.down),
            ])
        #expect(events("\u{1B}[Z") == [.key(.modified(.shift, .tab))])
    }

    @Test("Escape alone is a key; a character that immediately follows it was typed with Alt")
    func escape() {
        #expect(events("\u{1B}") == [.key(.escape)])
        #expect(events("\u{1B}j") == [.key(.alt("j"))])
        #expect(events("\u{1B}\u{4}") == [.key(.alt(.control("d")))])
        #expect(events("\u{1B}\u{1B}") == [.key(.escape), .key(.escape)])
    }

    @Test(
        "mouse reports are decoded",
        arguments: [
            ("\u{1B}[<0;3;4M", [InputEvent.click(x: 2, y: 3)]), ("\u{1B}[<0;3;4m", []),
            ("\u{1B}[<64;1;1M", [.wheel(rows: -3)]),
            ("\u{1B}[<65;300;200M", [.wheel(rows: 3)]),
            ("\u{1B}[<2;3;4M", []),
            ("\u{1B}[<32;3;4M", [.drag(columns: 2, rows: 3)]),
            ("\u{1B}[<80;3;4M", [.zoom(steps: 1, x: 2, y: 3)]),
            ("\u{1B}[<81;3;4M", [.zoom(steps: -1, x: 2, y: 3)]), ("\u{1B}[<0;0;0M", []),
            ("\u{1B}[<0;99999999999999999999;1M", [.click(x: 999_998, y: 0)]), ("\u{1B}[<;;M", []),
        ])
    func mouse(report: String, expected: [InputEvent]) {
        #expect(events(report) == expected)
    }

    @Test(
        "mouse reports of terminals without SGR's form are clicks, never keys",
        arguments: [
            ("\u{1B}[M #$", [InputEvent.click(x: 2, y: 3)]), ("\u{1B}[M##$", []),
            ("\u{1B}[M`!!", [.wheel(rows: -3)]), ("\u{1B}[Ma!!", [.wheel(rows: 3)]),
            ("\u{1B}[M qD", [.click(x: 80, y: 35)]), ("\u{1B}[M !\u{1B}", []),
            ("\u{1B}[M \u{C8}\u{301}", [.click(x: 167, y: 736)]), ("\u{1B}[M\u{0}\u{0}\u{0}", []),
            ("\u{1B}OM", []),
        ])
    func oldMouse(report: String, expected: [InputEvent]) {
        #expect(events(report + "x") == expected + [.key(.character("x"))])
    }

    @Test(
        "keys that a crashed program has left reported by number are understood, and releases ignored"
    )
    func numbered() {
        #expect(
            events("\u{1B}[99;5u\u{1B}[27;5;99~\u{1B}[113u\u{1B}[113;1:2u\u{1B}[27u\u{1B}[13;1u")
                == [
                    .key(.control("c")), .key(.control("c")), .key(.character("q")),
                    .key(.character("q")), .key(.escape), .key(.enter),
                ])
        #expect(
            events("\u{1B}[97:65;2u\u{1B}[27;2;33~\u{1B}[106;3u\u{1B}[9;2u\u{1B}[1;1:1A") == [
                .key(.character("A")), .key(.character("!")), .key(.alt("j")),
                .key(.modified(.shift, .tab)), .key(.up),
            ])
        #expect(
            events(
                "\u{1B}[99;5:3u\u{1B}[1;1:3A\u{1B}[57441;2u\u{1B}[-5u\u{1B}[57349u\u{1B}[u\u{1B}[27;5~"
            )
                == [])
    }

    @Test("two clicks on one cell within 0.4 s are a double click")
    func doubleClick() {
        var decoder = InputDecoder()
        let presses = [(1, 0.0), (1, 0.3), (1, 0.5), (2, 0.6), (2, 1.1)]
        let events = presses.flatMap { column, time in
            "\u{1B}[<0;\(column + 1);2M".unicodeScalars.flatMap {
                decoder.character($0, at: time)
            }
        }
        #expect(
            events == [
                .click(x: 1, y: 1), .doubleClick(x: 1, y: 1), .click(x: 1, y: 1),
                .click(x: 2, y: 1), .click(x: 2, y: 1),
            ])
    }

    @Test(
        "replies and unknown sequences are not keys",
        arguments: [
            "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", "\u{1B}]11;rgb:ff/ff/ff\u{7}", "\u{1B}[?1;2;4c",
            "\u{1B}P1$r0m\u{1B}\\",
            "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[1;2R", "\u{1B}[>0;276;0c",
            "\u{1B}]52;c;" + String(repeating: "A", count: 3000) + "\u{7}",
        ])
    func answers(text: String) {
        #expect(events(text + "x") == [.key(.character("x"))])
    }

    @Test("a reply in pieces stays one reply, and one that never ends is abandoned")
    func pieces() {
        var decoder = InputDecoder()
        var events: [InputEvent] = []
        func feed(_ text: String) {
            for scalar in text.unicodeScalars {
                events += decoder.character(scalar, at: 0)
            }
            events += decoder.pause()
        }
        feed("\u{1B}]11;rgb:")
        #expect(decoder.isWaiting)
        feed("0/0/0\u{7}")
        #expect(events == [])
        feed("q\u{1B}]11;")
        events += decoder.giveUp()
        feed("q")
        #expect(events == [.key(.character("q")), .key(.character("q"))])
    }

    @Test("no character sequence traps or grows the buffer without limit")
    func rubbish() {
        var decoder = InputDecoder()
        var state: UInt32 = 1
        var longest = 0
        for _ in 0..<50_000 {
            state = state &* 1_664_525 &+ 1_013_904_223
            // Mostly what begins and continues sequences.
            let value =
                state >> 24 < 20 ? 0x1B : (state >> 16) % (state >> 31 == 0 ? 0x80 : 0x11000)
            _ = Unicode.Scalar(value).map { decoder.character($0, at: 0) }
            if state >> 20 == 0 { _ = decoder.pause() }
            longest = max(longest, bufferedCount(decoder))
        }
        #expect(longest > 0 && longest <= 2 * InputDecoder.maxPaste)
    }

    @Test("a paste without an end is buffered only up to a limit")
    func endlessPaste() {
        var decoder = InputDecoder()
        for scalar in "\u{1B}[200~".unicodeScalars { _ = decoder.character(scalar, at: 0) }
        let limit = 2 * InputDecoder.maxPaste
        for _ in 0..<3 * limit where bufferedCount(decoder) <= limit {
            _ = decoder.character("1", at: 0)
        }
        #expect((limit / 2...limit).contains(bufferedCount(decoder)))
    }

    private func bufferedCount(_ decoder: InputDecoder) -> Int {
        (decoder.tokenizer.partial?.count ?? 0) + (decoder.pasted?.count ?? 0)
    }
}
