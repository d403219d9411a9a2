import Basics
import Markup
import Network

/// Records what the rules decide about one page and why, for `--explain`; absent without that option.
///
/// Used only by the thread that reads the page, then discarded.
final class DecisionLog {
    enum Verdict: String {
        case taken, rejected
    }

    /// What was decided about one candidate.
    struct Decision {
        /// Its addresses, the best last.
        var addresses: [Address]
        var element: String
        var verdict = Verdict.rejected
        var rule = ""
        var score: Score?
        var group: Int?
    }

    private let address: Address
    /// What the page was read as.
    var way = "unread"
    private var notes: [String] = []
    /// Keyed by the candidate's element, which gives its position on the page.
    private(set) var decisions: [Int: Decision] = [:]
    /// The number of candidates beyond those listed.
    private var omitted = 0
    /// The path and number of members of each group of equal structure.
    var groups: [(path: String, count: Int)] = []
    private var nexts: [(reference: String, rule: String, outcome: String)] = []

    private static let maxDecisions = 5_000
    private static let maxNexts = 40
    /// In columns: about two lines of a wide screen.
    private let maxAddress = 300

    init(address: Address) { self.address = address }

    /// Adds a note about the page as a whole.
    func note(_ text: String) { notes.append(text) }

    /// Records the verdict on a candidate, replacing an earlier one.
    func decide(
        _ candidate: Candidate, in pageIndex: PageIndex, _ verdict: Verdict, _ rule: String,
        score: Score? = nil, group: Int? = nil
    ) {
        let known = decisions[candidate.node]
        guard known != nil || decisions.count < Self.maxDecisions else {
            omitted += 1
            return
        }
        var decision =
            known
            ?? Decision(
                addresses: pageIndex.offers(of: candidate).map { pageIndex.addresses[$0.address] },
                element: ElementPath.of(pageIndex.node(candidate.node)))
        decision.verdict = verdict
        decision.rule = rule
        decision.score = score ?? decision.score
        decision.group = group ?? decision.group
        decisions[candidate.node] = decision
    }

    func next(_ reference: String, by rule: String, _ outcome: String) {
        guard nexts.count < Self.maxNexts else { return }
        nexts.append((reference, rule, outcome))
    }

    /// Why candidates were rejected, or what counted most against them, by their best addresses.
    var objections: [Address: String] {
        let rejected = decisions.values.filter { $0.verdict == .rejected }
        let reasons = rejected.compactMap { decision -> (Address, String)? in
            let worst = decision.score?.signs.min { $0.points < $1.points }
            let isScored = decision.rule == Selection.lowScore
            let reason = isScored ? worst?.sign.name ?? decision.rule : decision.rule
            return decision.addresses.last.map { ($0, reason) }
        }
        return Dictionary(reasons) { first, _ in first }
    }

    /// Returns the explanation for users: aligned lines without control characters, the last being `result`, ending in a line break.
    func text(result: String) -> String {
        var lines = ["\(address.text)", "  read as \(way)"]
        lines += notes.map { "  " + $0 }
        lines += candidateLines + groupLines + nextLines
        lines.append("  \(result)")
        return lines.map(\.withoutControls).joined(separator: "\n") + "\n"
    }

    private var candidateLines: [String] {
        guard !decisions.isEmpty else { return [] }
        let taken = decisions.values.count { $0.verdict == .taken }
        var lines = [
            "", "  candidates: \(decisions.count + omitted), of which \(taken) taken",
            "  verdict   score group  address, element, rule",
        ]
        let indent = String(repeating: " ", count: 25)
        for (_, decision) in decisions.sorted(by: { $0.key < $1.key }) {
            let score = decision.score.map { "\($0.total)" } ?? "-"
            let group = decision.group.map { "\($0)" } ?? "-"
            let signs = (decision.score?.signs ?? []).map { sign, points in
                "\(sign.name) \(points > 0 ? "+" : "")\(points)"
            }
            lines += [
                "  " + decision.verdict.rawValue.padded(to: 8) + score.rightAligned(to: 7)
                    + group.rightAligned(to: 6) + "  "
                    + (decision.addresses.last?.text ?? "(no address)").truncated(to: maxAddress),
                indent + decision.element,
                indent + decision.rule
                    + (signs.isEmpty ? "" : ": " + signs.joined(separator: ", ")),
            ]
        }
        if omitted > 0 { lines.append("  and \(omitted) more") }
        return lines
    }

    private var groupLines: [String] {
        guard !groups.isEmpty else { return [] }
        return ["", "  groups of equal structure"]
            + groups.enumerated().map { place, group in
                "  " + "\(place + 1)".rightAligned(to: 5)
                    + "\(group.count)".rightAligned(to: 7) + " members  " + group.path
            }
    }

    private var nextLines: [String] {
        guard !nexts.isEmpty else { return ["", "  next page: no candidates", ""] }
        let width = nexts.map(\.rule.count).max() ?? 0
        return ["", "  next page"]
            + nexts.map {
                "    " + $0.rule.padded(to: width) + "  "
                    + $0.outcome.padded(to: max(10, $0.outcome.columns))
                    + $0.reference.truncated(to: maxAddress)
            } + [""]
    }
}

extension String {
    /// Pads with leading spaces to `width` characters.
    fileprivate func rightAligned(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}

/// The position of an element, in selector notation.
enum ElementPath {
    private static let maxLevels = 4

    /// Returns a path such as `ul.gallery > li > a > img`; classes with digits are omitted, since they differ between items.
    static func of(_ node: Node) -> String {
        var steps = [step(node)]
        for ancestor in node.ancestors.prefix(maxLevels - 1) where !ancestor.tagName.isEmpty {
            steps.append(step(ancestor))
        }
        return steps.reversed().joined(separator: " > ")
    }

    private static func step(_ node: Node) -> String {
        let classes = node.classes.prefix(2).filter { name in
            !name.utf8.contains(where: \.isDigit) && name.utf8.count <= 30
        }
        return Text.line(([node.tagName] + classes).joined(separator: "."))
    }
}
