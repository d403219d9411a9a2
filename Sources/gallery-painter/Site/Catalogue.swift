/// Every plate of the gallery, in order.
struct Catalogue {
    /// The pages.
    var pages: [[Plate]] { [Self.first] }
    /// What is recommended beside them.
    var recommended: [Plate] { [] }
}
