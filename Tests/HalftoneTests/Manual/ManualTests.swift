import FoundationEssentials
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

    @Test("the page that ships is the one the tables make; make manual writes it")
    func page() throws {
        let path = "Resources/Manual/halftone.1"
        if ProcessInfo.processInfo.environment["HALFTONE_WRITE_MANUAL"] != nil {
            try ManualPage.text.write(
                toFile: Self.root + "/" + path, atomically: true, encoding: .utf8)
        }
        #expect(try text(of: path) == ManualPage.text, "run make manual")
    }

    @Test("the README names every option", arguments: OptionSpec.all.map(\.name))
    func readme(name: String) throws {
        let text = try text(of: "README.md")
        #expect(text.contains("`--\(name)`") || text.contains("`--\(name) "))
    }
}
