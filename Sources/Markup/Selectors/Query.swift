/// One run of a selector over a subtree.
///
/// For each node and each part of the selector a bit says whether the part, with everything left of it, matches that node; the bits
/// follow from those of the parent and of the sibling before. So one pass in document order suffices, and nothing is tried twice.
struct Query {
    let tree: Tree
    let scope: Int
    private let alternatives: [Selector.Complex]
    private let hasConditions: [[Selector.Complex]]
    /// For each `:has()` the nodes that fulfil it; filled in their order, inner ones first.
    private(set) var fulfilled: [Set<Int>] = []

    init(tree: Tree, scope: Int, selector: Selector) {
        self.tree = tree
        self.scope = scope
        alternatives = selector.alternatives
        hasConditions = selector.hasConditions
    }

    /// The matching nodes below the scope, in document order.
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

    /// What the parts up to each bit say of a node and of its surroundings.
    private struct Marks {
        /// Parts that this node matches.
        var itself: UInt64 = 0
        /// Parts that a node above it matches.
        var above: UInt64 = 0
        /// Parts that an earlier sibling matches.
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

    /// Of the parts that may match here, given what is around, those that do.
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
