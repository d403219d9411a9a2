/// Every plate of the gallery, in order.
struct Catalogue {
    /// The pages.
    var pages: [[Plate]] {
        [FirstPage.plates, SecondPage.plates, ThirdPage.plates, FourthPage.plates]
    }
    /// What is recommended beside them.
    var recommended: [Plate] { RecommendedPlates.plates }
}
