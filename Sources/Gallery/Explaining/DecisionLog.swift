import Basics
import Markup
import Network

/// Records what the rules decide about one page and why, for `--explain`; absent without that option.
///
/// Used only by the thread that reads the page, then discarded.
final class DecisionLog {
    enum Verdict: String {
        case taken, related, rejected
    }

    /// What was decided about one candidate.
    struct Decision {
        /// Its last address, which is the best.
        let address: Address?
        let element: String
        let verdict: Verdict
        let rule: String
        let group: Int?
    }

    private let address: Address
    /// What the page was read as.
    var way = "unread"
    private var notes: [String] = []
    /// Keyed by the candidate's element, which gives its position on the page.
    private(set) var decisions: [Int: Decision] = [:]
    /// The number of candidates beyond those listed.
    private var omitted = 0
    private var groups: [(group: CandidateGroup, path: String)] = []
    private var nexts: [(reference: String, rule: String, outcome: String)] = []

    private static let maxDecisions = 5_000
    private static let maxNexts = 40
    /// In columns: about two lines of a wide screen.
    private let maxAddress = 300

    init(address: Address) { self.address = address }

    /// Adds a note about the page as a whole.
    func note(_ text: String) { notes.append(text) }

    /// Records what was decided about groups of candidates, and so about each of them.
    func record(_ decided: [CandidateGroup], of found: Assembler) {
        for group in decided {
            let rule =
                switch group.verdict {
                case .taken: "gallery"
                case .related: "related"
                case .rejected: group.terms.last { $0.points < 0 }?.name ?? "too little for it"
                }
            let first = found.candidates[group.members[0]].node
            groups.append((group, found.pageIndex.node(first).path))
            for member in group.members {
                decide(
                    found.candidates[member], in: found.pageIndex, group.verdict, rule,
                    group: groups.count)
            }
        }
    }

    /// Records the verdict on a candidate, replacing an earlier one.
    func decide(
        _ candidate: Candidate, in pageIndex: PageIndex, _ verdict: Verdict, _ rule: String,
        group: Int? = nil
    ) {
        let known = decisions[candidate.node]
        guard known != nil || decisions.count < Self.maxDecisions else {
            omitted += 1
            return
        }
        decisions[candidate.node] = Decision(
            address: pageIndex.offers(of: candidate).last.map { pageIndex.addresses[$0.address] },
            element: pageIndex.node(candidate.node).path, verdict: verdict, rule: rule,
            group: group ?? known?.group)
    }

    func next(_ reference: String, by rule: String, _ outcome: String) {
        if nexts.count < Self.maxNexts { nexts.append((reference, rule, outcome)) }
    }

    /// Why candidates are not in the gallery, by their best addresses.
    var objections: [Address: String] {
        let rejected = decisions.values.filter { $0.verdict != .taken }
        return Dictionary(
            rejected.compactMap { decision in decision.address.map { ($0, decision.rule) } }
        ) { first, _ in first }
    }

    /// Returns the explanation for users: aligned lines without control characters, the last being `result`, ending in a line break.
    func text(result: String) -> String {
        let head = [address.text, "  read as \(way)"] + notes.map { "  \($0)" }
        let lines = head + candidateLines + groupLines + nextLines + ["  \(result)"]
        return lines.map(\.withoutControls).joined(separator: "\n") + "\n"
    }

    private var candidateLines: [String] {
        guard !decisions.isEmpty else { return [] }
        let taken = decisions.values.count { $0.verdict == .taken }
        var lines = [
            "", "  candidates: \(decisions.count + omitted), of which \(taken) taken",
            "  verdict   group  address, element, rule",
        ]
        let indent = "                   "
        for (_, decision) in decisions.sorted(by: { $0.key < $1.key }) {
            let group = decision.group.map { "\($0)" } ?? "-"
            lines += [
                "  " + decision.verdict.rawValue.padded(to: 8) + group.rightAligned(to: 7) + "  "
                    + (decision.address?.text ?? "(no address)").truncated(to: maxAddress),
                indent + decision.element, indent + decision.rule,
            ]
        }
        if omitted > 0 { lines.append("  and \(omitted) more") }
        return lines
    }

    /// The terms of a group that are told.
    private static let maxTerms = 8

    private var groupLines: [String] {
        guard !groups.isEmpty else { return [] }
        let header =
            "  groups of equal structure: number, verdict, members, what speaks for and against"
        return ["", header]
            + groups.enumerated().flatMap { place, entry in
                let terms = entry.group.terms.sorted { abs($0.points) > abs($1.points) }
                return [
                    "  " + "\(place + 1)".rightAligned(to: 5) + "  "
                        + entry.group.verdict.rawValue.padded(to: 8)
                        + "\(entry.group.members.count)".rightAligned(to: 6) + "  " + entry.path,
                    "         "
                        + ([("in all", entry.group.sum)] + terms.prefix(Self.maxTerms)).map {
                            name, points in "\(name) \(Self.signed(points))"
                        }.joined(separator: ", "),
                ]
            }
    }

    /// Returns a number with one decimal.
    private static func signed(_ points: Double) -> String {
        let tenths = Int((10 * points).rounded())
        return "\(tenths < 0 ? "-" : "+")\(abs(tenths) / 10).\(abs(tenths) % 10)"
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

extension Node {
    /// The position of an element in selector notation, such as `ul.gallery > li > a > img`, with three levels around it.
    var path: String {
        let steps = [self] + ancestors.prefix(3).filter { !$0.tagName.isEmpty }
        return steps.reversed().map { step in
            // Classes with digits differ between items.
            let classes = step.classes.prefix(2).filter { name in
                !name.utf8.contains(where: \.isDigit) && name.utf8.count <= 30
            }
            return Text.line(([step.tagName] + classes).joined(separator: "."))
        }.joined(separator: " > ")
    }
}
