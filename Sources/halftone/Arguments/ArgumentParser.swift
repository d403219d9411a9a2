import Browser

extension Options {
    /// Applies `arguments` (without the program's name): `--opt value`, `--opt=value`, `-ab` for letters; `--` ends the options.
    mutating func apply(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                sources += rest
                return
            }
            if argument.hasPrefix("-"), argument != "-" {
                let switches = argument.dropFirst().compactMap { letter in
                    OptionSpec.all.first { $0.letter == letter }
                }
                if switches.count == argument.count - 1 {
                    for spec in switches { try apply(spec, "", as: argument) }
                } else {
                    try applyOption(argument, rest: &rest)
                }
            } else {
                sources.append(argument)
            }
        }
    }

    private mutating func applyOption(
        _ argument: String, rest: inout ArraySlice<String>
    ) throws(UsageError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let written = String(parts[0])
        guard written.hasPrefix("--"), let spec = OptionSpec.named(written.dropFirst(2)) else {
            let nearest = OptionSpec.nearestName(to: String(written.drop { $0 == "-" }))
            throw UsageError(
                subject: OptionSpec.quoted(written),
                reason: "is not an option" + (nearest.map { "; did you mean --\($0)?" } ?? "")
                    + " (see --help)")
        }
        let value: String
        if spec.placeholder == nil {
            guard parts.count == 1 else {
                throw UsageError(subject: written, reason: "takes no value")
            }
            value = ""
        } else if parts.count == 2 {
            value = String(parts[1])
        } else if let next = rest.popFirst() {
            value = next
        } else {
            throw UsageError(subject: written, reason: "needs a value: \(spec.placeholder ?? "")")
        }
        try apply(spec, value, as: written)
    }

    /// Applies one option; `label` names it in the error if its value is invalid.
    mutating func apply(_ spec: OptionSpec, _ value: String, as label: String) throws(UsageError) {
        do {
            try spec.apply(&self, value)
        } catch {
            throw UsageError(subject: label, reason: "\(error)")
        }
    }
}

extension OptionSpec {
    /// Returns the option with this name, given without dashes.
    static func named(_ name: some StringProtocol) -> OptionSpec? { all.first { $0.name == name } }

    /// Returns the option name most similar to `name`, if any is similar enough.
    static func nearestName(to name: String) -> String? {
        let ranked = all.map { (distance: editDistance(name, $0.name), name: $0.name) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        // With up to a third of the letters wrong it is taken for a typing error; a prefix is an abbreviation.
        let isNear = best.distance <= max(2, name.count / 3)
        return isNear ? best.name : all.first { $0.name.hasPrefix(name) && !name.isEmpty }?.name
    }
}

/// Returns the number of insertions, deletions and replacements that turn `left` into `right` (Levenshtein 1966).
func editDistance(_ left: String, _ right: String) -> Int {
    let target = Array(right)
    var previous = Array(0...target.count)
    for (row, letter) in left.prefix(64).enumerated() {
        var current = [row + 1]
        for (column, other) in target.enumerated() {
            let replaced = previous[column] + (letter == other ? 0 : 1)
            current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
        }
        previous = current
    }
    return previous[target.count]
}

/// The text of `--help`, generated from the option table.
enum HelpText {
    static let version = "halftone 0.1.0"

    /// The help, wrapped at 80 columns.
    static var text: String {
        var lines =
            ["Usage: halftone [OPTION]... [SOURCE]..."]
            + wrapped(
                "Browse the pictures of web galleries, folders and saved pages in the terminal.")
            + [""]
            + wrapped(
                """
                SOURCE is the address of a gallery page, directory listing, feed or picture, a folder, an \
                .html or picture file, or - for standard input: a list of SOURCEs, or one picture or page. \
                Without one, the bundled gallery opens. Each SOURCE is a section that loads independently; \
                consecutive picture files are one section.
                """)
        for group in OptionSpec.Group.allCases {
            lines += ["", group.rawValue + ":"]
            lines += OptionSpec.all.filter { $0.group == group }.flatMap(lines(of:))
        }
        lines += [""]
        lines += wrapped(
            """
            Inside, F1 or ? shows every key. Exit codes: 0 success; 1 no section could be loaded, or a \
            file could not be written; 2 wrong usage; 130 interrupted; 143 terminated.
            """)
        return lines.joined(separator: "\n") + "\n"
    }

    private static let indent = 26

    private static func lines(of spec: OptionSpec) -> [String] {
        let letter = spec.letter.map { "-\($0), " } ?? ""
        let name = "  \(letter)--" + spec.name + (spec.placeholder.map { " " + $0 } ?? "")
        let texts = wrapped(spec.help, width: 80 - indent)
        let padding = String(repeating: " ", count: indent)
        let isLong = name.count > indent - 2
        let first =
            isLong ? [name, padding + texts[0]] : [name + padding.dropFirst(name.count) + texts[0]]
        return first + texts.dropFirst().map { padding + $0 }
    }

    private static func wrapped(_ text: String, width: Int = 80) -> [String] {
        TextWrap.lines(text, width: width, limit: .max)
    }
}
