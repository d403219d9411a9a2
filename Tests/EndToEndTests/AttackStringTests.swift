import Basics
import FoundationEssentials
import TestSupport
import Testing

extension EndToEnd {
    /// 509 strings made to control, reorder or flood a terminal (`AttackStrings`), through everything that is printed.
    @Suite("Hostile strings") struct AttackStringTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        @Test("there are at least 500 attack strings, and most are recognised as harmful")
        func count() {
            #expect(AttackStrings.all.count >= 500, "\(AttackStrings.all.count)")
            let harmless = AttackStrings.all.filter {
                AttackStrings.harm(in: $0.map { $0 == 10 ? 13 : $0 }) == nil
            }
            #expect(harmless.count <= 60, "\(harmless.count)")
        }

        /// Returns a gallery with each string as the title, description, address and link of a picture.
        private func page() throws -> String {
            let items = AttackStrings.all.enumerated().map { number, attack -> [UInt8] in
                var escaped: [UInt8] = []
                for byte in attack {
                    escaped += [38, 60, 62, 34].contains(byte) ? Array("&#\(byte);".utf8) : [byte]
                }
                let parts: [[UInt8]] = [
                    Array("<figure class=\"item\"><a href=\"p\(number).html?".utf8), escaped,
                    Array("\"><img width=300 height=200 src=\"\(number).png?".utf8), escaped,
                    Array("\" title=\"".utf8), escaped, Array("\"></a><figcaption>\(number) ".utf8),
                    escaped, Array("</figcaption></figure>\n".utf8),
                ]
                return Array(parts.joined())
            }
            let head = Array(
                "<!DOCTYPE html><meta charset=utf-8><title>x</title><base href=http://a.invalid/><main>"
                    .utf8)
            return try folder.write(head + items.joined(), to: "page.html")
        }

        @Test(
            "no attack string reaches the output through a title, description or address",
            arguments: ["--urls", "--json", "--explain", "--print"])
        func outputs(mode: String) throws {
            let run = try ProgramRun(
                [mode, "--offline", page()], in: folder, environment: ["COLUMNS": "200"],
                seconds: 60)
            #expect(run.code == 0, "\(run.errors)")
            for line in run.bytes.split(separator: 10) {
                let harm = AttackStrings.harm(in: Array(line), allowingStyles: mode == "--print")
                #expect(harm == nil, "\(harm ?? ""): \(String(decoding: line, as: UTF8.self))")
            }
            let count = AttackStrings.all.count
            switch mode {
            case "--urls": #expect(run.lines.count == count)
            case "--json": try check(run.lines)
            default:
                // Each string was present, in a caption or an address.
                let words = mode == "--print" ? " befor" : ".png?befor"
                for number in 0..<count {
                    #expect(run.output.contains("\(number)\(words)"), "\(number)")
                }
            }
        }

        @Test("no attack string reaches a generated recipe, which finds the page's pictures again")
        func recipe() throws {
            let page = try page()
            let made = try ProgramRun(
                ["--make-recipe", "--offline", page], in: folder, seconds: 60)
            #expect(made.code == 0, "\(made.errors)")
            #expect(made.output.contains("\"item\": \"figure.item\""), "\(made.output)")
            for line in made.bytes.split(separator: 10) {
                #expect(AttackStrings.harm(in: Array(line)) == nil)
            }
            let file = try folder.write(made.bytes, to: "made.json")
            let run = try ProgramRun(
                ["--urls", "--offline", "--recipe", file, page], in: folder, seconds: 60)
            #expect(run.lines.count >= 500, "\(run.lines.count)")
            // A folder has no markup from which to make a recipe.
            _ = try folder.write([], to: "a/1.png")
            let none = try ProgramRun(["--make-recipe", folder.path + "/a"], in: folder)
            #expect(none.code == 1 && none.bytes.isEmpty)
            #expect(none.errors.last?.contains("no recipe") == true, "\(none.errors)")
        }

