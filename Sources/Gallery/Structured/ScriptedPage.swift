import Markup

/// Whether a page without pictures is one that scripts would fill.
enum ScriptedPage {
    /// Where frameworks put what they make.
    private static let roots: Set<String> = [
        "root", "app", "__next", "__nuxt", "___gatsby", "svelte", "main-app", "app-root",
        "react-root",
        "application", "ember-app", "vue-app", "container", "gallery",
    ]
    /// Elements of frameworks, always empty as delivered.
    private static let elements: Set<String> = ["app-root", "my-app", "ion-app", "router-outlet"]
    /// Scripts below this many bytes count for nothing: counters and menus.
    private static let minScript = 1_000
    /// A page with less text has nothing to read either.
    private static let maxText = 400

    /// Looks for an empty place to be filled, or for scripts and hardly anything else.
    static func isOne(_ document: Document) -> Bool {
        var scriptBytes = 0
        var hasRoot = false
        for node in document.root.descendants where !node.isText {
            if node.name == .script {
                // A script from elsewhere is as large as it likes.
                scriptBytes += node.has(.src) ? minScript : node.text(limit: minScript).utf8.count
            } else if !hasRoot, isRoot(node) {
                hasRoot = true
            }
        }
        guard scriptBytes > 0 else { return false }
        if hasRoot { return true }
        let text = document.root.first(.body)?.shortText(limit: 1 << 20) ?? ""
        return scriptBytes >= minScript && text.utf8.count < maxText
    }

    private static func isRoot(_ node: Node) -> Bool {
        if elements.contains(node.tagName) { return true }
        guard let id = node.attribute(.id), roots.contains(id.lowercased()) else { return false }
        return node.shortText(limit: 200).map { $0.utf8.count < 60 } ?? false
    }
}
