import Basics
public import Network

/// How one page was read: every candidate with its score and the rule that decided, for "why is this picture missing".
public struct Explanation: Sendable {
    /// What became of a candidate.
    enum Verdict: String {
        case taken = "taken"
        case rejected = "rejected"
    }

    /// One candidate picture.
    struct Line {
        /// Its place on the page.
        var order: Int
        /// The largest address found for it.
        var address: Address?
        /// The element and what is around it.
        var element: String
        var verdict: Verdict
        /// The rule that took or rejected it.
        var rule: String
        var score: Int?
        /// What the score is made of.
        var reasons: [Score.Reason]
        var group: Int?
    }

    /// Candidates that stand in the same structure.
    struct Group {
        var number: Int
        var path: String
        var count: Int
    }

    /// An address considered as the next page.
    struct Next {
        var reference: String
        var rule: String
        var outcome: String
    }

    /// The page.
    public let address: Address
    /// What kind of page it was taken for.
    var way = "unread"
    var notes: [String] = []
    var candidates: [Line] = []
    /// Candidates beyond those that are listed.
    var omitted = 0
    var groups: [Group] = []
    var nexts: [Next] = []
    /// How it ended: the pictures found, or why there are none.
    var result = ""

    init(address: Address) {
        self.address = address
    }
}

extension Explanation {
    /// For people: some paragraphs of aligned lines, without control characters, ended by a line break.
    public var text: String {
        var lines = ["\(address.text)", "  read as \(way)"]
        lines += notes.map { "  " + $0 }
        lines += candidateLines
        lines += groupLines
        lines += nextLines
        lines.append("  \(result)")
        return lines.map(\.withoutControls).joined(separator: "\n") + "\n"
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
