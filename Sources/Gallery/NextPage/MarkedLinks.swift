import Markup

/// The links of a page whose attributes may say where they lead, found in one pass: nearly all links of a gallery say nothing.
struct MarkedLinks {
    /// With a relation that leads on or up, by its letters.
    private(set) var related: [Int] = []
    /// With a class that speaks of more.
    private(set) var more: [Int] = []
    /// With a class or label of the next page.
    private(set) var next: [Int] = []

    private static let relations = Substrings(["next", "contents", "index"], ignoringCase: true)

    init() {}

    init(_ links: [Int], _ view: PageView) {
        var classes = NextClasses.Known()
        for link in links {
            if let relation = view.attribute(.rel, of: link),
                MarkedLinks.relations.occur(in: relation) || relation.includes(ignoringCase: "up")
            {
                related.append(link)
            }
            if let names = view.attribute(.class, of: link), names.includes(ignoringCase: "more") {
                more.append(link)
            }
            if NextClasses.marks(link, view, &classes) { next.append(link) }
        }
    }
}
