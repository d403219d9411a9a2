import Basics

/// One run of a selector over a subtree.
///
/// The parts of a selector are handled one after the other, those of `:has()` from right to left, each in one pass over the nodes. So nothing is
/// tried twice, however deep the page is.
struct Query {
    /// Whether each node is marked, from the scope on.
    private typealias Marks = [Bool]

    private let tree: Tree
    private let scope: Int
    private let selector: Selector
    private let elements: Marks
    /// The nodes that satisfy each `:has()`; computed in index order, so inner ones come first.
    private var fulfilled: [Marks] = []

    init(tree: Tree, scope: Int, selector: Selector) {
        self.tree = tree
        self.scope = scope
        self.selector = selector
        elements = (scope..<tree.reader.end(of: scope)).map {
            tree.nodes[$0].name > Name.text.id
        }
    }

    /// Returns the matching nodes below the scope, in document order.
    mutating func run() -> [Int] {
        for list in selector.hasConditions { fulfilled.append(union(list.map(anchors))) }
        let found = union(selector.alternatives.map(matches))
        return found.indices.dropFirst().filter { found[$0] }.map { scope + $0 }
    }

    private func matches(_ complex: Selector.Complex) -> Marks {
        var marks = matching(complex[0].compound, among: elements)
        for part in complex.dropFirst() {
            marks = matching(
                part.compound, among: reached(from: marks, by: part.combinator, backwards: false))
        }
        return marks
    }

    /// Returns the nodes that satisfy `:has(complex)`.
    private func anchors(_ complex: Selector.Complex) -> Marks {
        complex.reversed().reduce(elements) { marks, part in
            reached(
                from: matching(part.compound, among: marks), by: part.combinator, backwards: true)
        }
    }

    private func union(_ lists: [Marks]) -> Marks {
        lists.dropFirst().reduce(into: lists[0]) { all, list in
            for place in list.indices where list[place] { all[place] = true }
        }
    }

    private func matching(_ compound: Selector.Compound, among marks: Marks) -> Marks {
        // Style sheets have rules for elements that the page lacks.
        if let tag = compound.tag, tree.nameIDs[tag] == nil {
            return Marks(repeating: false, count: marks.count)
        }
        return marks.indices.map { marks[$0] && holds(compound, at: scope + $0) }
    }

    /// Returns the nodes that a combinator leads to from the marked ones, or `backwards` those from which it leads to them.
    private func reached(
        from marks: Marks, by combinator: Selector.Combinator, backwards: Bool
    ) -> Marks {
        var reached = Marks(repeating: false, count: marks.count)
        for step in 1..<max(1, marks.count) {
            let node = backwards ? marks.count - step : step
            let record = tree.nodes[scope + node]
            let isInside = combinator == .child || combinator == .descendant
            let near = Int(isInside ? record.parent : record.previous) - scope
            guard near >= 0, record.name != Name.text.id else { continue }
            let (start, end) = backwards ? (node, near) : (near, node)
            let isRepeated = combinator == .descendant || combinator == .sibling
            if marks[start] || isRepeated && reached[start] { reached[end] = true }
        }
        return reached
    }

    private func holds(_ compound: Selector.Compound, at index: Int) -> Bool {
        if let tag = compound.tag, tag != tree.node(index).tagName { return false }
        return compound.conditions.allSatisfy { holds($0, at: index) }
    }

    private func holds(_ condition: Selector.Condition, at index: Int) -> Bool {
        switch condition {
        case .attribute(let name, let test):
            guard let id = tree.nameIDs[name],
                let value = tree.reader.attribute(Name(id), of: index)
            else { return false }
            return test?.holds(for: value) ?? true
        case .nthChild(let step, let offset):
            let past = Int(tree.nodes[index].position) - offset
            return step == 0 ? past == 0 : past % step == 0 && past / step >= 0
        case .lastChild: return tree.node(index).nextElement == nil
        case .not(let list): return !list.contains { holds($0, at: index) }
        case .has(let number): return fulfilled[number][index - scope]
        }
    }
}

extension Selector.AttributeTest {
    /// Whether an attribute value matches; an empty value in the selector never does, except for `=`.
    fileprivate func holds(for text: Bytes) -> Bool {
        let text = text.lazy.map { ignoresCase ? $0.lowered : $0 }
        let wanted = value.utf8
        return switch comparison {
        case .equal: text.elementsEqual(wanted)
        case .word: text.split(whereSeparator: \.isBlank).contains { $0.elementsEqual(wanted) }
        case .dash: text.elementsEqual(wanted) || text.starts(with: "\(value)-".utf8)
        case .prefix: !value.isEmpty && text.starts(with: wanted)
        case .suffix: !value.isEmpty && text.suffix(wanted.count).elementsEqual(wanted)
        case .substring: !value.isEmpty && text.contains(wanted)
        }
    }
}
