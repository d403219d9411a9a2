/// One run of a selector over a subtree.
///
/// For each node and each part of the selector, a bit records whether the part and everything left of it match there; it follows from the
/// bits of the parent and the preceding sibling. So one pass in document order suffices, and nothing is tried twice.
struct Query {
    let tree: Tree
    let scope: Int
    private let alternatives: [Selector.Complex]
    private let hasConditions: [[Selector.Complex]]
    /// The nodes that satisfy each `:has()`; computed in index order, so inner ones come first.
    private(set) var fulfilled: [Set<Int>] = []

    init(tree: Tree, scope: Int, selector: Selector) {
        self.tree = tree
        self.scope = scope
        alternatives = selector.alternatives
        hasConditions = selector.hasConditions
    }

    /// Returns the matching nodes below the scope, in document order.
    mutating func run() -> [Int] {
        for list in hasConditions {
            fulfilled.append(
                list.reduce(into: []) { $0.formUnion(anchors(of: $1)) })
        }
        guard alternatives.count > 1 else { return matches(alternatives[0], below: scope) }
        let all = alternatives.reduce(into: Set<Int>()) {
            $0.formUnion(matches($1, below: scope))
        }
        return all.sorted()
    }

    /// The parts of the selector, one bit each, that match a node, any ancestor of it, and any preceding sibling.
    private struct Marks {
        var itself: UInt64 = 0
        var above: UInt64 = 0
        var before: UInt64 = 0
    }

    private func matches(_ complex: Selector.Complex, below scope: Int) -> [Int] {
        let compiled = CompiledSelector(complex, tree: tree)
        let end = Int(tree.nodes[scope].end)
        var marks = [Marks](repeating: Marks(), count: end - scope)
        marks[0].itself = marksOfScope(compiled)
        var found: [Int] = []
        for index in (scope + 1)..<max(end, scope + 1)
        where tree.nodes[index].name != Name.text.id {
            let record = tree.nodes[index]
            let parent = marks[Int(record.parent) - scope]
            var mark = Marks()
            mark.above = parent.above | parent.itself
            var previous = Marks()
            if record.previous >= 0 {
                previous = marks[Int(record.previous) - scope]
                mark.before = previous.before | previous.itself
            }
            let open =
                compiled.first | (compiled.descendant & (mark.above << 1))
                | (compiled.child & (parent.itself << 1))
                | (compiled.adjacent & (previous.itself << 1))
                | (compiled.sibling & (mark.before << 1))
            mark.itself = fulfilledParts(of: open, compiled, at: index)
            marks[index - scope] = mark
            if mark.itself & compiled.last != 0 { found.append(index) }
        }
        return found
    }

    private func marksOfScope(_ compiled: CompiledSelector) -> UInt64 {
        tree.nodes[scope].name == Name.none.id
            ? 0 : fulfilledParts(of: compiled.first, compiled, at: scope)
    }

    /// Returns those of the candidate parts, given by the surrounding nodes, that match this node.
    private func fulfilledParts(of open: UInt64, _ compiled: CompiledSelector, at index: Int)
        -> UInt64
    {
        var left = open
        var result: UInt64 = 0
        while left != 0 {
            let bit = left.trailingZeroBitCount
            if holds(compiled.parts[bit], at: index) { result |= 1 << UInt64(bit) }
            left &= left - 1
        }
        return result
    }
}

extension Query {
    fileprivate func holds(_ part: CompiledSelector.Part, at index: Int) -> Bool {
        if let name = part.name, name != tree.nodes[index].name { return false }
        return part.conditions.allSatisfy { holds($0, at: index) }
    }

    private func holds(_ condition: Selector.Condition, at index: Int) -> Bool {
        switch condition {
        case .id(let id):
            return tree.attribute(.id, of: index).map { tree.value(of: $0).elementsEqual(id) }
                ?? false
        case .class(let name):
            return tree.attribute(.class, of: index).map {
                tree.value(of: $0).hasWord(name)
            } ?? false
        case .attribute(let name, let test):
            guard let id = tree.nameIDs[name], let found = tree.attribute(Name(id: id), of: index)
            else { return false }
            return test.holds(for: tree.value(of: found))
        case .nthChild(let step, let offset):
            let past = Int(tree.nodes[index].position) - offset
            return step == 0 ? past == 0 : past % step == 0 && past / step >= 0
        case .lastChild: return Node(tree: tree, index: index).nextElement == nil
        case .not(let list): return !list.contains { holds($0, at: index) }
        case .has(_, let number): return fulfilled[number].contains(index)
        }
    }

    private func holds(_ compound: Selector.Compound, at index: Int) -> Bool {
        if let tag = compound.tag, tag != tree.names[Int(tree.nodes[index].name)] { return false }
        return compound.conditions.allSatisfy { holds($0, at: index) }
    }
}

