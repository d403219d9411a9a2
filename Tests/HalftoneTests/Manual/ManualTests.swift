import FoundationEssentials
import TestSupport
import Testing

@testable import halftone

/// What is written for users must not fall behind the tables.
@Suite("The manual")
struct ManualTests {
    private static let root = #filePath.split(separator: "/").dropLast(4)
        .reduce("") { $0 + "/" + $1 }

    private func text(of path: String) throws -> String {
        try String(contentsOfFile: Self.root + "/" + path, encoding: .utf8)
    }

    @Test(
        "the shipped files match the tables; make manual writes them",
        arguments: [("Manual/halftone.1", ManualPage.text)]
            + Completions.allCases.map { ("Completions/\($0.rawValue)", $0.text) })
    func page(name: String, made: String) throws {
        let path = "Resources/" + name
        if ProcessInfo.processInfo.environment["HALFTONE_WRITE_MANUAL"] != nil {
            try made.write(toFile: Self.root + "/" + path, atomically: true, encoding: .utf8)
        }
        #expect(try text(of: path) == made, "run make manual")
    }

    @Test("README has at most 2,200 words, as of wc, and names no option that is gone")
    func readme() throws {
        let words = try text(of: "README.md").split(whereSeparator: \.isWhitespace)
        #expect(words.count <= 2200, "what only an adept needs belongs into the manual")
        let isOfOption: (Character) -> Bool = {
            $0 == "-" || $0.isASCII && ($0.isLetter || $0.isNumber)
        }
        let options = words.map { $0.drop { !isOfOption($0) }.prefix(while: isOfOption) }
            .filter { $0.hasPrefix("--") && !$0.hasPrefix("---") }.map { $0.dropFirst(2) }
        #expect(options.count > 30)
        for option in options {
            #expect(OptionSpec.all.contains { $0.name == option }, "--\(option)")
        }
    }

    @Test(
        "shells complete options, by name and letter, and their keyword values",
        arguments: [
            (["/bin/bash", "--norc", "-i"], "source %", Completions.bash),
            (
                ["/usr/bin/zsh", "-f", "-i"],
                "fpath=($(dirname %) $fpath); autoload -U compinit; compinit -u -D", .zsh
            ),
            (["/usr/bin/fish", "--no-config"], "source %", .fish),
        ])
    func completing(shell: [String], setUp: String, script: Completions) throws {
        let file = Self.root + "/Resources/Completions/" + script.rawValue
        let home = try ScratchFolder()
        let pty = try PtyProcess(
            shell[0], arguments: Array(shell.dropFirst()),
            environment: [
                "TERM": "xterm", "HOME": home.path, "PATH": "/usr/bin:/bin", "PS1": "$ ",
            ],
            answers: TerminalAnswers())
        func completed(_ typed: String, to expected: String) -> Bool {
            pty.send(Array("\u{15}\(typed)\t".utf8))
            return pty.wait { $0.text.contains(expected) }
        }
        pty.send(Array((setUp.replacing("%", with: file) + "\n").utf8))
        pty.send(Array("echo rea''dy\n".utf8))
        #expect(pty.wait { $0.text.contains("ready") }, "\(pty.screen.text)")
        #expect(completed("halftone --lay", to: "halftone --layout"), "\(pty.screen.text)")
        #expect(completed("halftone --layout gr", to: "--layout grid"), "\(pty.screen.text)")
        #expect(completed("halftone --blocks=sext", to: "--blocks=sextant"), "\(pty.screen.text)")
        #expect(completed("halftone --recu", to: "halftone --recursive"), "\(pty.screen.text)")
    }
}
