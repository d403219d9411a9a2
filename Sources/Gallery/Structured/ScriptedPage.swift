import Markup

/// Detects pages without pictures that scripts would fill.
enum ScriptedPage {
    /// The ids of elements that frameworks render into.
    private static let roots = wordSet(
        """
        root app __next __nuxt ___gatsby svelte main-app app-root react-root application ember-app
        vue-app container gallery
        """)
    /// Custom elements of frameworks, always empty as delivered.
    private static let elements = wordSet("app-root my-app ion-app router-outlet")
    /// In bytes; smaller scripts are ignored, such as analytics and menus.
    private static let minScript = 1_000
    /// In bytes; a page with less text has no content without its scripts.
    private static let maxText = 400

    /// Whether the page has an empty root element to be filled, or scripts and hardly any text.
    static func isOne(_ document: Document) -> Bool {
        let scriptBytes = document.elements(.script).reduce(0) { count, script in
            // An external script counts as large.
            count + (script.has(.src) ? minScript : script.text(limit: minScript).utf8.count)
        }
        guard scriptBytes > 0 else { return false }
        if document.root.descendants.contains(where: isRoot) { return true }
        let text = document.root.first(.body)?.shortText(limit: 1 << 20) ?? ""
        return scriptBytes >= minScript && text.utf8.count < maxText
    }

    private static func isRoot(_ node: Node) -> Bool {
        if elements.contains(node.tagName) { return true }
        guard let id = node.attribute(.id), roots.contains(id.lowercased()) else { return false }
        return node.shortText(limit: 200).map { $0.utf8.count < 60 } ?? false
    }
}
