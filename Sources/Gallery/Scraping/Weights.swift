/// A fact about a candidate, its group or its page that counts for or against it.
enum Sign: Int, CaseIterable {
    // Its markup.
    case lightbox, linksToPicture, namesFullSize, severalSizes, figure, classOfGallery, content
    case background, namedByPage, linksToSite
    // Its address and texts.
    case wordsOfPictures, wordsOfOrnaments, nameOfButton, describedAsOrnament
    case endingOfPhotographs, endingOfDrawings
    // Its size.
    case large, wide, small, narrow, shapeOfBanner
    // Its group and page.
    case repeatedStructure, wallOfLinkedPictures, pictureOfLinkedFolder, namedAgain
    case drawingAmongPhotographs

    /// Its name in words.
    var name: String {
        "\(self)".reduce(into: "") { words, letter in
            words += letter.isUppercase ? " " + letter.lowercased() : String(letter)
        }
    }
}

/// What each sign counts, in points: a candidate belongs to the gallery if its signs sum to 0 or more.
struct Weights: Sendable {
    private let points: [Int]

    init(_ points: [Sign: Int]) {
        self.points = Sign.allCases.map { points[$0] ?? 0 }
    }

    subscript(sign: Sign) -> Int { points[sign.rawValue] }

    /// Tuned by hand; `make fit` compares them with those that logistic regression finds in labelled pages.
    static let standard = Weights([
        .lightbox: 40, .linksToPicture: 30, .namesFullSize: 20, .severalSizes: 10,
        .figure: 25, .classOfGallery: 15, .content: 5,
        .background: -20, .namedByPage: 30, .linksToSite: -15,
        .wordsOfPictures: 10, .wordsOfOrnaments: -30, .nameOfButton: -60, .describedAsOrnament: -30,
        .endingOfPhotographs: 10, .endingOfDrawings: -5,
        .large: 40, .wide: 20, .small: -100, .narrow: -50, .shapeOfBanner: -80,
        .repeatedStructure: 20, .wallOfLinkedPictures: 20, .pictureOfLinkedFolder: 20,
        .namedAgain: -60, .drawingAmongPhotographs: -100,
    ])
}
