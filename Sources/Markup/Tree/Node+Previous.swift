extension Node {
    /// The element or run of text before it among its siblings.
    public var previousNode: Node? {
        guard index > 0 else { return nil }
        let parent = Int(tree.nodes[index].parent)
        // What stands directly before in the document is text, the parent itself, or the end of the element before.
        guard index - 1 > parent else { return nil }
        let before = Node(tree: tree, index: index - 1)
        if before.isText, Int(tree.nodes[index - 1].parent) == parent { return before }
        return previousElement
    }
}
