import Markup
import Network

extension Explanation {
    /// For people: some paragraphs of aligned lines, without control characters, ended by a line break.
    public var text: String {
        var lines = ["\(address.text)", "  read as \(way)"]
        lines += notes.map { "  " + $0 }
        lines += candidateLines
        lines += groupLines
        lines += nextLines
        lines.append("  \(result)")
        return lines.map { Text.keepingBlanks($0) }.joined(separator: "\n") + "\n"
    }

    private var candidateLines: [String] {
        guard !candidates.isEmpty else { return [] }
        let taken = candidates.count { $0.verdict == .taken }
        var lines = [
            "", "  candidates: \(candidates.count + omitted), of which \(taken) taken",
            "  verdict   score group  address, element, rule",
        ]
        for candidate in candidates.sorted(by: { $0.order < $1.order }) {
            let score = candidate.score.map { "\($0)" } ?? "-"
            let group = candidate.group.map { "\($0)" } ?? "-"
            lines.append(
                "  " + candidate.verdict.rawValue.padded(to: 8) + score.padded(to: 7, left: true)
                    + group.padded(to: 6, left: true) + "  "
                    + Explanation.cut(candidate.address?.text ?? "(no address)"))
            let indent = String(repeating: " ", count: 25)
            lines.append(indent + candidate.element)
            let reasons = candidate.reasons.map(\.description).joined(separator: ", ")
            lines.append(indent + candidate.rule + (reasons.isEmpty ? "" : ": " + reasons))
        }
        if omitted > 0 { lines.append("  and \(omitted) more") }
        return lines
    }

    private var groupLines: [String] {
        guard !groups.isEmpty else { return [] }
        return ["", "  groups of equal structure"]
            + groups.map {
                "  " + "\($0.number)".padded(to: 5, left: true)
                    + "\($0.count)".padded(to: 7, left: true) + " members  " + $0.path
            }
    }

    private var nextLines: [String] {
        guard !nexts.isEmpty else { return ["", "  next page: no candidates", ""] }
        let width = nexts.map(\.rule.count).max() ?? 0
        return ["", "  next page"]
            + nexts.map {
                "    " + $0.rule.padded(to: width) + "  " + $0.outcome.padded(to: 10)
                    + Explanation.cut($0.reference)
            } + [""]
    }

    /// Addresses are told in full up to a length that still fits a wide screen twice.
    private static func cut(_ text: String) -> String {
        text.utf8.count <= 300 ? text : String(text.prefix(297)) + "…"
    }
}

extension String {
    fileprivate func padded(to width: Int, left: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - count))
        return left ? blanks + self : self + blanks
    }
}

extension Text {
    /// The line without control characters, its leading blanks kept.
    fileprivate static func keepingBlanks(_ line: String) -> String {
        let blanks = line.prefix { $0 == " " }
        var rest = ""
        // Columns are made of blanks: each part between them is cleaned by itself.
        for (index, part) in line.dropFirst(blanks.count)
            .split(separator: " ", omittingEmptySubsequences: false).enumerated()
        {
            rest += (index == 0 ? "" : " ") + Text.line(part)
        }
        return blanks + rest
    }
}
