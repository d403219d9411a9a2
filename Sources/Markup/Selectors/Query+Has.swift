/// `:has()`: the same bits as in a query, but of what stands below and after a node, in one pass backwards.
extension Query {
    /// What the parts from each bit on say of a node and of what follows it.
    private struct Marks {
        /// Parts that match here with everything right of them.
        var itself: UInt64 = 0
        /// Parts that do so at a child.
        var children: UInt64 = 0
        /// Parts that do so anywhere below.
        var below: UInt64 = 0
        /// Parts that do so at the next sibling.
        var next: UInt64 = 0
        /// Parts that do so at any later sibling.
        var after: UInt64 = 0
    }

    /// The nodes of the scope for which `:has(complex)` holds.
    func anchors(of complex: Selector.Complex) -> [Int] {
        let compiled = CompiledSelector(complex, tree: tree)
        let end = Int(tree.nodes[scope].end)
        var marks = [Marks](repeating: Marks(), count: end - scope)
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
        _ compiled: CompiledSelector, _ complex: Selector.Complex, _ mark: Marks, at index: Int
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
        _ combinator: Selector.Complex.Combinator, for part: UInt64, around mark: Marks
    ) -> Bool {
        switch combinator {
        case .descendant: mark.below & part != 0
        case .child: mark.children & part != 0
        case .adjacent: mark.next & part != 0
        case .sibling: mark.after & part != 0
        }
    }
}
