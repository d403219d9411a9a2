extension Document {
    /// The name written `text`, in lower case, if the page has an element or attribute of that name: one look for many nodes.
    public func name(_ text: String) -> Name? {
        tree.nameIDs[text].map { Name(id: $0) }
    }
}
