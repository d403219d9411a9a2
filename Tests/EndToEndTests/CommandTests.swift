import FoundationEssentials
import TestSupport
import Testing

@testable import Browser

extension EndToEnd {
    /// Every command, by its keys, in all its contexts.
    @Suite("Commands") struct CommandTests {
        @Test("every command walk succeeds in the real program", arguments: CommandWalk.all)
        func walk(_ walk: CommandWalk) throws {
            let folder = try ScratchFolder()
            let stage = try walk.begin(folder)
            #expect(stage.screen.wait { $0.position.hasPrefix("1/") || $0.screen.shows("A page") })
            for step in walk.steps {
                let holds = step.holds(stage)
                #expect(
                    holds, "\(step.command) in the \(step.context)\n\(stage.screen.screen.text)")
                guard holds else { return }
            }
        }

        private static func walks(of binding: KeyMap.Binding, in context: KeyContext) -> [String] {
            let walks = CommandWalk.all.filter { walk in
                walk.steps.contains { $0.command == binding.command && $0.context == context }
            }
            return walks.map(\.name)
        }

        @Test("every command has a walk in every context where it is bound")
        func coverage() {
            for binding in KeyMap.standard.bindings {
                for context in binding.contexts {
                    #expect(
                        !Self.walks(of: binding, in: context).isEmpty,
                        "\(binding.command) in the \(context)")
                }
            }
        }

        /// All commands with their keys and the walks that use them, as a Markdown table.
        private static var table: String {
            let rows = KeyMap.standard.bindings.map { binding -> String in
                let keys = binding.keys.map { "`\($0.name.replacing("|", with: "\\|"))`" }
                let places = binding.contexts.map { context in
                    "\(context): " + walks(of: binding, in: context).joined(separator: "; ")
                }
                return "| `\(binding.command.rawValue)` | \(keys.joined(separator: " ")) | "
                    + "\(binding.summary) | \(places.joined(separator: "<br>")) |\n"
            }
            return """
                # Commands

                Every command with its keys, and the walks of `CommandTests` that press them in the real program, \
                in each place where they do something. Made by `make manual` from the key map and the walks.

                | command | keys | does | walked in |
                | --- | --- | --- | --- |
                \(rows.joined())
                """
        }

        @Test("the table of commands matches the key map and the walks; make manual writes it")
        func report() throws {
            let path =
                #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
                + "/Resources/Reports/commands.md"
            if ProcessInfo.processInfo.environment["HALFTONE_WRITE_MANUAL"] != nil {
                try Self.table.write(toFile: path, atomically: true, encoding: .utf8)
            }
            #expect(
                try String(contentsOfFile: path, encoding: .utf8) == Self.table, "run make manual")
        }
    }
}
