import Markup

/// The running text of a page about one thing, such as an article, a recipe or a product: what leads to other pages outside of it is
/// related at best, whatever its class.
struct ArticleText {
    /// The elements from the first to the last paragraph.
    let nodes: Range<Int>
    /// Whether the page declares what it is about; if not, only its long text suggests that it is an article.
    let isDeclared: Bool

    /// In bytes; shorter texts are labels and captions.
    private static let minParagraph = 80
    /// In bytes, of all paragraphs.
    private static let minDeclared = 300
    private static let minWeak = 800
    private static let minUndeclared = 1_500
    private static let maxParagraphs = 2_000
    /// Levels around a paragraph: more than pages have, and few enough for all paragraphs.
    private static let maxLevels = 1_000

    /// Returns nil if the page has no text that is long enough.
    init?(_ found: Assembler, preview: OpenGraph) {
        let tree = found.tree
        var paragraphs: [(node: Int, length: Int)] = []
        for node in 0..<tree.count where tree.isText(node) {
            let parent = tree.parent(of: node)
            guard tree.length(ofText: node) >= Self.minParagraph, !tree.isInert(node),
                found.collector.anchor(of: parent) == nil, found.collector.isOfContent(parent),
                ![.script, .style, .noscript].contains(tree.name(of: parent))
            else { continue }
            let length = found.pageIndex.node(node).textContent.utf8.count
            guard length >= Self.minParagraph else { continue }
            paragraphs.append((node, length))
            if paragraphs.count == Self.maxParagraphs { break }
        }
        let total = paragraphs.reduce(0) { $0 + $1.length }
        // Some publishing systems call all their pages articles.
        isDeclared =
            preview.isPublished || preview.type == "article" && total >= Self.minWeak
        guard total >= (isDeclared ? Self.minDeclared : Self.minUndeclared) else { return nil }
        // The elements with most of the text are in each other, so that the last one is the innermost.
        var lengths: [Int: Int] = [:]
        for (node, length) in paragraphs {
            for outer in tree.ancestors(of: node).prefix(Self.maxLevels) {
                lengths[outer, default: 0] += length
            }
        }
        let body = lengths.filter { 10 * $0.value >= 6 * total }.keys.max() ?? 0
        let inside = paragraphs.filter { tree.contains(body, $0.node) }
        guard let first = inside.first, let last = inside.last else { return nil }
        nodes = first.node..<last.node + 1
    }
}
