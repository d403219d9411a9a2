/// A fact about a group that speaks for or against its being the page's gallery.
struct GalleryFact: Sendable {
    let name: String
    /// By how much it changes the logarithm of the odds.
    let weight: Double
    /// Whether it is about where the group stands rather than what it is.
    let isOfPlace: Bool
    let value: @Sendable (GroupFacts) -> Double

    init(
        _ name: String, _ weight: Double, isOfPlace: Bool = false,
        _ value: @escaping @Sendable (GroupFacts) -> Double
    ) {
        (self.name, self.weight, self.isOfPlace, self.value) = (name, weight, isOfPlace, value)
    }

    private init(_ name: String, _ weight: Double, _ trait: Trait, isOfPlace: Bool = false) {
        self.init(name, weight, isOfPlace: isOfPlace) { $0.share(trait) }
    }

    /// The sum of a group with no facts.
    static let constant = -3.30

    /// Logistic regression finds the weights in labelled pages: `make fit`.
    static let all = [
        // What its members show.
        GalleryFact("photograph's ending", 0.43, .photograph),
        GalleryFact("GIF or PNG of unknown size", -0.87, .unsizedBitmap),
        GalleryFact("word of ornaments", -1.82, .ornament),
        GalleryFact("word of buttons", -1.76, .control),
        GalleryFact("digit in the name", 0.52, .digit),
        GalleryFact("two digits in the name", 0.58, .twoDigits),
        GalleryFact("alternative text in the page's title", 1.23, .altInTitle),
        GalleryFact("narrow", -1.52, .narrow),
        GalleryFact("background", -0.95, .background),
        // What they lead to.
        GalleryFact("names the full size", 2.12, .namesFullSize),
        GalleryFact("leads to another site", -1.45, .leadsToOtherSite),
        GalleryFact("leads where the largest group does", 0.72) { $0.linksLikeMain },
        // What is around them.
        GalleryFact("table cell", -0.93, .cell),
        GalleryFact("no text", -0.59, .noText),
        GalleryFact("class of galleries", 1.00) { $0.inner(.gallery) },
        GalleryFact("class of images", 1.15) { $0.inner(.image) },
        GalleryFact("class of logos", -1.76) { $0.inner(.logo) },
        GalleryFact("class of persons", -2.09) { $0.inner(.person) },
        GalleryFact("class of navigation", -1.48) { $0.inner(.navigation) },
        GalleryFact("in a class of galleries", 1.17) { $0.outer(.gallery) },
        GalleryFact("in a class of navigation", -1.30) { $0.outer(.navigation) },
        GalleryFact("in the page's frame", -2.13) { $0.outer(.frame) },
        GalleryFact("in a class of sidebars", -0.47, isOfPlace: true) { $0.outer(.side) },
        GalleryFact("in a figure", 1.62) { $0.outer(.figure) },
        GalleryFact("in a class of related things", -1.67, isOfPlace: true) { $0.outer(.related) },
        GalleryFact("under a heading that recommends", -1.84, .recommended, isOfPlace: true),
        GalleryFact("outside of the text", -0.72, .outsideText, isOfPlace: true),
        GalleryFact("teaser", -2.68, .teaser, isOfPlace: true),
        // The group on its page.
        GalleryFact("different addresses", 1.35) { Double($0.distinct) / Double($0.count) },
        GalleryFact("seven or more", 0.82) { $0.distinct >= 7 ? 1 : 0 },
        GalleryFact("shown by other groups, too", 1.34) { $0.elsewhere },
        GalleryFact("share of the page's tags", 2.29) { $0.tagShare },
        GalleryFact("area beside the largest group's", 1.50) { $0.reach },
        GalleryFact("beside photographs", -2.93) { $0.isBesidePhotographs ? 1 : 0 },
    ]
}
