import TestSupport
import Testing

@testable import Browser
@testable import Terminal

@Suite struct ReplyNumberTests {
    /// All sequences with numbers that a terminal sends; each `#` is replaced by a number.
    private static let sequences = [
        "[6;#;#t", "[6;16;#t", "[?#;#c", "[?2026;#$y", "]11;rgb:#/#/#\u{7}",
        "]11;rgba:#/#/#/#\u{7}",
        "]11;#####\u{7}", "]4;#;rgb:ffff/0/#\u{7}", "]4;1;rgb:1/2/3;#;rgb:1/2/3\u{7}", "[<#;#;#M",
        "[<0;#;#M", "[<64;#;#M", "[#~", "[1;#A", "[#;#;#~", "O#A",
    ]

    @Test(
        "any number in a terminal's replies and keys is accepted or ignored", arguments: sequences)
    func numbers(sequence: String) {
        for number in monstrousNumbers {
            var decoder = InputDecoder()
            let text = "\u{1B}" + sequence.replacing("#", with: number)
            var events = text.unicodeScalars.flatMap { decoder.character($0, at: 0) }
            var traits = TerminalTraits()
            for reply in decoder.replies { traits.note(reply) }
            #expect(traits.cellAspect.map { (1...4).contains($0) } ?? true, "\(text)")
            for case .click(let x, let y) in events {
                #expect((0..<1_000_000).contains(x) && (0..<1_000_000).contains(y), "\(text)")
            }
            // The next key must be decoded, whatever came before.
            events = "\u{18}\u{18}j".unicodeScalars.flatMap { decoder.character($0, at: 1) }
            #expect(events.last == .key(.character("j")), "\(text)")
        }
    }

    @Test("any number in the environment is accepted or ignored")
    func environment() {
        for number in monstrousNumbers {
            let traits = TerminalTraits(environment: ["COLORFGBG": "15;\(number)"])
            #expect(traits.cellAspect == nil)
        }
    }
}
