/// Every plate of the gallery, in order.
struct Catalogue {
    /// The pages.
    var pages: [[Plate]] { [Self.first, Self.second, Self.third, Self.fourth] }
    /// What is recommended beside them.
    var recommended: [Plate] { Self.alsoLiked }
}