        /// Expects each line to be JSON with the sanitized string as its title.
        private func check(_ lines: [String]) throws {
            #expect(lines.count == AttackStrings.all.count)
            for (number, line) in lines.enumerated() {
                let record = try JSONDecoder().decode(Record.self, from: Data(line.utf8))
                // HTML does not allow these controls, or reads them as Windows-1252, like bytes that are not UTF-8.
                guard let text = String(validating: AttackStrings.all[number], as: UTF8.self),
                    !text.unicodeScalars.contains(where: {
                        "\0\u{B}\u{C}".unicodeScalars.contains($0)
                            || (0x80..<0xA0).contains($0.value)
                    })
                else { continue }
                #expect(record.title == "\(number) \(text)".oneLine(limit: .max))
            }
        }

        private struct Record: Decodable { var title: String }

        /// Expects each error to be one line that begins with the program's name.
        private func checkErrors(_ run: ProgramRun, atLeast count: Int) {
            #expect(run.errors.count >= count, "\(run.errors.count)")
            for line in run.errors {
                #expect(line.hasPrefix("halftone: "), "\(line)")
                let harm = AttackStrings.harm(in: Array(line.utf8))
                #expect(harm == nil, "\(harm ?? ""): \(line)")
            }
        }

        @Test("no attack string reaches standard error through a path, input line, key or recipe")
        func standardError() throws {
            let texts = AttackStrings.texts.filter { !$0.contains("\0") }
            checkErrors(try ProgramRun(["--urls", "--"] + texts, in: folder), atLeast: texts.count)
            checkErrors(
                try ProgramRun(
                    ["--urls", "--"] + texts.map { folder.path + "/" + $0 + ".html" }, in: folder),
                atLeast: texts.count)
            let listed = AttackStrings.all.filter { !$0.contains(0) }
            checkErrors(
                try ProgramRun(
                    ["--urls", "-0", "-"], in: folder,
                    inputBytes: Array(listed.joined(separator: [0]))),
                atLeast: listed.count)
            let keys = texts.map { JSONString.quoted($0) + ": 1" }.joined(separator: ",\n")
            let commands = texts.map { JSONString.quoted($0) + ": 2" }.joined(separator: ",\n")
            try folder.write(
                "{\(keys), \"keys\": {\(commands)}}", to: "config/halftone/config.json")
            for (number, text) in texts.enumerated() {
                try folder.write(
                    "{\"name\": \"x\", \"match\": \(JSONString.quoted(text + "(")), \(JSONString.quoted(text)): \"\"}",
                    to: "config/halftone/recipes/\(number).json")
            }
            checkErrors(try ProgramRun(["--urls", page()], in: folder), atLeast: 3 * texts.count)
        }

        @Test("no attack string reaches standard error through an option or a variable")
        func values() throws {
            // One of each kind: a run for each string would take minutes.
            let texts =
                [
                    "\u{1B}]0;x\u{7}", "\u{9B}2J", "\n", "\u{202E}", "\u{61C}", "\u{7F}",
                    "\u{2028}", "\u{FEFF}",
                ]
                + ["a" + String(repeating: "\u{300}", count: 1000)]
            for text in texts.map({ "a\($0)b" }) {
                for arguments in [
                    ["--\(text)"], ["--layout", text], ["--header", text], ["--recipe", text],
                    ["--trace", folder.path + "/\(text)/x"], ["--config", text],
                    ["--output", text, "--pages", text], ["http://\(text).invalid/\(text)"],
                ] {
                    let run = try ProgramRun(arguments + ["--offline"], in: folder)
                    checkErrors(run, atLeast: 1)
                    #expect(run.errors.count == 1, "\(arguments): \(run.errors)")
                }
                for name in ["http_proxy", "CURL_CA_BUNDLE"] {
                    let run = try ProgramRun(
                        ["--urls", "--retries", "0", "http://a.invalid/"], in: folder,
                        environment: [name: text])
                    checkErrors(run, atLeast: 1)
                }
            }
        }
    }
}
