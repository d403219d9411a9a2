extension Query {
    /// Whether the element is what the part demands.
    func holds(_ part: CompiledSelector.Part, at index: Int) -> Bool {
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
                Bytes.hasToken(name, in: tree.value(of: $0))
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
}

extension Query {
    private func holds(_ compound: Selector.Compound, at index: Int) -> Bool {
        if let tag = compound.tag, tag != tree.names[Int(tree.nodes[index].name)] { return false }
        return compound.conditions.allSatisfy { holds($0, at: index) }
    }
}

extension Selector.AttributeTest {
    /// Whether a value passes; an empty value in the selector never does, except for `=`.
    func holds(for text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard case .compare(let comparison, let value, let ignoresCase) = self else { return true }
        func equals(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
            Bytes.equal(value, part, ignoringCase: ignoresCase)
        }
        switch comparison {
        case .equal: return equals(text)
        case .word: return Bytes.hasToken(value, in: text, ignoringCase: ignoresCase)
        case .dash:
            guard value.count <= text.count else { return false }
            return equals(text.part(0, value.count))
                && (value.count == text.count || text[value.count] == 0x2D)
        case .prefix:
            return !value.isEmpty && value.count <= text.count && equals(text.part(0, value.count))
        case .suffix:
            return !value.isEmpty && value.count <= text.count
                && equals(text.part(text.count - value.count, value.count))
        case .substring: return Bytes.contains(value, in: text, ignoringCase: ignoresCase)
        }
    }
}
