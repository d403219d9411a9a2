/// A selector with its names turned into the document's numbers.
struct CompiledSelector {
    let parts: [Part]
    var descendant: UInt64 = 0
    var child: UInt64 = 0
    var adjacent: UInt64 = 0
    var sibling: UInt64 = 0
    let first: UInt64 = 1
    let last: UInt64

    struct Part {
        /// Nil for any element; `missing` for one that the document does not have.
        var name: UInt16?
        var conditions: [Selector.Condition]
        /// No element has this number: names are fewer.
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
