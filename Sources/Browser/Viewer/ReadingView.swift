import Basics
import Raster

/// How the viewer shows the pages of a gallery, which is kept with the reader's place.
struct ReadingView: Equatable {
    /// What is shown beside each picture.
    var pairing: ViewerModel.Pairing?
    /// Whether borders of one colour are left out.
    var cropsBorders = false
    /// How the pages' code values are changed.
    var tone = Tone()

    /// Shows pages one by one.
    init() {}

    /// Reads the words that were kept with a place; unknown ones mean nothing.
    init(_ words: String) {
        let words = words.split(separator: " ").map(String.init)
        pairing = words.lazy.compactMap(ViewerModel.Pairing.init).first
        cropsBorders = words.contains("crop")
        tone = Tone(words)
    }

    /// The words that are kept with a place; empty for single pages.
    var words: String {
        (nonNil(pairing?.rawValue, cropsBorders ? "crop" : nil) + tone.words)
            .joined(separator: " ")
    }
}
