/// A fact about a group that speaks for or against its being the page's gallery.
struct GalleryFact {
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
        self.name = name
        self.weight = weight
        self.isOfPlace = isOfPlace
        self.value = value
    }

    private init(_ name: String, _ weight: Double, _ trait: Trait, isOfPlace: Bool = false) {
        self.init(name, weight, isOfPlace: isOfPlace) { $0.share(trait) }
    }

    /// The sum of a group with no facts.
    static let constant = -3.20

    /// Logistic regression finds the weights in labelled pages: `make fit`.
    static let all = [
        // What its members show.
        GalleryFact("photograph's ending", 0.48, .photograph),
        GalleryFact("GIF or PNG of unknown size", -0.89, .unsizedBitmap),
        GalleryFact("word of ornaments", -1.90, .ornament),
        GalleryFact("word of buttons", -1.83, .control),
        GalleryFact("digit in the name", 0.52, .digit),
        GalleryFact("two digits in the name", 0.49, .twoDigits),
        GalleryFact("alternative text in the page's title", 1.18, .altInTitle),
        GalleryFact("narrow", -0.98, .narrow),
        GalleryFact("banner", -1.92, .banner),
        GalleryFact("background", -1.03, .background),
        GalleryFact("named for other sites", 1.59, .preferred),
        // What they lead to.
        GalleryFact("names the full size", 2.07, .namesFullSize),
        GalleryFact("leads to another site", -1.24, .leadsToOtherSite),
        GalleryFact("leads where the largest group does", 0.76) { $0.linksLikeMain },
        // What is around them.
        GalleryFact("table cell", -0.74, .cell),
        GalleryFact("no text", -0.65, .noText),
        GalleryFact("class of galleries", 1.01) { $0.inner(.gallery) },
        GalleryFact("class of images", 1.06) { $0.inner(.image) },
        GalleryFact("class of thumbnails", 0.86) { $0.inner(.thumbnail) },
        GalleryFact("class of logos", -1.70) { $0.inner(.logo) },
        GalleryFact("class of persons", -2.06) { $0.inner(.person) },
        GalleryFact("class of navigation", -1.36) { $0.inner(.navigation) },
        GalleryFact("in a class of galleries", 1.13) { $0.outer(.gallery) },
        GalleryFact("in a class of navigation", -1.22) { $0.outer(.navigation) },
        GalleryFact("in the page's frame", -2.21) { $0.outer(.frame) },
        GalleryFact("in a class of sidebars", -0.50, isOfPlace: true) { $0.outer(.side) },
        GalleryFact("in a figure", 1.52) { $0.outer(.figure) },
        GalleryFact("in a class of related things", -1.94, isOfPlace: true) { $0.outer(.related) },
        GalleryFact("under a heading that recommends", -1.57, .recommended, isOfPlace: true),
        GalleryFact("outside of the text", -0.84, .outsideText, isOfPlace: true),
        GalleryFact("teaser", -2.51, .teaser, isOfPlace: true),
        // The group on its page.
        GalleryFact("different addresses", 1.19) { Double($0.distinct) / Double($0.count) },
        GalleryFact("seven or more", 0.96) { $0.distinct >= 7 ? 1 : 0 },
        GalleryFact("shown by other groups, too", 1.27) { $0.elsewhere },
        GalleryFact("share of the page's tags", 2.26) { $0.tagShare },
        GalleryFact("area beside the largest group's", 1.43) { $0.reach },
        GalleryFact("beside larger pictures", -2.75) { $0.isBesideLarger ? 1 : 0 },
        GalleryFact("beside photographs", -2.14) { $0.isBesidePhotographs ? 1 : 0 },
        GalleryFact("page named as a gallery", 0.61) { $0.isOnPageOfGallery ? 1 : 0 },
    ]
}