extension Selector.AttributeTest {
    /// Whether an attribute value matches; an empty value in the selector never does, except for `=`.
    fileprivate func holds(for text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard case .compare(let comparison, let value, let ignoresCase) = self else { return true }
        let text = ignoresCase ? text.map(\.lowered) : Array(text)
        switch comparison {
        case .equal: return text == value
        case .word: return text.hasWord(value)
        case .dash: return text == value || text.starts(with: value + [UInt8(ascii: "-")])
        case .prefix: return !value.isEmpty && text.starts(with: value)
        case .suffix: return !value.isEmpty && text.suffix(value.count).elementsEqual(value)
        case .substring: return !value.isEmpty && text.contains(value)
        }
    }
}

extension Collection<UInt8> {
    fileprivate func hasWord(_ word: [UInt8]) -> Bool {
        split(whereSeparator: \.isBlank).contains { $0.elementsEqual(word) }
    }
}

/// `:has()`: similar bits for what is below and after a node, computed in one backward pass.
extension Query {
    /// For a node, the parts of the selector that match it, along with everything to their right, and the nodes that follow; one bit each.
    private struct FollowingMarks {
        /// Parts that match this node, along with everything to their right.
        var itself: UInt64 = 0
        var children: UInt64 = 0
        var below: UInt64 = 0
        var next: UInt64 = 0
        var after: UInt64 = 0
    }

    /// Returns the nodes of the scope that satisfy `:has(complex)`.
    func anchors(of complex: Selector.Complex) -> [Int] {
        let compiled = CompiledSelector(complex, tree: tree)
        let end = Int(tree.nodes[scope].end)
        var marks = [FollowingMarks](repeating: FollowingMarks(), count: end - scope)
        var found: [Int] = []
        for index in stride(from: end - 1, through: scope, by: -1)
        where tree.nodes[index].name != Name.text.id {
            var mark = marks[index - scope]
            if holds(complex.parts[0].combinator, for: 1, around: mark) { found.append(index) }
            mark.itself = itself(compiled, complex, mark, at: index)
            marks[index - scope].itself = mark.itself
            guard index > scope else { break }
            let record = tree.nodes[index]
            let parent = Int(record.parent) - scope
            marks[parent].children |= mark.itself
            marks[parent].below |= mark.itself | mark.below
            if record.previous >= 0 {
                marks[Int(record.previous) - scope].next = mark.itself
                marks[Int(record.previous) - scope].after = mark.itself | mark.after
            }
        }
        return found
    }

    private func itself(
        _ compiled: CompiledSelector, _ complex: Selector.Complex, _ mark: FollowingMarks,
        at index: Int
    ) -> UInt64 {
        var result: UInt64 = 0
        for (number, part) in compiled.parts.enumerated() {
            let isLast = number + 1 == compiled.parts.count
            let follows =
                isLast
                || holds(
                    complex.parts[number + 1].combinator, for: 1 << UInt64(number + 1), around: mark
                )
            if follows, holds(part, at: index) { result |= 1 << UInt64(number) }
        }
        return result
    }

    private func holds(
        _ combinator: Selector.Complex.Combinator, for part: UInt64, around mark: FollowingMarks
    ) -> Bool {
        switch combinator {
        case .descendant: mark.below & part != 0
        case .child: mark.children & part != 0
        case .adjacent: mark.next & part != 0
        case .sibling: mark.after & part != 0
        }
    }
}

/// A selector whose names are replaced by the document's numbers; each part is represented by one bit.
private struct CompiledSelector {
    let parts: [Part]
    var descendant: UInt64 = 0
    var child: UInt64 = 0
    var adjacent: UInt64 = 0
    var sibling: UInt64 = 0
    let first: UInt64 = 1
    let last: UInt64

    struct Part {
        /// Nil for any element; `missing` for a name that the document does not contain.
        var name: UInt16?
        var conditions: [Selector.Condition]
        /// A number that no element has, as there are fewer names.
        static let missing = UInt16.max
    }

    init(_ complex: Selector.Complex, tree: Tree) {
        parts = complex.parts.map { part in
            Part(
                name: part.compound.tag.map { tree.nameIDs[$0] ?? Part.missing },
                conditions: part.compound.conditions)
        }
        last = 1 << UInt64(complex.parts.count - 1)
        for (index, part) in complex.parts.enumerated().dropFirst() {
            let bit: UInt64 = 1 << UInt64(index)
            switch part.combinator {
            case .descendant: descendant |= bit
            case .child: child |= bit
            case .adjacent: adjacent |= bit
            case .sibling: sibling |= bit
            }
        }
    }
}
