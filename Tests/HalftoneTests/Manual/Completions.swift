@testable import halftone

/// What shells complete, made from the option table.
///
/// Kept in the repository like the manual page, so that installing needs no build of the tests.
enum Completions: String, CaseIterable {
    case bash = "halftone.bash"
    case zsh = "_halftone"
    case fish = "halftone.fish"

    private static let origin = "# Made by make manual from the option table: edit that.\n"

    var text: String {
        switch self {
        case .bash: Self.bashText
        case .zsh: Self.zshText
        case .fish: Self.fishText
        }
    }

    // MARK: bash (https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html)

    private static var bashText: String {
        let names = OptionSpec.all.flatMap(\.spellings).joined(separator: " ")
        let values = OptionSpec.all.compactMap { spec -> String? in
            let answer =
                switch spec.values {
                case .none: nil as String?
                case .words(let words):
                    "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\"))"
                case .folder: "compopt -o dirnames +o default"
                case .file: ":"
                case .text, .number: "compopt +o default"
                }
            return answer.map { "    --\(spec.name)) \($0); return ;;\n" }
        }
        return """
            \(origin)_halftone() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
                COMPREPLY=()
                # --option=value comes as three words.
                if [[ $word == = ]]; then
                    word=
                elif [[ $before == = && COMP_CWORD -gt 1 ]]; then
                    before=${COMP_WORDS[COMP_CWORD - 2]}
                fi
                case $before in
            \(values.joined())    esac
                if [[ $word == -* ]]; then
                    COMPREPLY=($(compgen -W '\(names)' -- "$word"))
                fi
            }
            complete -o default -o bashdefault -F _halftone halftone

            """
    }

    // MARK: zsh (https://zsh.sourceforge.io/Doc/Release/Completion-System.html, _arguments)

    private static var zshText: String {
        let lines = OptionSpec.all.map { spec -> String in
            let help = spec.help.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
                .replacing("'", with: "'\\''")
            let action =
                switch spec.values {
                case .none: ""
                case .words(let words): ":\(spec.name):(\(words.joined(separator: " ")))"
                case .folder: ":folder:_files -/"
                case .file: ":file:_files"
                case .text, .number: ":\(spec.name): "
                }
            let value = action.isEmpty ? "" : "="
            guard let letter = spec.letter else {
                return
                    "    '\(spec.isRepeatable ? "*" : "")--\(spec.name)\(value)[\(help)]\(action)' \\\n"
            }
            return "    '(-\(letter) --\(spec.name))'{-\(letter),--\(spec.name)}'[\(help)]' \\\n"
        }
        return """
            #compdef halftone
            \(origin)_arguments -s -S \\
            \(lines.joined())    '*:source:_alternative "files:file or folder:_files" "urls:address:_urls"'

            """
    }

    // MARK: fish (https://fishshell.com/docs/current/cmds/complete.html)

    private static var fishText: String {
        let lines = OptionSpec.all.map { spec -> String in
            let action =
                switch spec.values {
                case .none: ""
                case .words(let words): " -x -a '\(words.joined(separator: " "))'"
                case .folder: " -x -a '(__fish_complete_directories)'"
                case .file: " -r -F"
                case .text, .number: " -x"
                }
            let letter = spec.letter.map { " -s \($0)" } ?? ""
            let help = spec.help.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
            return "complete -c halftone\(letter) -l \(spec.name)\(action) -d '\(help)'\n"
        }
        return origin + lines.joined()
    }
}

extension OptionSpec {
    fileprivate var spellings: [String] { (letter.map { ["-\($0)"] } ?? []) + ["--" + name] }
}
