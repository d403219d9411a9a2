import Markup
import Network

/// Where the rules write what they decide, and why; there is none unless somebody asked.
///
/// Used by the one thread that reads the page, and dropped after it.
final class DecisionLog {
    /// What was written so far.
    private(set) var explanation: Explanation
    /// The place in the explanation of each candidate, by its element.
    private var places: [Int: Int] = [:]

    /// Candidates beyond these are counted only.
    private static let maxCandidates = 5_000
    /// Addresses considered as next page.
    private static let maxNexts = 40

    init(address: Address) {
        explanation = Explanation(address: address)
    }

    /// How the page was read.
    func read(as way: String) {
        explanation.way = way
    }

    /// A step that concerns the page as a whole.
    func note(_ text: String) {
        explanation.notes.append(text)
    }

    /// How it ended.
    func end(_ result: String) {
        explanation.result = result
    }

    /// What became of a candidate; a later verdict replaces an earlier one.
    func decide(
        _ candidate: Candidate, in findings: Findings, _ verdict: Explanation.Verdict,
        _ rule: String, score: Score? = nil, group: Int? = nil
    ) {
        if let place = places[candidate.node] {
            explanation.candidates[place].verdict = verdict
            explanation.candidates[place].rule = rule
            if let score { explanation.candidates[place].score = score.total }
            if let score { explanation.candidates[place].reasons = score.reasons }
            if let group { explanation.candidates[place].group = group }
            return
        }
        guard explanation.candidates.count < DecisionLog.maxCandidates else {
            explanation.omitted += 1
            return
        }
        places[candidate.node] = explanation.candidates.count
        explanation.candidates.append(
            Explanation.Line(
                order: candidate.node,
                address: findings.found(of: candidate).last.map { findings.address($0.address) },
                element: ElementPath.of(findings.document.node(candidate.node)),
                verdict: verdict, rule: rule,
                score: score?.total, reasons: score?.reasons ?? [], group: group))
    }

    /// How many members a group of equal structure has.
    func groups(_ sizes: [(path: String, count: Int)]) {
        explanation.groups = sizes.enumerated().map {
            Explanation.Group(number: $0.offset + 1, path: $0.element.path, count: $0.element.count)
        }
    }

    /// An address considered as the next page.
    func next(_ reference: String, by rule: String, _ outcome: String) {
        guard explanation.nexts.count < DecisionLog.maxNexts else { return }
        explanation.nexts.append(
            Explanation.Next(reference: reference, rule: rule, outcome: outcome))
    }
}

/// Where an element stands, in the words of a selector.
enum ElementPath {
    /// Levels that are told.
    private static let reach = 4

    /// `ul.gallery > li > a > img`; numbers in classes are left out, since they differ from item to item.
    static func of(_ node: Node) -> String {
        var steps = [step(node)]
        for ancestor in node.ancestors.prefix(reach - 1) where !ancestor.tagName.isEmpty {
            steps.append(step(ancestor))
        }
        return steps.reversed().joined(separator: " > ")
    }

    private static func step(_ node: Node) -> String {
        let classes = node.classes.prefix(2).filter { name in
            !name.utf8.contains { (0x30...0x39).contains($0) } && name.utf8.count <= 30
        }
        return Text.line(([node.tagName] + classes).joined(separator: "."))
    }
}
